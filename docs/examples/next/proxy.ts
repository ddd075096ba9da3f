/** Redirects signed-out users to the sign-in page, and sends the cookies of an extended session. */
export { proxy } from './auth'

export const config = { matcher: ['/members/:path*'] }
