import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import { spread } from '../support/spread.ts'

describe('a Cookie header', () => {
  it('CK-11 names are never decoded, so that no escape makes a prefixed one', () => {
    const cookies = parseCookies('%5F%5FHost-authjs.csrf-token=evil; __Host%2Dauthjs.csrf-token=evil')
    expect(cookies.get('__Host-authjs.csrf-token')).toBeUndefined()
    expect(cookies.names).toEqual(['%5F%5FHost-authjs.csrf-token', '__Host%2Dauthjs.csrf-token'])
  })

  it('CK-11 of several cookies with one name the first counts, and the name is known as a duplicate', () => {
    const cookies = parseCookies('a=1; b=2; a=3; a=')
    expect(cookies.get('a')).toBe('1')
    expect(cookies.isDuplicate('a')).toBe(true)
    expect(cookies.isDuplicate('b')).toBe(false)
    expect(cookies.names).toEqual(['a', 'b'])
  })

  it('CK-11 an empty first value is not replaced by a second one', () => {
    expect(parseCookies('a=; a=evil').get('a')).toBe('')
  })

  it('CK-11 a cookie without a name is none, whatever its value looks like', () => {
    const cookies = parseCookies('=__Host-authjs.csrf-token=evil; ; lonely; good=1')
    expect(cookies.names).toEqual(['good'])
    expect(cookies.get('')).toBeUndefined()
  })

  it('CK-11 names that objects inherit are cookies like any other, and absent otherwise', () => {
    const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const none = parseCookies('x=1')
    for (const name of inherited) {
      expect(none.get(name)).toBeUndefined()
      expect(none.isDuplicate(name)).toBe(false)
      expect(parseCookies(`${name}=v`).get(name)).toBe('v')
    }
  })

  it('CK-11 values are decoded where that is possible', () => {
    const cookies = parseCookies('a=x%7Cy%3D; b=%E4%zz; c="q"; d=a=b')
    expect(['a', 'b', 'c', 'd'].map(cookies.get)).toEqual(['x|y=', '%E4%zz', '"q"', 'a=b'])
  })

  it('CK-11 no header makes it throw, and the well-formed parts of any are found', () => {
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
        expect(cookies.names.every((name) => name !== '' && cookies.get(name) !== undefined)).toBe(true)
        cases.count(cookies.names.length > 1 ? 'with others' : 'alone')
      }),
      { numRuns: 500 },
    )
    expect(parseCookies(null).names).toEqual([])
    expect(parseCookies(undefined).names).toEqual([])
    cases.report()
    cases.atLeast('with others', 100)
  })
})
