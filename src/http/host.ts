/** A name, an IPv4 address, or an IPv6 address in brackets, then perhaps a port (RFC 9110 7.2). */
const shape = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Is the text exactly `host[:port]`? Servers make a URL of it and the path. Anything else in it moves the border between
 * the two: with `Host: shop.example/auth/callback/pw?` the path becomes a query.
 */
export function isHost(text: string): boolean {
  return text.length <= 262 && shape.test(text)
}
