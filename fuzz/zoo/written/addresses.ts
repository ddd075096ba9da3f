import type { Mutant } from '../mutant.ts'

/** Faults in the form of addresses. */
export const mutants: readonly Mutant[] = [
  {
    id: 'email/escaped',
    file: 'src/email/canonical-address.ts',
    find: 'canonicalise(address) === address ? address : undefined',
    replace: 'canonicalise(address) === address ? encodeURI(address) : undefined',
    kills: ['EM-01', 'EM-04', 'DEC-29e'],
  },
  {
    id: 'email/not-normalised',
    file: 'src/email/canonical-address.ts',
    find: "raw.normalize('NFKC').toLowerCase().normalize('NFKC').split('@')",
    replace: "raw.toLowerCase().split('@')",
    kills: ['EM-04', 'EM-05', 'DEC-29a', 'DEC-29e'],
  },
  {
    id: 'email/judged-before-normalised',
    file: 'src/email/canonical-address.ts',
    find: 'const address = `${local}@${host}`',
    replace: "const address = `${raw.split('@')[0]?.toLowerCase()}@${host}`",
    kills: ['EM-04', 'EM-05', 'DEC-29e'],
  },
  {
    id: 'email/case-kept',
    file: 'src/email/canonical-address.ts',
    find: ".normalize('NFKC').toLowerCase().normalize('NFKC')",
    replace: ".normalize('NFKC')",
    kills: ['EM-05'],
  },
  {
    id: 'email/unicode-domain',
    file: 'src/email/canonical-address.ts',
    find: '!/(^|\\.)\\d+$/.test(host) ? host : undefined',
    replace: '!/(^|\\.)\\d+$/.test(host) ? domain : undefined',
    kills: ['EM-05', 'EM-06', 'DEC-29d'],
  },
  {
    id: 'email/address-of-a-machine',
    file: 'src/email/canonical-address.ts',
    find: 'hostShape.test(host) && !/(^|\\.)\\d+$/.test(host)',
    replace: 'hostShape.test(host)',
    kills: ['EM-06', 'DEC-29d'],
  },
  {
    id: 'email/commas',
    file: 'src/email/canonical-address.ts',
    find: 'const localShape = /^[',
    replace: 'const localShape = /^[,"',
    kills: ['EM-02', 'EM-04', 'DEC-29b'],
  },
  {
    id: 'email/encoded-words',
    file: 'src/email/canonical-address.ts',
    find: " || local.includes('=?')",
    replace: '',
    kills: ['EM-02', 'DEC-29b'],
  },
  {
    id: 'email/white-space',
    file: 'src/email/canonical-address.ts',
    find: 'const localShape = /^[',
    replace: 'const localShape = /^[\\s\\0',
    kills: ['EM-03', 'DEC-29b'],
  },
  {
    id: 'email/last-at-sign',
    file: 'src/email/canonical-address.ts',
    find: 'parts.length !== 2 || ',
    replace: '',
    kills: ['EM-06', 'EM-04'],
  },
  {
    id: 'email/characters-for-octets',
    file: 'src/email/canonical-address.ts',
    find: 'octets(local) <= localLimit',
    replace: 'local.length <= localLimit',
    kills: ['EM-06', 'DEC-29c'],
  },
  {
    id: 'email/address-limit-off-by-one',
    file: 'src/email/canonical-address.ts',
    find: 'octets(address) <= addressLimit',
    replace: 'octets(address) <= addressLimit + 1',
    kills: ['EM-06', 'DEC-29c'],
  },
]
