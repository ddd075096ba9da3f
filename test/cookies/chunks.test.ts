import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clearChunked, readChunked, writeChunked } from '../../src/cookies/chunks.ts'
import { createCookieTable } from '../../src/cookies/cookie-table.ts'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import { serializeCookie } from '../../src/cookies/cookie.ts'
import { AuthError } from '../../src/errors.ts'
import type { CookieOption } from '../../src/types/cookies.ts'
import { spread } from '../support/spread.ts'
import { openJar } from './jar.ts'

const session = createCookieTable(undefined, true).sessionToken
const { name } = session
const expires = new Date('2100-01-01T00:00:00Z')
const none = parseCookies('')
const chunk = 3936
const read = (header: string) => readChunked(parseCookies(header), name)
const letters = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length)
const namesOf = (changes: readonly { name: string }[]) => changes.map((change) => change.name)

/** Options that take room: names, paths and domains of all lengths, and values with multi-byte characters. */
const cookieOption: fc.Arbitrary<CookieOption> = fc.record({
  name: fc.integer({ min: 1, max: 200 }).map((length) => `n${letters(length)}`),
  options: fc.record({
    path: fc.integer({ min: 0, max: 900 }).map((length) => `/${letters(length)}`),
    domain: fc.constantFrom(undefined, 'app.test', `${letters(60)}.${letters(60)}.app.test`),
    secure: fc.boolean(),
    httpOnly: fc.boolean(),
    sameSite: fc.constantFrom(undefined, 'lax' as const, 'none' as const),
    maxAge: fc.constantFrom(undefined, 2_592_000),
  }),
})
const size = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: -1, max: 1 }))
    .map(([k, delta]) => k * chunk + delta),
  fc.integer({ min: 200, max: 25_000 }),
)
const value = fc
  .tuple(size, fc.constantFrom('x', 'x', 'x', '+/=', 'é', '😀', 'a😀'))
  .map(([length, unit]) => unit.repeat(Math.ceil(length / encodeURIComponent(unit).length)))

describe('a chunked session cookie', () => {
  it('CK-03 CK-04 DEC-27b fits any cookie into its headers, and reads it back unchanged', () => {
    const cases = spread('chunk round trips')
    fc.assert(
      fc.property(cookieOption, value, (cookie, written) => {
        const changes = writeChunked(none, cookie, written, expires)
        const headers = changes.map(serializeCookie)
        const empty = changes.map((change) => serializeCookie({ ...change, value: '' }).length)
        for (const [index, header] of headers.entries()) {
          expect(header.length).toBeLessThanOrEqual(4096)
          expect(header.length - (empty[index] ?? 0)).toBeLessThanOrEqual(chunk)
        }
        const header = headers.map((text) => text.split(';')[0]).join('; ')
        expect(readChunked(parseCookies(header), cookie.name)).toBe(written)
        cases.count(changes.length > 1 ? 'chunked' : 'whole')
        if (/[^\w]/.test(written)) cases.count('escaped')
      }),
      { numRuns: 400 },
    )
    cases.report()
    cases.atLeast('chunked', 100)
    cases.atLeast('whole', 50)
    cases.atLeast('escaped', 100)
  })

  it.each([
    [1, 1],
    [chunk - 1, 1],
    [chunk, 1],
    [chunk + 1, 2],
    [2 * chunk, 2],
    [2 * chunk + 1, 3],
    [9 * chunk + 1, 10],
    [10 * chunk, 10],
  ])('CK-04 DEC-27b WIR-025 splits %i characters into %i full cookies', (length, count) => {
    const changes = writeChunked(none, session, letters(length), expires)
    expect(namesOf(changes)).toEqual(
      count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}.${index}`),
    )
    expect(changes.every((change) => change.expires === expires)).toBe(true)
    expect(changes.slice(0, -1).every((change) => count === 1 || change.value.length === chunk)).toBe(true)
  })

  it('CK-04 WIR-025 joins chunks by number, not in the order of the header', () => {
    expect(read(`${name}.2=c; ${name}.0=a; ${name}.1=b`)).toBe('abc')
    const ten = Array.from({ length: 10 }, (_, index) => `${name}.${9 - index}=${9 - index}`)
    expect(read(ten.join('; '))).toBe('0123456789')
    expect(read([...ten, `${name}.10=x`].join('; '))).toBe('0123456789')
  })

  it.each([
    ['one character more than ten cookies can hold', session, 10 * chunk + 1],
    ['no room next to the attributes', { name, options: { path: `/${letters(4100)}` } }, 5000],
  ])('CK-03 DEC-27c throws a descriptive error for %s', (_, cookie, length) => {
    const write = () => writeChunked(none, cookie, letters(length), expires)
    expect(write).toThrow(AuthError)
    expect(write).toThrow(new RegExp(`value of ${length} bytes.*10 cookies of 4096`))
  })

  it('CK-05 CK-09 reads back each value of a series, and leaves no chunk of an earlier one', () => {
    const cases = spread('grow and shrink')
    const option: fc.Arbitrary<CookieOption> = fc.constantFrom(
      session,
      createCookieTable({ sessionToken: { options: { domain: 'app.test', path: '/some' } } }, true)
        .sessionToken,
      createCookieTable({ sessionToken: { options: { sameSite: 'none', partitioned: true } } }, true)
        .sessionToken,
    )
    const lengths = fc.array(fc.constantFrom(1, 100, chunk, chunk + 1, 9000, 20_000), {
      minLength: 2,
      maxLength: 6,
    })
    fc.assert(
      fc.property(option, lengths, (cookie, sizes) => {
        const jar = openJar()
        let previous = 0
        for (const [index, length] of sizes.entries()) {
          const written = `${index}${letters(length)}`
          jar.take(writeChunked(jar.carried(), cookie, written, expires))
          expect(readChunked(jar.carried(), cookie.name)).toBe(written)
          const pieces = jar.carried().names().length
          expect(pieces).toBe(Math.ceil(written.length / chunk))
          cases.count(pieces > previous ? 'grew' : pieces < previous ? 'shrank' : 'stayed')
          previous = pieces
        }
        jar.take(clearChunked(jar.carried(), cookie))
        expect(jar.carried().names()).toEqual([])
      }),
      { numRuns: 150 },
    )
    cases.report()
    cases.atLeast('grew', 50)
    cases.atLeast('shrank', 50)
  })

  it('CK-05 also clears further chunks, for example those of another library', () => {
    const carried = parseCookies(`${name}=old; ${name}.0=a; ${name}.1=b; ${name}.07=c; ${name}.12=d`)
    const changes = writeChunked(carried, session, 'new', expires)
    expect(namesOf(changes)).toEqual([`${name}.0`, `${name}.1`, `${name}.07`, `${name}.12`, name])
    expect(changes.filter((change) => change.options.maxAge === 0)).toHaveLength(4)
  })

  it('CK-05 clears the cookie if the value is empty, and sets none', () => {
    const changes = writeChunked(parseCookies(`${name}.0=a; ${name}.1=b`), session, '', expires)
    expect(changes.map((change) => change.options.maxAge)).toEqual([0, 0])
    expect(writeChunked(none, session, '', expires)).toEqual([])
  })

  it('CK-06 ignores cookies that only share the prefix', () => {
    const strangers = ['x', '-x', '.evil', '.99', '.01', '.0x', '.-1', '.1e0', '. 1', '.00', '0']
    const header = strangers.map((suffix) => `${name}${suffix}=evil`).join('; ')
    expect(read(header)).toBeUndefined()
    expect(read(`${header}; ${name}=good`)).toBe('good')
    expect(read(`${header}; ${name}.0=go; ${name}.1=od`)).toBe('good')
    const foreign = parseCookies(`${name}x=1; ${name}-x=1; ${name}.evil=1; ${name}.1234=1; ${name}.0x=1`)
    expect(namesOf(writeChunked(foreign, session, 'v', expires))).toEqual([name])
    expect(namesOf(clearChunked(foreign, session))).toEqual([name])
  })

  it('CK-07 returns nothing if a chunk occurs twice before the first gap', () => {
    expect(read(`${name}.0=a; ${name}.1=b; ${name}.1=c`)).toBeUndefined()
    expect(read(`${name}.0=a; ${name}.0=a; ${name}.1=b`)).toBeUndefined()
    expect(read(`${name}.0=a; ${name}.1=b; ${name}.7=c; ${name}.7=c`)).toBe('ab')
  })

  it('CK-07 stops at the first missing or empty chunk', () => {
    expect(read(`${name}.1=b; ${name}.2=c`)).toBeUndefined()
    expect(read(`${name}.0=a; ${name}.2=c`)).toBe('a')
    expect(read(`${name}.0=; ${name}.1=b`)).toBeUndefined()
    expect(read(`${name}=; ${name}.0=a; ${name}.1=b`)).toBe('ab')
    expect(read(`${name}=whole; ${name}.0=stale`)).toBe('whole')
  })

  it('CK-09 WIR-022 clears a cookie with the attributes it was set with, and expires it by Max-Age=0 alone', () => {
    const cookie: CookieOption = {
      name: 'sid',
      options: { domain: 'app.test', path: '/p', secure: true, sameSite: 'none', partitioned: true, expires },
    }
    const carried = parseCookies('sid=a; sid.0=b')
    expect(clearChunked(carried, cookie).map(serializeCookie)).toEqual(
      ['sid', 'sid.0'].map(
        (piece) => `${piece}=; Max-Age=0; Domain=app.test; Path=/p; Secure; Partitioned; SameSite=None`,
      ),
    )
  })
})
