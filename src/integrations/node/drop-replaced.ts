import { withoutReplaced } from '../../cookies/chunks.ts'

/** The functions that the responses of node:http and of Fastify have in common. */
export interface HeldHeaders {
  getHeader(name: string): number | string | readonly string[] | undefined
  removeHeader(name: string): unknown
}

/**
 * Removes the cookies of a response that later ones replace. Without this, a sign-out would clear the session cookie
 * and leave the chunks that an extension of the session has just set.
 *
 * @param add adds a cookie to the response
 */
export function dropReplaced(
  response: HeldHeaders,
  later: readonly string[],
  add: (cookie: string) => unknown,
): void {
  const earlier = response.getHeader('set-cookie')
  if (earlier === undefined || later.length === 0) return
  response.removeHeader('set-cookie')
  for (const cookie of withoutReplaced([earlier].flat().map(String), later)) add(cookie)
}
