import fc from 'fast-check'
import { anyText } from './any-text.ts'

const pick = (...parts: string[]) => fc.constantFrom(...parts)

const scheme = pick(
  '',
  '',
  'https:',
  'hTTpS:',
  'http:',
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'myapp:',
  'ht\ntps:',
  '\thttps:',
)
const slashes = pick('/', '//', '///', '\\\\', '/\\', '\\/', '/\t/', '/\n/', '/%2f', '%2f%2f', '%5c', '')
const userinfo = pick(
  '',
  '',
  '',
  'app.test@',
  'a:b@',
  'app.test%40',
  'app.test\\@',
  'app.test#@',
  'app.test?@',
)
const host = pick(
  'app.test',
  'app.test',
  'APP.test',
  'evil.test',
  'app.test.evil.test',
  'evilapp.test',
  'app.test.',
  'app\uff0etest',
  'evil\u3002test',
  'evi\u2113.test',
  'app.te\tst',
  'app%2etest',
  '[::1]',
  '0x7f.1',
  '',
)
const port = pick('', '', '', ':443', ':444', ':', ':80', ':99999')
const rest = pick(
  '',
  '/',
  '/x?y=\\z#\\',
  '//evil.test',
  '/../..//evil.test',
  '/\\evil.test',
  '/ü',
  '/%',
  '/\u0000',
  '/\ud800',
)

/** URLs on which parsers disagree, joined from their parts; or any text. */
export const nastyUrl: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(scheme, slashes, userinfo, host, port, rest).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: pick('/', '/here', '/a?b=c&d#e', 'https://app.test/x', '/ü', '//', '/a//b') },
  { weight: 1, arbitrary: anyText(40) },
)
