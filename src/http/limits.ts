/** Bytes of a request body (decision 31). */
export const maxBody = 100 * 1024

/** Characters of a request's path and query. */
export const maxUrl = 16 * 1024

/** Characters of the `Cookie` header: the largest session token in pieces, and as much again of other cookies. */
export const maxCookieHeader = 64 * 1024

/** Characters of a callback URL (decision 31). */
export const maxCallbackUrl = 2 * 1024

/** Characters of a callback URL percent-encoded, which still fits in a cookie with its name and attributes. */
export const maxEncodedCallbackUrl = 3584

/** Fields of a form, parameters of a query, values of a JSON body: as many as other servers parse. */
export const maxFields = 1000

/** Pieces in which a body may arrive. Networks send far larger ones; each costs as much as a thousand characters. */
export const maxPieces = 500

/** Counts the parts between separators, and stops when there are more than the limit. */
export function countParts(text: string, separator: string, limit: number): number {
  let parts = 1
  for (let at = text.indexOf(separator); at >= 0 && parts <= limit; at = text.indexOf(separator, at + 1))
    parts++
  return parts
}
