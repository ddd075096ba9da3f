/**
 * Finds the header that lets a shared cache store a response.
 *
 * @returns its line, or nothing if no cache between the application and a browser may keep the response
 */
export function findSharing(headers: Headers): string | undefined {
  const line = (name: string) => `${name}: ${headers.get(name)}`
  const control = headers.get('cache-control')
  for (const name of ['cdn-cache-control', 'surrogate-control', 'cloudflare-cdn-cache-control'])
    if (isShared(headers.get(name) ?? '')) return line(name)
  // Cache-Control replaces Expires (RFC 9111, 5.3), if it says for how long.
  if (/\b(?:private|no-store|no-cache|s-maxage|max-age)\b/i.test(control ?? ''))
    return isShared(control ?? '') ? line('cache-control') : undefined
  if (Date.parse(headers.get('expires') ?? '') > Date.now()) return line('expires')
  return isShared(control ?? '') ? line('cache-control') : undefined
}

function isShared(control: string): boolean {
  const isPrivate = /\b(?:private|no-store|no-cache)\b/i.test(control)
  return !isPrivate && /\b(?:public|(?:s-maxage|max-age)=[1-9])/i.test(control)
}

/**
 * Finds the header that lets a browser show a stored page without asking the application.
 *
 * @returns its line, or nothing if the browser asks, or gets another page with other cookies
 */
export function findKeeping(headers: Headers): string | undefined {
  const control = headers.get('cache-control') ?? ''
  if (/\b(?:no-store|no-cache)\b/i.test(control) || /\*|cookie/i.test(headers.get('vary') ?? ''))
    return undefined
  if (/\b(?:max-age|stale-while-revalidate)=["']?[1-9]/i.test(control)) return `cache-control: ${control}`
  const isFresh = !/\bmax-age\b/i.test(control) && Date.parse(headers.get('expires') ?? '') > Date.now()
  return isFresh ? `expires: ${headers.get('expires')}` : undefined
}
