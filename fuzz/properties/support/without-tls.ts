import type { Setup } from '../../targets/setup.ts'

export const loopback = 'http://localhost:4999'

/** A provider without TLS, where only the signature proves who responded. */
export const withoutTls: Setup = {
  provider: { alpha: { issuer: loopback } },
  idp: { alpha: { issuer: loopback } },
}

/** Returns whether a host name of a URL is that of the same machine. */
export function isOnLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
