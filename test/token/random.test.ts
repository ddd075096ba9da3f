import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemPlatform } from '../../src/clock.ts'
import { encodeHex } from '../../src/crypto/hex.ts'
import { randomBytes, randomHex, randomText, randomVector } from '../../src/crypto/random.ts'
import { mintCsrf } from '../../src/http/csrf.ts'
import { mintChecks } from '../../src/oauth/checks.ts'
import { createKeyring } from '../../src/token/create-keyring.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Records what is drawn from here on: the bytes of each draw in hex. */
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
  it('DEC-48 a secret is one draw of its own length, made when the secret is', async () => {
    // A pool would be filled by now.
    randomBytes(1)
    const draws = watchDraws()
    const {
      state = '',
      codeVerifier = '',
      nonce = '',
    } = mintChecks(['state', 'pkce', 'nonce'], systemPlatform)
    const secrets = [
      ...Array.from({ length: 20 }, () => randomHex(systemPlatform.randomBytes)),
      hexOf(randomText(systemPlatform.randomBytes)),
      (await mintCsrf(['a secret'], systemPlatform.randomBytes)).token,
      ...[state, codeVerifier, nonce].map(hexOf),
    ]
    expect(draws.toSorted()).toEqual(secrets.toSorted())
  })

  it('DEC-48 two processes that are restored from one snapshot draw different secrets', () => {
    const system = [new Uint8Array(4096).fill(1), new Uint8Array(4096).fill(2)]
    randomVector()
    const drawn = system.map((bytes) => {
      // What a process has in its memory is the same; what its system draws is not.
      const spy = vi.spyOn(crypto, 'getRandomValues')
      spy.mockImplementation((array) => {
        if (array instanceof Uint8Array) array.set(bytes.subarray(0, array.length))
        return array
      })
      return randomHex(systemPlatform.randomBytes)
    })
    expect(new Set(drawn).size).toBe(2)
  })

  it('JW-08 vectors come from a pool, and none comes twice', () => {
    const draws = watchDraws()
    const vectors = Array.from({ length: 1000 }, () => encodeHex(randomVector()))
    expect(new Set(vectors).size).toBe(1000)
    expect(draws.length).toBeLessThan(10)
  })

  it('DEC-48 a keyring draws the id of a token by itself, and with randomness of a platform the vector too', async () => {
    const lengths: number[] = []
    const own = (length: number) => {
      lengths.push(length)
      return randomBytes(length)
    }
    const options = { salt: 'a salt', maxAge: 60, now: 0 }
    await createKeyring(['a secret that is long enough'], { randomBytes: own }).seal({}, options)
    expect(lengths).toEqual([32])
    const keys = createKeyring(['a secret that is long enough'], systemPlatform)
    randomVector()
    const draws = watchDraws()
    await keys.seal({}, options)
    // The pool is filled when the generator is replaced, here by the spy.
    expect(draws.map((hex) => hex.length / 2).toSorted((a, b) => a - b)).toEqual([16, 4096])
  })
})
