/** A name, an IPv4 address, or an IPv6 address in brackets, with an optional port (RFC 9110 7.2). */
const shape = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Returns whether the text is exactly `host[:port]`. Servers build a URL from this text and the path. Any other text
 * would shift the boundary between host and path: with `Host: shop.example/auth/callback/pw?`, the path becomes a
 * query.
 */
export function isHost(text: string): boolean {
  return text.length <= 262 && shape.test(text)
}

/**
 * Returns whether a host, with a port or without, is short enough for a URL parser (RFC 1035 2.3.4). Encoding a label
 * takes a time that grows with the square of its length.
 */
export function isShortHost(text: string): boolean {
  const [longestHost, longestLabel, port] = [253, 63, ':65535'.length]
  return (
    text.length <= 2 * (longestHost + port) &&
    Array.from(text).length <= longestHost + port &&
    text.split('.').every((label) => Array.from(label).length <= longestLabel + port)
  )
}

/**
 * Returns whether the host in a URL is short enough for a URL parser. Also finds hosts that only a URL parser
 * recognises: after one slash, backslashes or control characters.
 */
export function hasShortHost(url: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const written = url.replaceAll(/[\0- ]/g, '')
  const [, authority = ''] = /^(?:[a-z]+:[/\\]*|[/\\]{2,})([^/\\?#]*)/i.exec(written) ?? []
  return isShortHost(authority)
}

/** Returns whether a host, as written by a URL parser, is the local machine (RFC 6761 6.3, RFC 8252 8.3). */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  )
}

/** 0.0.0.0/8 and 127.0.0.0/8 within IPv6, mapped or compatible, and the unspecified address (RFC 4291 2.5). */
const localInIpv6 = /^\[::(?:(?:ffff:)?(?:7f[0-9a-f]{2}|[0-9a-f]{1,2}):[0-9a-f]{1,4})?\]$/

/**
 * Returns whether a connection to a host, as written by a URL parser, ends at the local machine. Unlike `isLoopback`,
 * it also recognises 0.0.0.0/8, IPv4 addresses within IPv6, and names with a trailing dot.
 */
export function isOwnMachine(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return isLoopback(name) || /^0(\.\d+){3}$/.test(name) || localInIpv6.test(name)
}
