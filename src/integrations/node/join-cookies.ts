import { withoutReplaced } from '../../cookies/chunks.ts'

/** The methods that responses of node:http and of Fastify share. */
export interface HeldHeaders {
  getHeader(name: string): number | string | readonly string[] | undefined
}

/**
 * Joins the cookies that a response already sets with later ones, and drops cookies that a later one replaces. If both
 * were sent, a sign-out would clear the session cookie and leave the chunks that an extension of the session has just
 * set.
 */
export function joinCookies(response: HeldHeaders, later: readonly string[]): string[] {
  const earlier = response.getHeader('set-cookie')
  return earlier === undefined
    ? [...later]
    : [...withoutReplaced([earlier].flat().map(String), later), ...later]
}

/**
 * Returns the value of Set-Cookie. For one cookie, it is text, as `appendHeader` stores it, because some adapters, such
 * as serverless-http, send a list differently.
 */
export function writeSetCookie(cookies: readonly string[]): string | string[] {
  const [first, ...others] = cookies
  return first !== undefined && others.length === 0 ? first : [...cookies]
}
