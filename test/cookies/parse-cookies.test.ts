import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseCookie } from 'cookie'
import { maxCookies, parseCookies } from '../../src/cookies/parse-cookies.ts'
import { spread } from '../support/spread.ts'

describe('a Cookie header', () => {
  it('CK-11 never decodes names, so that no escape forges a prefix', () => {
    const cookies = parseCookies('%5F%5FHost-authjs.csrf-token=evil; __Host%2Dauthjs.csrf-token=evil')
    expect(cookies.get('__Host-authjs.csrf-token')).toBeUndefined()
    expect(cookies.names()).toEqual(['%5F%5FHost-authjs.csrf-token', '__Host%2Dauthjs.csrf-token'])
  })

  it('CK-11 takes the first of several cookies with one name, and reports the name as a duplicate', () => {
    const cookies = parseCookies('a=1; b=2; a=3; a=')
    expect(cookies.get('a')).toBe('1')
    expect(cookies.isDuplicate('a')).toBe(true)
    expect(cookies.isDuplicate('b')).toBe(false)
    expect(cookies.names()).toEqual(['a', 'b'])
  })

  it('CK-11 does not replace an empty first value with a second one', () => {
    expect(parseCookies('a=; a=evil').get('a')).toBe('')
  })

  it('CK-11 ignores a cookie without a name, whatever its value looks like', () => {
    const cookies = parseCookies('=__Host-authjs.csrf-token=evil; ; lonely; good=1')
    expect(cookies.names()).toEqual(['good'])
    expect(cookies.get('')).toBeUndefined()
  })

  it('CK-11 treats names that objects inherit as ordinary cookies', () => {
    const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const none = parseCookies('x=1')
    for (const name of inherited) {
      expect(none.get(name)).toBeUndefined()
      expect(none.isDuplicate(name)).toBe(false)
      expect(parseCookies(`${name}=v`).get(name)).toBe('v')
    }
  })

  it('CK-11 decodes each value that is well-formed', () => {
    const cookies = parseCookies('a=x%7Cy%3D; b=%E4%zz; c="q"; d=a=b')
    expect(['a', 'b', 'c', 'd'].map(cookies.get)).toEqual(['x|y=', '%E4%zz', '"q"', 'a=b'])
  })

  it('CK-11 never throws, and finds the well-formed parts of any header', () => {
    const cases = spread('cookie headers')
    const junk = fc.array(fc.constantFrom('=', ' ', '%', '%5F', '__Host-', ',', '"', '\\', 'x', '\t', 'é'), {
      maxLength: 6,
    })
    const header = fc.array(
      junk.map((parts) => parts.join('')),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(header, header, (before, after) => {
        const cookies = parseCookies([...before, 'wanted=it', ...after].join(';'))
        expect(cookies.get('wanted')).toBe('it')
        expect(cookies.names().every((name) => name !== '' && cookies.get(name) !== undefined)).toBe(true)
        cases.count(cookies.names().length > 1 ? 'with other cookies' : 'alone')
      }),
      { numRuns: 500 },
    )
    expect(parseCookies(null).names()).toEqual([])
    expect(parseCookies(undefined).names()).toEqual([])
    cases.report()
    cases.atLeast('with other cookies', 100)
  })

  it('CK-11 LM-08 parses any header as the cookie package does', () => {
    const words = [
      'a',
      'b',
      '__proto__',
      '=',
      ';',
      ' ',
      '\t',
      '\r',
      '\u00a0',
      '%',
      '%4',
      '%41',
      '%c3%a9',
      '%ff',
      '"',
    ]
    const text = fc.array(fc.constantFrom(...words, '; ', 'a=', '; b='), { maxLength: 24 })
    fc.assert(
      fc.property(text, (parts) => {
        const header = parts.join('')
        const expected = new Map(Object.entries(parseCookie(header)))
        // A cookie without a name is never read.
        expected.delete('')
        const cookies = parseCookies(header)
        expect(new Map(cookies.names().map((name) => [name, cookies.get(name)]))).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('LM-08 decodes a value of any length', () => {
    const length = 10_000_000
    expect(parseCookies(`long=${'%41'.repeat(length)}`).get('long')).toHaveLength(length)
  })

  it('LM-08 decodes a value only when it is read, and never throws', () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent')
    try {
      const cookies = parseCookies(`${'bad=%;'.repeat(100)}worse=%ff; good=%41%e2%82%ac`)
      expect(decode).not.toHaveBeenCalled()
      const read = ['good', 'bad', 'worse', 'good', 'bad', 'worse'].map(cookies.get)
      expect(read).toEqual(['A€', '%', '%ff', 'A€', '%', '%ff'])
      const decoded = { type: 'fulfilled', value: 'A€' }
      expect(decode.mock.settledResults).toEqual([decoded, decoded])
    } finally {
      decode.mockRestore()
    }
  })

  it('LM-09 reads no cookies from a header with more parts than the limit, whether or not they are cookies', () => {
    const filled = (parts: number, part: string) => `sid=1;${`${part};`.repeat(parts - 2)}last=1`
    for (const part of ['a=1', 'a', '', '=', ' ']) {
      const full = parseCookies(filled(maxCookies, part))
      expect([full.tooMany, full.get('sid'), full.get('last')]).toEqual([false, '1', '1'])
      const over = parseCookies(filled(maxCookies + 1, part))
      expect([over.tooMany, over.get('sid'), over.names()]).toEqual([true, undefined, []])
    }
  })
})
