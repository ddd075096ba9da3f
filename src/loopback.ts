/** Tells whether a host, as a URL parser writes it, never leaves the machine (RFC 6761 6.3, RFC 8252 8.3). */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}
