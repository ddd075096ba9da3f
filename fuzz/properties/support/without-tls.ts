import type { Setup } from '../../targets/setup.ts'

export const loopback = 'http://localhost:4999'

/** Where no TLS says who answers, nothing but the signature does. */
export const withoutTls: Setup = {
  provider: { alpha: { issuer: loopback } },
  idp: { alpha: { issuer: loopback } },
}
