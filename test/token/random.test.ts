import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemPlatform } from '../../src/platform/clock.ts'
import { encodeHex } from '../../src/crypto/bytes.ts'
import { randomBytes, randomHex, randomText, randomVector } from '../../src/crypto/random.ts'
import { mintCsrf } from '../../src/http/csrf.ts'
import { mintCheckValues } from '../../src/oauth/choose-checks.ts'
import { createKeyring } from '../../src/token/keyring.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Records all random bytes from here on, in hex. */
function watchDraws(): string[] {
  const draws: string[] = []
  const draw = crypto.getRandomValues.bind(crypto)
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const filled = draw(array)
    if (filled instanceof Uint8Array) draws.push(encodeHex(filled))
    return filled
  })
  return draws
}

const hexOf = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex')

describe('randomness', () => {
  it('DEC-48 reads exactly the bytes of a secret in one call, when it is generated', async () => {
    // By now, a pool would have been filled.
    randomBytes(1)
    const draws = watchDraws()
    const {
      state = '',
      codeVerifier = '',
      nonce = '',
    } = mintCheckValues(['state', 'pkce', 'nonce'], systemPlatform)
    const secrets = [
      ...Array.from({ length: 20 }, () => randomHex(systemPlatform.randomBytes)),
      hexOf(randomText(systemPlatform.randomBytes)),
      (await mintCsrf(['a secret'], systemPlatform.randomBytes)).token,
      ...[state, codeVerifier, nonce].map(hexOf),
    ]
    expect(draws.toSorted()).toEqual(secrets.toSorted())
  })

  it('DEC-48 differs between two processes that are restored from one snapshot', () => {
    const system = [new Uint8Array(4096).fill(1), new Uint8Array(4096).fill(2)]
    randomVector()
    const drawn = system.map((bytes) => {
      // The memory of the processes is the same, but not the random bytes of their systems.
      const spy = vi.spyOn(crypto, 'getRandomValues')
      spy.mockImplementation((array) => {
        if (array instanceof Uint8Array) array.set(bytes.subarray(0, array.length))
        return array
      })
      return randomHex(systemPlatform.randomBytes)
    })
    expect(new Set(drawn).size).toBe(2)
  })

  it('JW-08 fills a pool for initialisation vectors, and uses none twice', () => {
    const draws = watchDraws()
    const vectors = Array.from({ length: 1000 }, () => encodeHex(randomVector()))
    expect(new Set(vectors).size).toBe(1000)
    expect(draws.length).toBeLessThan(10)
  })

  it('DEC-48 takes the vector and the id of a token from a custom generator, in one call', async () => {
    const lengths: number[] = []
    const own = (length: number) => {
      lengths.push(length)
      return Uint8Array.from({ length }, (_, index) => index)
    }
    const keys = createKeyring(['a secret that is long enough'], { randomBytes: own })
    const options = { salt: 'a salt', maxAge: 60, now: 0 }
    const token = await keys.seal({}, options)
    expect(lengths).toEqual([32])
    expect(hexOf(token.split('.')[2] ?? '')).toBe('000102030405060708090a0b0c0d0e0f')
    expect(await keys.open(token, options)).toHaveProperty(
      'claims.jti',
      '10111213-1415-4617-9819-1a1b1c1d1e1f',
    )
  })

  it('JW-08 gives every token a different vector and a different version 4 UUID', async () => {
    const keys = createKeyring(['a secret that is long enough'], systemPlatform)
    const options = { salt: 'a salt', maxAge: 60, now: 0 }
    const tokens = await Promise.all(Array.from({ length: 1000 }, async () => keys.seal({}, options)))
    expect(new Set(tokens.map((token) => token.split('.')[2])).size).toBe(1000)
    const ids = await Promise.all(
      tokens.map(async (token) => {
        const opened = await keys.open(token, options)
        return 'claims' in opened ? opened.claims['jti'] : opened.refused
      }),
    )
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })
})
