import { authentication } from './authentication.ts'
import type { SecurityTable } from './line.ts'
import { oauth } from './oauth.ts'
import { rfc9700 } from './rfc9700.ts'
import { sessions } from './sessions.ts'
import { tokens } from './tokens.ts'

/** The tables of `docs/guides/security.md`. */
export const securityTables: readonly SecurityTable[] = [
  { name: 'asvs-6', standard: 'ASVS', lines: authentication },
  { name: 'asvs-7', standard: 'ASVS', lines: sessions },
  { name: 'asvs-9', standard: 'ASVS', lines: tokens },
  { name: 'asvs-10', standard: 'ASVS', lines: oauth },
  { name: 'rfc-9700', standard: 'RFC 9700', lines: rfc9700 },
]
