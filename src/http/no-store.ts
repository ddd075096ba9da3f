/** Keeps an answer out of every cache (CK-12); the last two for those older than HTTP/1.1. */
export const noStore = Object.freeze({
  'Cache-Control': 'private, no-cache, no-store',
  Expires: '0',
  Pragma: 'no-cache',
})
