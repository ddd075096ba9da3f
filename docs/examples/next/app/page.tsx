import { findUser } from '../auth'

export default async function Home() {
  const user = await findUser()
  return (
    <main>
      <p>
        Signed in: <strong id="who">{user?.name ?? 'nobody'}</strong>
      </p>
      {/* No <Link>: the library serves these pages, not Next.js. */}
      <a href="/api/auth/signin">Sign in</a> <a href="/api/auth/signout">Sign out</a>{' '}
      <a href="/members">Members</a>
    </main>
  )
}
