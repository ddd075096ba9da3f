import type { SecurityLine } from './line.ts'

/** OWASP ASVS 5.0, chapter 9: self-contained tokens. */
export const tokens: readonly SecurityLine[] = [
  {
    line: '9.1.1',
    asks: 'Verify a token’s signature or MAC before use',
    held: ['JW-02', 'JW-11', 'OI-07', 'SE-26'],
  },
  { line: '9.1.2', asks: 'Allow listed algorithms only, never `none`', held: ['JW-03', 'OI-06', 'DEC-09c'] },
  { line: '9.1.3', asks: 'Take keys from configured sources only', held: ['OI-10', 'OI-15', 'DEC-09a'] },
  { line: '9.2.1', asks: 'Enforce the validity period', held: ['OI-03', 'JW-04', 'SE-05'] },
  {
    line: '9.2.2',
    asks: 'Accept a token only for its own purpose',
    held: ['SU-09', 'JW-05', 'RO-04', 'OI-20'],
  },
  {
    line: '9.2.3',
    asks: 'Accept a token only as its audience',
    held: ['OI-02', 'JW-06'],
    site: 'Give each deployment its own secret, or set `jwt.audience`.',
  },
  {
    line: '9.2.4',
    asks: 'Tokens for several audiences name theirs',
    held: ['JW-06'],
    site: 'Give each deployment its own secret, or set `jwt.audience`.',
  },
]
