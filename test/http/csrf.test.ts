import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../src/crypto/random.ts'
import { matchesCsrf, mintCsrf, readCsrf } from '../../src/http/csrf.ts'
import { spread } from '../support/spread.ts'

const token = '0'.repeat(64)
const hash = 'fa5790049a353d9796744fa82b1af7f283ee25b2da46e646ece34e4ac7b187cb'

describe('the CSRF token', () => {
  it('TX-18 WIR-026 DEC-05a is 32 random bytes, in a cookie with its hash, in the format of the wire protocol', async () => {
    const minted = await mintCsrf(['secret'], (length) => new Uint8Array(length))
    expect(minted).toEqual({ token, cookie: `${token}|${hash}` })
    expect(await readCsrf(minted.cookie, ['secret'])).toBe(token)
    const [one, other] = await Promise.all([mintCsrf(['s'], randomBytes), mintCsrf(['s'], randomBytes)])
    expect(one.token).toMatch(/^[0-9a-f]{64}$/)
    expect(one.token).not.toBe(other.token)
  })

  it.each([
    ['no cookie', undefined],
    ['an empty cookie', ''],
    ['the token alone', token],
    ['an empty hash', `${token}|`],
    ['an altered hash', `${token}|${hash.slice(0, -1)}c`],
    ['a truncated hash', `${token}|${hash.slice(0, -1)}`],
    ['an altered token', `1${token.slice(1)}|${hash}`],
    ['an upper-case hash', `${token}|${hash.toUpperCase()}`],
    ['another separator', `${token}-${hash}`],
    ['an additional part', `${token}|${hash}|`],
    ['a leading digit', `0${token}|${hash}`],
    ['a trailing line feed', `${token}|${hash}\n`],
  ])('TX-18 is missing with %s', async (_, cookie) => {
    expect(await readCsrf(cookie, ['secret'])).toBeUndefined()
  })

  it('TX-18 is rejected if characters are moved between token and secret', async () => {
    // The hash covers token and secret without a separator between them.
    expect(await readCsrf(`${token}sec|${hash}`, ['ret'])).toBeUndefined()
    expect(await readCsrf(`${token.slice(1)}|${hash}`, ['0secret'])).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    '',
    '0',
    token.slice(1),
    `${token}0`,
    `1${token.slice(1)}`,
    [[token]],
    { token },
    0,
    true,
  ])('TX-18 differs from %o', (submitted) => {
    expect(matchesCsrf(token, submitted)).toBe(false)
  })

  it('TX-18 equals itself', () => {
    expect(matchesCsrf(token, token)).toBe(true)
  })

  it('TX-18 is invalid after any change of a single character in the cookie', async () => {
    const { cookie } = await mintCsrf(['secret'], randomBytes)
    const digits = fc.constantFrom(...'0123456789abcdefg|')
    const cases = spread('altered csrf cookies')
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: cookie.length - 1 }), digits, async (index, digit) => {
        const altered = cookie.slice(0, index) + digit + cookie.slice(index + 1)
        expect(await readCsrf(altered, ['secret'])).toBe(altered === cookie ? cookie.slice(0, 64) : undefined)
        cases.count(altered === cookie ? 'same' : index < 64 ? 'token altered' : 'hash altered')
      }),
      { numRuns: 300 },
    )
    cases.report()
    cases.atLeast('token altered', 80)
    cases.atLeast('hash altered', 80)
  })

  it('RO-03 DEC-05b DEC-25c is valid with a cookie of any listed secret, but not of a removed one', async () => {
    const { token: old, cookie } = await mintCsrf(['s1'], randomBytes)
    expect(await readCsrf(cookie, ['s2', 's1'])).toBe(old)
    expect(await readCsrf(cookie, ['s3', 's2', 's1'])).toBe(old)
    expect(await readCsrf(cookie, ['s3', 's2'])).toBeUndefined()
    const joined = 'cd6d8dfd6c357bd38ec272059b1d46c734688718212330885127955a994d7cd3'
    expect(await readCsrf(`${token}|${joined}`, ['s2', 's1'])).toBeUndefined()
    expect(await readCsrf(`${token}|${joined}`, ['s2,s1'])).toBe(token)
  })

  it('RO-03 is created with the first secret', async () => {
    const { token: fresh, cookie } = await mintCsrf(['s2', 's1'], randomBytes)
    expect(await readCsrf(cookie, ['s2'])).toBe(fresh)
    expect(await readCsrf(cookie, ['s1'])).toBeUndefined()
  })

  it.each([[[]], [['']]])('TX-18 is not created without a secret: %o', (secrets) => {
    expect(() => mintCsrf(secrets, randomBytes)).toThrow(TypeError)
    expect(() => readCsrf(`${token}|${hash}`, secrets)).toThrow(TypeError)
  })
})
