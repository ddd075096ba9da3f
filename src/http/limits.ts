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
