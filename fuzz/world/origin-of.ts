/** The page of another site from which a cross-site request comes. */
const foreign = 'https://another.example'

/**
 * Returns the `Origin` that browsers send with every request except GET and HEAD. Several frameworks refuse forms
 * without it.
 *
 * @param origin the origin of the application
 */
export function originOf(method: string, origin: string, isCrossSite = false): { readonly origin?: string } {
  if (method === 'GET' || method === 'HEAD') return {}
  return { origin: isCrossSite ? foreign : origin }
}
