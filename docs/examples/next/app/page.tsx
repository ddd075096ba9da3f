import Link from 'next/link'
import { Suspense } from 'react'
import { auth } from '../auth'
import { SessionProvider } from '../auth-client'
import { Who } from './who'

// The library serves these pages, so <Link> cannot load them.
const signInPage = '/api/auth/signin'
const signOutPage = '/api/auth/signout?callbackUrl=/'

export default function Home() {
  return (
    <main>
      <Suspense fallback={<p>Signed in: …</p>}>
        <Session />
      </Suspense>
      <a href={signInPage}>Sign in</a> <a href={signOutPage}>Sign out</a>{' '}
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
