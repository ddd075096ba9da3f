import Link from 'next/link'
import { Suspense } from 'react'
import { auth } from '../auth'
import { SessionProvider } from '../auth-client'
import { Who } from './who'

export default function Home() {
  return (
    <main>
      <Suspense fallback={<p>Signed in: …</p>}>
        <Session />
      </Suspense>
      {/* No <Link> for the pages that the library serves. */}
      <a href="/api/auth/signin">Sign in</a> <a href="/api/auth/signout?callbackUrl=/">Sign out</a>{' '}
      <Link href="/members" prefetch={false}>
        Members
      </Link>
    </main>
  )
}

async function Session() {
  return (
    <SessionProvider session={await auth()}>
      <Who />
    </SessionProvider>
  )
}
