import { readChunked } from '../../cookies/chunks.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import type { Visit } from '../../http/visit.ts'
import { sealedCookie } from '../../token/sealed.ts'

/** Seconds within which the browser must follow the redirect. */
const maxAge = 60
/** Maximum characters. Codes and states are shorter, and servers limit the headers of a request. */
const maxLength = 4000

interface HeldResponse {
  /** Id of the provider. */
  readonly provider: string
  /** The form. */
  readonly response: string
}

/**
 * A posted response. A URL would leave the code in logs and in the browser history. The cookie is named after the
 * state, whose other cookies end with a number or a transaction.
 */
export const responseCookie = sealedCookie<HeldResponse, 'provider'>({
  cookie: ({ cookieTable: { state } }) => ({
    name: `${state.name}.response`,
    options: { ...state.options, maxAge },
  }),
  maxAge,
  boundTo: ['provider'],
  read: ({ provider, response }) =>
    typeof provider === 'string' && typeof response === 'string' ? { provider, response } : undefined,
})

/**
 * Returns whether the browser may have a session cookie that it did not send: browsers send Lax cookies with a
 * top-level GET, but not with a cross-site POST.
 */
export function isHeldBack(visit: Visit, response: URLSearchParams): boolean {
  const isSent = readChunked(visit.cookies, visit.cookieTable.sessionToken.name) !== undefined
  return visit.method === 'POST' && !isSent && response.toString().length <= maxLength
}

/** Clears the cookie, if the request has it. */
export function clearHeldResponse(visit: Visit): CookieChange[] {
  return responseCookie.isSent(visit) ? responseCookie.remove(visit) : []
}
