import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultRedirect, parseCallbackUrl } from '../../src/http/callback-url.ts'
import { maxCallbackUrl } from '../../src/http/limits.ts'
import { respond } from '../../src/http/respond.ts'
import { spread } from '../support/spread.ts'

const origin = 'https://app.test'
const parse = (value: unknown) => parseCallbackUrl(value, origin)
const redirect = (url: string) => defaultRedirect({ url, baseUrl: origin })

/** Texts about which URL parsers disagree, in the order of a URL's parts. */
const pick = (...parts: string[]) => fc.constantFrom(...parts)
const scheme = pick(
  '',
  '',
  '',
  'https:',
  'HTTPS:',
  'hTTp:',
  'http:',
  'javascript:',
  'data:',
  'ht\ntps:',
  '\thttps:',
)
const slashes = pick(
  '/',
  '//',
  '///',
  '////',
  '\\',
  '\\\\',
  '/\\',
  '\\/',
  '/\t/',
  '/\n/',
  '//',
  '/%2f',
  '%2f%2f',
  '',
)
const userinfo = pick(
  '',
  '',
  '',
  'app.test@',
  'a:b@',
  'app.test%40',
  '@',
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
  'app.te\tst',
  'app%2etest',
  '[::1]',
  '',
)
const port = pick('', '', '', ':443', ':444', ':0443', ':', ':99999', ':80')
const rest = pick(
  '',
  '/',
  '/x',
  '/x?y=\\z#\\',
  '//evil.test',
  '/../..//evil.test',
  '/\\evil.test',
  '/ü',
  '/%',
  '\\x',
  '/a b',
)
const url = fc.tuple(scheme, slashes, userinfo, host, port, rest).map((parts) => parts.join(''))
const nasty = fc.oneof(
  { weight: 5, arbitrary: url },
  { weight: 1, arbitrary: fc.webUrl() },
  { weight: 1, arbitrary: rest },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

describe('a callback URL', () => {
  it('RD-01 RD-02 RD-03 leads the browser to the URL that was validated, for malformed URLs of all kinds', () => {
    const cases = spread('callback URLs')
    fc.assert(
      fc.property(nasty, (given) => {
        const judged = parse(given)
        if (judged === undefined) return cases.count('absent')
        const followed = new URL(given, `${origin}/some/page`)
        expect([followed.href, followed.href.replace(/\/$/, '')]).toContain(judged)
        expect(new URL(judged, `${origin}/some/page`).href).toBe(followed.href)
        expect(judged).toMatch(/^https?:\/\/[^\s\\@?#]+[^\s]*$/)
        cases.count(followed.origin === origin ? 'own origin' : 'foreign')
      }),
      { numRuns: 3000 },
    )
    cases.report()
    cases.atLeast('absent', 500)
    cases.atLeast('own origin', 200)
    cases.atLeast('foreign', 200)
  })

  it('RD-01 RD-02 leads to our own origin through the default redirect callback, for any input', () => {
    const cases = spread('default redirects')
    fc.assert(
      fc.property(nasty, (given) => {
        const location = respond(
          { status: 302, location: redirect(given), cookies: [] },
          { returnsRedirect: false },
        ).headers['Location']
        expect(new URL(location ?? '', `${origin}/auth/callback/x`).origin).toBe(origin)
        cases.count(location === origin ? 'base URL' : 'followed')
      }),
      { numRuns: 3000 },
    )
    cases.report()
    cases.atLeast('base URL', 500)
    cases.atLeast('followed', 200)
  })

  it.each([
    ['/path', `${origin}/path`],
    ['/', `${origin}/`],
    ['/a/../b?x=/../y#z', `${origin}/b?x=/../y#z`],
    ['/a b/ü', `${origin}/a%20b/%C3%BC`],
    [origin, origin],
    ['https://APP.test:443/x', `${origin}/x`],
    [`${origin}?x=1`, `${origin}/?x=1`],
    ['/x?a=\\b', `${origin}/x?a=\\b`],
    ['http://other.test/x', 'http://other.test/x'],
    ['//other.test/x', 'https://other.test/x'],
  ])('RD-02 %s resolves to %s', (given, href) => {
    expect(parse(given)).toBe(href)
  })

  it.each([
    'https://user@app.test/',
    'https://user:pw@app.test/',
    'https://:pw@app.test/',
    'https://app.test@evil.test/',
    '\\\\evil.test',
    '/\\evil.test',
    '/a/b\\c',
    'https:\\\\app.test',
    '/\t/evil.test',
    '/a\nb',
    '/a\u007f',
    '\u0000/a',
    'https:/app.test',
    'https:app.test',
  ])('RD-02 %j is rejected, since parsers disagree about it', (given) => {
    expect(parse(given)).toBeUndefined()
    expect(redirect(given)).toBe(origin)
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript://app.test/%0aalert(1)',
    'data:text/html,x',
    'blob:https://app.test/x',
    'file:///etc/passwd',
    'app.test:443',
    'myapp://callback',
    'ftp://app.test/',
    'ws://app.test/',
  ])('RD-03 %s is rejected', (given) => {
    expect(parse(given)).toBeUndefined()
    expect(redirect(given)).toBe(origin)
  })

  it('RD-03 RD-10 a plain path is resolved as a URL parser resolves it', () => {
    const path = fc.array(
      fc.constantFrom('/', '/', 'a', 'Z9', '_', '-', '.', '..', '%2e', ':', '@', '\\', ''),
    )
    const start = fc.constantFrom('', '', origin, `${origin}:8443`, `${origin}.evil`, 'https:', 'javascript:')
    const cases = spread('callback URLs of slashes and words')
    fc.assert(
      fc.property(start, path, (before, parts) => {
        const given = before + parts.join('')
        const parsed = parse(given)
        cases.count(parsed === undefined ? 'rejected' : parsed === given ? 'kept' : 'resolved')
        if (parsed === undefined) return
        const { href } = new URL(given, origin)
        expect(parsed).toBe(href === `${given}/` ? given : href)
      }),
      { numRuns: 3000 },
    )
    cases.report()
    for (const label of ['rejected', 'kept', 'resolved']) cases.atLeast(label, 100)
  })

  it('RD-03 a path is rejected if the origin itself is not http or https', () => {
    expect(parseCallbackUrl('/x', 'file:///')).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    '',
    1,
    true,
    {},
    ['/a'],
    'dashboard',
    '?x',
    '#x',
    'https://',
    'https://[',
    'http://a b/',
    '//',
  ])('RD-04 DEC-31e %j counts as absent', (given) => {
    expect(parse(given)).toBeUndefined()
  })

  it('RD-04 DEC-31e counts as absent over 2 KiB, even if only its encoding is that long', () => {
    const path = (length: number) => `/${'x'.repeat(length - 1)}`
    expect(parse(path(maxCallbackUrl - origin.length))).toBe(origin + path(maxCallbackUrl - origin.length))
    expect(parse(path(maxCallbackUrl - origin.length + 1))).toBeUndefined()
    expect(parse(`/${'é'.repeat(400)}`)).toBeUndefined()
    expect(parse(`/${'?'.repeat(1500)}`)).toBeUndefined()
    expect(parse(`/${'/'.repeat(maxCallbackUrl * 1000)}`)).toBeUndefined()
  })

  it('RD-04 never makes either function throw', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.anything()), (given) => {
        const judged = parse(given)
        expect(judged === undefined || /^https?:/.test(judged)).toBe(true)
        expect(redirect(given as string)).toMatch(/^https:\/\/app\.test/)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    'https://app.test.evil.test/',
    'https://evilapp.test/',
    'https://app.test:444/',
    'https://app.test:80/',
    'http://app.test/',
    'https://app.tes/',
    'https://sub.app.test/',
    'https://app.test./',
    '//evil.test',
    '///evil.test',
  ])('RD-10 WIR-053 CBK-016 %s is not our origin', (given) => {
    expect(redirect(given)).toBe(origin)
  })

  it('RD-10 WIR-053 CBK-016 may spell the same origin differently', () => {
    expect(redirect('/x')).toBe(`${origin}/x`)
    expect(redirect('HTTPS://App.Test:443/x')).toBe(`${origin}/x`)
    expect(defaultRedirect({ url: 'http://localhost:3000/x', baseUrl: 'http://localhost:3000' })).toBe(
      'http://localhost:3000/x',
    )
    expect(redirect(origin)).toBe(origin)
  })
})
