/**
 * May the provider be reached under this URL: https, or plain http on a loopback host or by `allowInsecureRequests`
 * (decision 11; RFC 9700 2.6).
 */
export function isSecureUrl(url: URL, allowInsecureRequests: boolean): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (allowInsecureRequests || isLoopback(url.hostname))
}

/** Hosts that never leave the machine (RFC 6761 6.3, RFC 8252 8.3), as a URL parser writes them. */
function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}
