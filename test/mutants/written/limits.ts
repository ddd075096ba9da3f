import { mutantsOf, type Mutant } from '../mutant.ts'

/** Missing limits on texts that clients and providers choose, and bugs in how typed secrets are read. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/normalise.ts', [
    {
      id: 'limits/texts-of-any-length-normalised',
      in: 'normalise',
      find: 'text.length <= longest && ',
      replace: 'longest > 0 && ',
      breaks: ['LM-14'],
    },
    {
      id: 'limits/any-row-of-marks',
      in: 'hasShortRows',
      find: 'row.length > longestRow',
      replace: 'row.length > 1e6',
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/half-width-marks-not-counted',
      in: 'rows',
      find: '\\uff9e\\uff9f',
      replace: '',
      breaks: ['LM-14'],
    },
  ]),
  ...mutantsOf('src/typed-secret.ts', [
    {
      id: 'codes/spaces-count',
      in: 'fold',
      find: '[\\s\\p{Pd}\\p{Cf}\\u2212]',
      replace: '[\\p{Cf}\\u2212]',
      breaks: ['CD-08', 'SF-21'],
    },
    {
      id: 'limits/long-codes',
      in: 'fold',
      find: "normalise(typed, 'NFKC', longest)",
      replace: "(longest > 0 ? typed.normalize('NFKC') : undefined)",
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'typed/digits-of-one-script',
      in: 'fold',
      find: '.replaceAll(/(?!\\d)\\p{Nd}/gu, toAscii)',
      replace: ".replaceAll(/(?!\\d)\\p{Nd}/gu, (digit) => (digit === '' ? toAscii(digit) : digit))",
      breaks: ['SF-21', 'CD-08'],
    },
    {
      id: 'typed/digits-by-the-wrong-row',
      in: 'toAscii',
      find: '(code - first) % 10',
      replace: '(code - first + 1) % 10',
      breaks: ['SF-21', 'CD-08'],
    },
    {
      id: 'typed/case-of-recovery-codes',
      in: 'readers',
      find: '?.toLowerCase()',
      replace: '',
      breaks: ['SF-21'],
    },
    {
      id: 'typed/codes-of-letters',
      in: 'readers',
      find: '/^\\d+$/',
      replace: '/^[^]*$/',
      breaks: ['SF-21'],
    },
    {
      id: 'limits/long-passwords',
      in: 'readPassword',
      find: 'typed.length > longestPassword',
      replace: 'typed.length > longestPassword ** 2',
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'passwords/encodings-differ',
      in: 'readPassword',
      find: "typed.normalize('NFC')",
      replace: 'typed',
      breaks: ['PW-01'],
    },
  ]),
  ...mutantsOf('src/password.ts', [
    {
      id: 'limits/marks-in-new-passwords',
      in: 'createHooks',
      find: ' || !hasShortRows(typed)',
      replace: '',
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/long-new-passwords',
      in: 'createHooks',
      find: 'typed.length > longestPassword || !hasShortRows(typed)',
      replace: 'typed.length + longestPassword < 0',
      breaks: ['LM-11', 'LM-14'],
    },
  ]),
  ...mutantsOf('src/rate-limit.ts', [
    {
      id: 'limits/long-account-names',
      in: 'foldName',
      find: "normalise(trimmed, 'NFKC', longestName)?",
      replace: "(longestName > 0 ? trimmed.normalize('NFKC') : trimmed)",
      breaks: ['LM-11', 'LM-14'],
    },
  ]),
  ...mutantsOf('src/email-address.ts', [
    {
      id: 'limits/long-addresses',
      in: 'canonicaliseAddress',
      find: ' || raw.length > inputLimit',
      replace: '',
      breaks: ['EM-06'],
    },
    {
      id: 'limits/long-claimed-addresses',
      in: 'canonicaliseClaim',
      find: 'address !== undefined && local === normalise(local',
      replace: "local === local.normalize('NFKC') && local === normalise(local",
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/long-texts-for-the-own-normaliser',
      in: 'normaliseFor',
      find: " || raw === '' || raw.length > inputLimit",
      replace: " || raw === ''",
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/long-results-of-the-own-normaliser',
      in: 'normaliseFor',
      find: ' && own.length <= inputLimit',
      replace: '',
      breaks: ['LM-14', 'DEC-31f'],
    },
  ]),
  ...mutantsOf('src/host.ts', [
    {
      id: 'limits/long-labels',
      in: 'isShortHost',
      find: 'Array.from(label).length <= longestLabel + port',
      replace: 'Array.from(label).length <= 1e6',
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/long-hosts',
      in: 'isShortHost',
      find: 'Array.from(text).length <= longestHost + port',
      replace: 'longestHost > 0',
      breaks: ['LM-14'],
    },
    {
      id: 'limits/hosts-without-a-scheme',
      in: 'hasShortHost',
      find: '|[/\\\\]{2,})',
      replace: ')',
      breaks: ['LM-11', 'LM-14'],
    },
  ]),
  ...mutantsOf('src/http/callback-url.ts', [
    {
      id: 'limits/long-hosts-of-callback-urls',
      in: 'parseCallbackUrl',
      find: ' || !hasShortHost(value)',
      replace: '',
      breaks: ['LM-11', 'LM-14'],
    },
  ]),
  ...mutantsOf('src/oauth/discover-server.ts', [
    {
      id: 'limits/long-urls-in-metadata',
      in: 'limitUrls',
      find: 'url.length > longestUrl || !hasShortHost(url)',
      replace: 'url.length > longestUrl ** 2',
      breaks: ['LM-11', 'LM-14'],
    },
    {
      id: 'limits/long-hosts-in-metadata',
      in: 'limitUrls',
      find: ' || !hasShortHost(url)',
      replace: '',
      breaks: ['LM-11', 'LM-14'],
    },
  ]),
]
