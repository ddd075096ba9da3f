import { data, redirectDocument } from 'react-router'
import { auth, sessionHeaders } from '../auth.server'
import type { Route } from './+types/members'

export async function loader({ request, url }: Route.LoaderArgs) {
  const { session, cookies } = await auth.getSessionWithCookies(request)
  if (!session?.user) {
    const query = new URLSearchParams({ callbackUrl: url.pathname + url.search })
    // The library serves this page, so the browser must load it as a document.
    throw redirectDocument(`/auth/signin?${query}`)
  }
  return data({ user: session.user }, { headers: sessionHeaders(cookies) })
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export default function Members({ loaderData: { user } }: Route.ComponentProps) {
  return <h1>Hello {user.name}</h1>
}
