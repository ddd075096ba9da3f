import type { Settings } from '../config/settings.ts'

/**
 * Returns the origin that a response may name: that of `AUTH_URL`, or else that of the request if its host is trusted
 * (HH-01).
 */
export function knownOrigin(
  { canonicalOrigin, trustHost }: Pick<Settings, 'canonicalOrigin' | 'trustHost'>,
  ofRequest: string,
): string | undefined {
  return canonicalOrigin ?? (trustHost ? ofRequest : undefined)
}

/** Returns a URL without its origin. It never begins with two slashes, which would name a host. */
export function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return pathname.replace(/^\/{2,}/, '/') + search + hash
}
