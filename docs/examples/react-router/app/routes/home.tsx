import { data, Link } from 'react-router'
import { auth, sessionHeaders } from '../auth.server'
import type { Route } from './+types/home'

export async function loader({ request }: Route.LoaderArgs) {
  const { session, cookies } = await auth.getSessionWithCookies(request)
  return data({ user: session?.user ?? null }, { headers: sessionHeaders(cookies) })
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export default function Home({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <main>
      <p>
        Signed in: <strong id="who">{user?.name ?? 'nobody'}</strong>
      </p>
      {/* The library serves these pages, not React Router. */}
      <a href="/auth/signin">Sign in</a> <a href="/auth/signout?callbackUrl=/">Sign out</a>{' '}
      <Link to="/members">Members</Link>
    </main>
  )
}
