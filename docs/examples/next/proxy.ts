import { NextResponse, type NextRequest } from 'next/server'
import { auth } from './auth'

/** Leads to sign in, before a page is rendered, and sends the cookies of a session that was extended. */
export async function proxy(request: NextRequest) {
  const found = await auth.requireSession(request)
  if (found instanceof Response) return found
  const response = NextResponse.next()
  for (const cookie of found.cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export const config = { matcher: ['/members/:path*'] }
