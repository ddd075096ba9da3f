import type { Setup } from '../../targets/setup.ts'

export const loopback = 'http://localhost:4999'

/** A provider without TLS, where only the signature proves who responded. */
export const withoutTls: Setup = {
  provider: { alpha: { issuer: loopback } },
  idp: { alpha: { issuer: loopback } },
}
