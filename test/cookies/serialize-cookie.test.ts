import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import { serializeCookie } from '../../src/cookies/cookie.ts'
import { spread } from '../support/spread.ts'

const nasty = fc.constantFrom('\r', '\n', ';', ',', ' ', '=', '"', '\\', '\0', '\u2028', 'é', '😀', '%', 'a')
const text = fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join(''))
/** The characters a header may contain after the name: nothing that ends the value or the line. */
const plain = /^[!-+\--:<-~]*$/

describe('a Set-Cookie header', () => {
  it('CK-10 WIR-021 has its attributes in a fixed order', () => {
    const options = {
      sameSite: 'strict',
      priority: 'high',
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date(0),
      path: '/p',
      domain: 'app.test',
      maxAge: 60,
    } as const
    expect(serializeCookie({ name: 'n', value: 'a|b:/', options })).toBe(
      'n=a%7Cb%3A%2F; Max-Age=60; Domain=app.test; Path=/p; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; ' +
        'Secure; Partitioned; Priority=High; SameSite=Strict',
    )
  })

  it('CK-10 preserves any value, which cannot end its field or add an attribute', () => {
    const cases = spread('cookie values')
    fc.assert(
      fc.property(text, (value) => {
        const header = serializeCookie({ name: 'n', value, options: { httpOnly: true } })
        expect(header).toMatch(/^n=[^;\s]*; HttpOnly$/)
        expect(header.slice(2, -'; HttpOnly'.length)).toMatch(plain)
        expect(parseCookies(header.split(';')[0]).get('n')).toBe(value)
        cases.count(plain.test(value) ? 'harmless' : 'with special characters')
      }),
      { numRuns: 500 },
    )
    cases.report()
    cases.atLeast('with special characters', 300)
  })

  it('CK-10 encodes the result of a custom encoder that leaves unsafe characters', () => {
    fc.assert(
      fc.property(text, (value) => {
        const encode = (given: string) => given
        const header = serializeCookie({ name: 'n', value, options: { encode, path: '/' } })
        expect(header).toMatch(/^n=[^;\s]*; Path=\/$/)
        expect(header.slice(2, -'; Path=/'.length)).toMatch(plain)
      }),
      { numRuns: 500 },
    )
    const reversed = { encode: (given: string) => [...given].toReversed().join('') }
    expect(serializeCookie({ name: 'n', value: 'abc', options: reversed })).toBe('n=cba')
  })

  it.each(['a;b', 'a b', 'a=b', 'a\r\nb', 'a,b', '', 'é'])('CK-10 rejects the name %j', (name) => {
    expect(() => serializeCookie({ name, value: 'v', options: {} })).toThrow(TypeError)
  })

  it.each([
    { path: '/; Domain=evil.test' },
    { path: '/\r\nSet-Cookie: x=y' },
    { path: '/a,b=c' },
    { domain: 'app.test; Path=/x' },
    { domain: 'app.test,b=c' },
    { maxAge: 1.5 },
    { expires: new Date(Number.NaN) },
  ])('CK-10 rejects the options %o', (options) => {
    expect(() => serializeCookie({ name: 'n', value: 'v', options })).toThrow(TypeError)
  })
})
