import { auth } from '../auth'

export default async function Home() {
  const session = await auth()
  return (
    <main>
      <p>
        Signed in: <strong id="who">{session?.user?.name ?? 'nobody'}</strong>
      </p>
      {/* No <Link>: the library serves these pages, not Next.js. */}
      <a href="/api/auth/signin">Sign in</a> <a href="/api/auth/signout">Sign out</a>{' '}
      <a href="/members">Members</a>
    </main>
  )
}
