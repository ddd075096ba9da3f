import { NextResponse, type NextRequest } from 'next/server'
import { auth } from './auth'

/** Redirects signed-out users to the sign-in page, and sends the cookies of an extended session. */
export async function proxy(request: NextRequest) {
  const found = await auth.requireSession(request)
  if (found instanceof Response) return found
  const response = NextResponse.next()
  for (const cookie of found.cookies) response.headers.append('Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (found.cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}

export const config = { matcher: ['/members/:path*'] }
