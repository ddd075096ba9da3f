import fc from 'fast-check'
import { CompactEncrypt, CompactSign, EncryptJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { MissingSecret } from '../../src/errors.ts'
import { longestToken } from '../../src/token/compact.ts'
import type { Opened } from '../../src/token/decrypt-token.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import { keysOf } from '../../src/token/derive-keys.ts'
import { spread } from '../support/spread.ts'
import { derive, forge, jsonObjects, keyring, nodeEngine, now, randomBytes, salt, watch } from './support.ts'

const ring = keyring(['secret'])
const options = { salt, maxAge: 1000, now }
const seconds = now / 1000

describe('sealing', () => {
  it('JW-01 WIR-029 preserves the claims, and sets iat, exp and jti', async () => {
    const cases = spread('claims survive')
    await fc.assert(
      fc.asyncProperty(jsonObjects, async (claims) => {
        const opened = claimsOf(await ring.open(await ring.seal(claims, options), options))
        const { iat: _iat, exp: _exp, jti: _jti, ...others } = claims
        const { iat, exp, jti, ...rest } = opened
        if (Object.hasOwn(claims, '__proto__')) cases.count('__proto__')
        if ('iat' in claims || 'exp' in claims || 'jti' in claims) cases.count('own iat, exp or jti')
        cases.count(/[^\0-\x7f]/.test(JSON.stringify(claims)) ? 'unicode' : 'ascii')
        expect(JSON.stringify(rest)).toBe(JSON.stringify(others))
        expect(Object.getPrototypeOf(opened)).toBe(Object.prototype)
        expect([iat, exp]).toEqual([seconds, seconds + 1000])
        expect(jti).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }),
      { numRuns: 300 },
    )
    for (const label of ['__proto__', 'own iat, exp or jti', 'unicode']) cases.atLeast(label, 15)
    cases.report()
  })

  it('JW-01 drops undefined members and converts dates to ISO strings', async () => {
    const claims = { gone: undefined, at: new Date(0), deep: { gone: undefined, at: [new Date(now)] } }
    const {
      iat: _iat,
      exp: _exp,
      jti: _jti,
      ...rest
    } = claimsOf(await ring.open(await ring.seal(claims, options), options))
    expect(rest).toStrictEqual({
      at: '1970-01-01T00:00:00.000Z',
      deep: { at: [new Date(now).toISOString()] },
    })
  })

  it('JW-08 gives each token its own jti and initialisation vector, and does not change the claims', async () => {
    const claims = Object.freeze({ jti: 'mine', iat: 2 ** 40, exp: 2 ** 41 })
    const tokens = await Promise.all(Array.from({ length: 200 }, async () => ring.seal(claims, options)))
    const opened = await Promise.all(tokens.map(async (token) => ring.open(token, options)))
    expect(new Set(opened.map((one) => claimsOf(one)['jti'])).size).toBe(200)
    expect(new Set(tokens.map((token) => token.split('.')[2])).size).toBe(200)
    expect(opened.every((one) => Number(claimsOf(one)['iat']) <= seconds)).toBe(true)
  })

  it('JW-09 DEC-27d creates no token that is too long to be opened', () => {
    expect(() => ring.seal({ long: 'x'.repeat(longestToken) }, options)).toThrow(RangeError)
  })

  it.each([Number.NaN, Infinity, -Infinity])('JW-10 rejects a maxAge of %s', (maxAge) => {
    expect(() => ring.seal({}, { ...options, maxAge })).toThrow(RangeError)
  })
})

describe('opening', () => {
  it('JW-02 DEC-25d rejects a token with any changed character', async () => {
    const cases = spread('changed tokens')
    const token = await ring.seal({ sub: 'user-1', role: 'user' }, options)
    const names = ['header', 'key', 'vector', 'ciphertext', 'tag']
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...characters), async (at, character) => {
        fc.pre(token[at] !== character)
        const opened = await ring.open(token.slice(0, at) + character + token.slice(at + 1), options)
        cases.count(names[token.slice(0, at).split('.').length - 1] ?? '')
        expect(opened).toHaveProperty('refused')
      }),
      { numRuns: 1000 },
    )
    for (const part of ['header', 'vector', 'ciphertext', 'tag']) cases.atLeast(part, 10)
    cases.report()
  })

  it('JW-02 DEC-25d rejects a last character with left-over bits, padding and white space', async () => {
    const cases = spread('other spellings')
    const token = await ring.seal({}, options)
    const parts = token.split('.')
    for (const [index, part] of parts.entries()) {
      const others = [`${part}=`, `${part}==`, `${part} `, `\n${part}`, `${part}A`, ...sameBytes(part)]
      for (const other of others) {
        const spelled = parts.with(index, other).join('.')
        cases.count(`part ${index}`)
        expect(ring.open(spelled, options)).toHaveProperty('refused')
      }
    }
    expect(sameBytes(parts[2] ?? '').length).toBeGreaterThanOrEqual(15)
    cases.report()
  })

  it('JW-02 rejects any truncated token, and any mix of parts of two tokens', async () => {
    const cases = spread('cut and spliced tokens')
    const [a, b] = [await ring.seal({ sub: 'a' }, options), await ring.seal({ sub: 'b' }, options)]
    for (let length = 0; length < a.length; length++) {
      expect(ring.open(a.slice(0, length), options)).toHaveProperty('refused')
      expect(ring.open(a.slice(a.length - length), options)).toHaveProperty('refused')
      cases.count('truncated')
    }
    const [left, right] = [a.split('.'), b.split('.')]
    for (let mask = 1; mask < 7; mask++) {
      const mixed = left.map((part, index) => (((mask << 2) >> index) & 1 ? right[index] : part)).join('.')
      expect(ring.open(mixed, options)).toHaveProperty('refused')
      cases.count('spliced')
    }
    for (const extra of [`${a}.`, `.${a}`, `${a}.${a}`, a.replace('..', '.AAAA.'), a.replace('..', '.')]) {
      expect(ring.open(extra, options)).toEqual({ refused: 'malformed' })
    }
    cases.report()
  })

  it.each([
    ['a signed token', signed],
    ['an unsecured token', () => Promise.resolve(new UnsecuredJWT({ exp: seconds + 9 }).encode())],
    ['key wrapping with our key', () => wrapped({ alg: 'A256GCMKW', enc: 'A256CBC-HS512' })],
    ['a password', () => wrapped({ alg: 'PBES2-HS256+A128KW', enc: 'A256CBC-HS512' })],
    ['alg none', () => forge(live, { header: { alg: 'none' } })],
    ['alg RSA1_5', () => forge(live, { header: { alg: 'RSA1_5' } })],
    ['no alg', () => forge(live, { header: { alg: undefined } })],
    ['alg in an array', () => forge(live, { header: { alg: ['dir'] } })],
    ['no enc', () => forge(live, { header: { enc: undefined } })],
    ['enc A128CBC-HS256', () => forge(live, { header: { enc: 'A128CBC-HS256' } })],
    ['enc toString', () => forge(live, { header: { enc: 'toString' } })],
    ['enc in an array', () => forge(live, { header: { enc: ['A256CBC-HS512'] } })],
    ['zip', () => forge(live, { header: { zip: 'DEF' } })],
    ['zip null', () => forge(live, { header: { zip: null } })],
    ['crit', () => forge(live, { header: { crit: ['exp'] } })],
    ['crit empty', () => forge(live, { header: { crit: [] } })],
    ['b64', () => forge(live, { header: { b64: true } })],
    ['a kid that is not a string', () => forge(live, { header: { kid: 7 } })],
    ['a kid null', () => forge(live, { header: { kid: null } })],
  ])('JW-03 WIR-030 rejects %s without using keys', async (_, make) => {
    const token = await make()
    const { engine, calls } = watch(nodeEngine)
    expect(createKeyring(['secret'], { randomBytes }, engine).open(token, options)).toEqual({
      refused: 'malformed',
    })
    expect(calls()).toBe(0)
  })

  it.each(['', 'a', '....', 'e30....', 'bnVsbA....', 'W10....', '"..."', '\u0000', 'é....', 'e30..AA.AA.AA'])(
    'JW-03 JW-07 rejects %j without using keys',
    (token) => {
      const { engine, calls } = watch(nodeEngine)
      expect(createKeyring(['secret'], { randomBytes }, engine).open(token, options)).toEqual({
        refused: 'malformed',
      })
      expect(calls()).toBe(0)
    },
  )

  it('JW-03 accepts headers with unknown members that have no effect', async () => {
    const token = await forge(live, { header: { typ: 'JWT', cty: 'JWT', jku: 'https://evil.example' } })
    expect(ring.open(token, options)).toHaveProperty('claims')
  })

  it('JW-09 DEC-27d rejects a token over 64 KiB without using keys, and opens the longest below', async () => {
    const { engine, calls } = watch(nodeEngine)
    const counting = createKeyring(['secret'], { randomBytes }, engine)
    const sized = (size: number) => forge(JSON.stringify({ exp: seconds + 9, long: 'x'.repeat(size) }))
    let size = 48_600
    while ((await sized(size + 16)).length <= 64 * 1024) size += 16
    const [long, tooLong] = [await sized(size), await sized(size + 16)]
    expect(counting.open(tooLong, options)).toEqual({ refused: 'malformed' })
    expect(counting.open('.'.repeat(5_000_000), options)).toEqual({ refused: 'malformed' })
    expect(calls()).toBe(0)
    expect(counting.open(long, options)).toHaveProperty('claims')
  })

  it('JW-11 returns no claims for a token whose tag matches no secret, with kid or without', async () => {
    const { kid } = await derive('secret')
    const other = { secret: 'other', header: { kid } }
    expect(ring.open(await forge(live, other), options)).toEqual({ refused: 'forged' })
    expect(ring.open(await forge(live, { ...other, header: { kid: undefined } }), options)).toEqual({
      refused: 'forged',
    })
    expect(ring.open(await forge(live, { secret: 'other' }), options)).toEqual({ refused: 'unknown-key' })
  })

  it.each(['[]', '"text"', 'null', '7', '', '{', '{"exp":1e12', '\ufeff{"exp":1e12}'])(
    'JW-11 rejects a plaintext that is not a JSON object: %j',
    async (plaintext) => {
      expect(ring.open(await forge(plaintext), options)).toEqual({ refused: 'malformed' })
    },
  )
})

describe('expiry', () => {
  it.each([
    '{}',
    '{"exp":null}',
    '{"exp":"4102444800"}',
    '{"exp":1e999}',
    '{"exp":true}',
    '{"exp":[4102444800]}',
    '{"__proto__":{"exp":4102444800}}',
    '{"exp":4102444800,"nbf":"0"}',
    '{"exp":4102444800,"nbf":null}',
    '{"exp":4102444800,"iat":"0"}',
  ])('JW-04 rejects %s', async (plaintext) => {
    expect(ring.open(await forge(plaintext), options)).toEqual({ refused: 'malformed' })
  })

  it('JW-04 SE-05 JW-10 DEC-24d opens a token exactly until exp and the tolerance are over, on every clock', async () => {
    const cases = spread('expiry')
    await fc.assert(
      fc.asyncProperty(clocks, maxAges, tolerances, offsets, async (clock, maxAge, tolerance, offset) => {
        const token = await ring.seal({}, { salt, maxAge, now: clock })
        const end = (Math.floor(clock / 1000) + maxAge + (tolerance ?? 0)) * 1000
        const opened = await ring.open(token, {
          salt,
          now: end + offset,
          ...(tolerance ? { tolerance } : {}),
        })
        cases.count(offset < 0 ? 'before' : 'at or after')
        if (end / 1000 >= 2 ** 31) cases.count('beyond 2038')
        if (end / 1000 >= 2 ** 32) cases.count('beyond 2106')
        expect('refused' in opened ? opened.refused : 'open').toBe(offset < 0 ? 'open' : 'expired')
      }),
      { numRuns: 300 },
    )
    for (const label of ['before', 'at or after', 'beyond 2038', 'beyond 2106']) cases.atLeast(label, 20)
    cases.report()
  })

  it('JW-04 rejects a token that is not valid yet, to the millisecond', async () => {
    const cases = spread('not yet')
    await fc.assert(
      fc.asyncProperty(clocks, tolerances, offsets, async (clock, tolerance, offset) => {
        const start = Math.floor(clock / 1000)
        const token = await forge(JSON.stringify({ exp: 1e12, nbf: start }))
        const at = (start - (tolerance ?? 0)) * 1000 - offset
        const opened = await ring.open(token, { salt, now: at, ...(tolerance ? { tolerance } : {}) })
        cases.count(offset > 0 ? 'before' : 'at or after')
        expect('refused' in opened ? opened.refused : 'open').toBe(offset > 0 ? 'not-yet-valid' : 'open')
      }),
      { numRuns: 200 },
    )
    for (const label of ['before', 'at or after']) cases.atLeast(label, 5)
    cases.report()
  })

  it('JW-10 creates a valid token for any finite maxAge', async () => {
    for (const maxAge of [1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300]) {
      expect(
        await ring.open(await ring.seal({}, { ...options, maxAge }), options),
        `${maxAge}`,
      ).toHaveProperty('claims')
    }
  })
})

describe('secrets', () => {
  it('RO-01 DEC-25a open every token under a listed one, seal with the first, and reject tokens of a removed one', async () => {
    const cases = spread('rotation')
    await fc.assert(
      fc.asyncProperty(secretLists, fc.nat(4), fc.boolean(), async (secrets, index, withKid) => {
        const secret = secrets[index % secrets.length] ?? ''
        const token = await forge(live, { secret, ...(withKid ? {} : { header: { kid: undefined } }) })
        const rest = secrets.filter((other) => other !== secret)
        cases.count(withKid ? 'kid' : 'no kid')
        cases.count(`${secrets.length} secrets`)
        expect(await keyring(secrets).open(token, options)).toHaveProperty('claims')
        expect(await keyring(['new', ...secrets]).open(token, options)).toHaveProperty('claims')
        expect(await keyring(['new', ...rest]).open(token, options)).toHaveProperty('refused')
        const sealed = await keyring(secrets).seal({}, options)
        expect(await keyring(secrets.slice(0, 1)).open(sealed, options)).toHaveProperty('claims')
      }),
    )
    for (const label of ['kid', 'no kid', '1 secrets', '5 secrets']) cases.atLeast(label, 2)
    cases.report()
  })

  it('RO-02 DEC-25b open tokens whatever their order, their number and the kid', async () => {
    const cases = spread('order of secrets')
    await fc.assert(
      fc.asyncProperty(
        secretLists.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        fc.boolean(),
        fc.boolean(),
        async ([secrets, shuffled], listed, withKid) => {
          const secret = listed ? (secrets[0] ?? '') : 'unlisted'
          const token = await forge(live, { secret, ...(withKid ? {} : { header: { kid: undefined } }) })
          const [a, b] = [
            await keyring(secrets).open(token, options),
            await keyring(shuffled).open(token, options),
          ]
          cases.count(`${listed ? 'listed' : 'unlisted'}, ${withKid ? 'kid' : 'no kid'}`)
          expect(a).toEqual(b)
          expect('claims' in a).toBe(listed)
        },
      ),
    )
    for (const label of ['listed, kid', 'listed, no kid', 'unlisted, kid']) cases.atLeast(label, 5)
    cases.report()
  })

  it.each([
    [[]],
    [['']],
    [['  ']],
    [['\t\n']],
    [['good', '']],
    [[' ', 'good']],
    [[undefined]],
    [[null, 'good']],
  ])('RO-05 JW-11 DEC-26a are rejected: %j', (secrets) => {
    expect(() => keyring(secrets as string[])).toThrow(MissingSecret)
  })
})

describe('purposes', () => {
  const purposes = [
    'authjs.session-token',
    '__Secure-authjs.session-token',
    'authjs.state',
    'authjs.pkce.code_verifier',
    'authjs.nonce',
    'authjs.challenge',
    'encodedState',
    'encodedWebauthnChallenge',
    '',
  ]

  it('JW-05 SU-09 a token opens only under its own salt', async () => {
    for (const made of purposes) {
      const token = await ring.seal({}, { ...options, salt: made })
      const bare = await forge(live, { purpose: made, header: { kid: undefined } })
      for (const used of purposes) {
        for (const one of [token, bare]) {
          expect('claims' in (await ring.open(one, { salt: used, now })), `${made} as ${used}`).toBe(
            made === used,
          )
        }
      }
    }
  })

  it('RO-04 keys of different secrets, salts and encryptions are pairwise different', async () => {
    const cases = spread('key separation')
    const text = fc.oneof(fc.constantFrom('a', 'ab', 'b', '1:a', 'a)', '1'), fc.string({ maxLength: 4 }))
    const purpose = fc.tuple(text, text, fc.constantFrom('A256CBC-HS512' as const, 'A256GCM' as const))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(purpose, { selector: String, minLength: 2, maxLength: 8 }),
        async (list) => {
          const distinct = new Set(list.map((triple) => JSON.stringify(triple)))
          const kids = await Promise.all(
            list.map(
              async ([secret, salt, encryption]) =>
                (await keysOf(nodeEngine, secret).getOpener(salt, encryption)).kid,
            ),
          )
          cases.count(`${list.length} keys`)
          expect(new Set(kids).size).toBe(distinct.size)
        },
      ),
      { numRuns: 200 },
    )
    cases.report()
  })

  it('DEC-33e derives each key once, whatever the number of keyrings', async () => {
    const { engine, calls } = watch(nodeEngine)
    const useKeyrings = async () => {
      for (const secrets of [
        ['a', 'b'],
        ['b', 'a'],
      ]) {
        const keyring = createKeyring(secrets, { randomBytes }, engine)
        await keyring.open(await keyring.seal({}, options), options)
      }
      return calls()
    }
    const before = await useKeyrings()
    expect(before).toBeGreaterThan(0)
    expect(await useKeyrings()).toBe(before)
  })
})

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ %é'
const live = JSON.stringify({ sub: 'user-1', exp: seconds + 9 })

/** Milliseconds from 1970 to 2106. */
const clocks = fc.oneof(
  fc.integer({ min: 0, max: (2 ** 32 - 1) * 1000 }),
  fc.constantFrom(0, 2 ** 31 * 1000 - 1, 2 ** 31 * 1000, (2 ** 32 - 1) * 1000),
)
const maxAges = fc.oneof(
  fc.integer({ min: 1, max: 100 * 366 * 24 * 3600 }),
  fc.constantFrom(1, 2 ** 31 - 1, 2 ** 31, 2 ** 32),
)
const tolerances = fc.constantFrom(undefined, 0, 1, 15)
/** Milliseconds around a boundary. */
const offsets = fc.constantFrom(-1000, -1, 0, 1, 1000)
const secretLists = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 12 }).map((text) => `s${text}`),
  {
    minLength: 1,
    maxLength: 5,
  },
)

function claimsOf(opened: Opened): Record<string, unknown> {
  if ('refused' in opened) throw new Error(`refused: ${opened.refused}`)
  return opened.claims
}

/** Other spellings of a part that a lenient decoder decodes to the same bytes. */
function sameBytes(part: string): string[] {
  const bytes = Buffer.from(part, 'base64url')
  return [...characters]
    .map((character) => part.slice(0, -1) + character)
    .filter((other) => other !== part && part !== '' && Buffer.from(other, 'base64url').equals(bytes))
}

async function signed(): Promise<string> {
  const { key } = await derive('secret')
  return new CompactSign(new TextEncoder().encode(live)).setProtectedHeader({ alg: 'HS512' }).sign(key)
}

async function wrapped(header: { alg: string; enc: string }): Promise<string> {
  const { key, kid } = await derive('secret')
  const wrapping = header.alg === 'A256GCMKW' ? key.subarray(0, 32) : key
  return header.alg === 'A256GCMKW'
    ? new EncryptJWT({ exp: seconds + 9 }).setProtectedHeader({ ...header, kid }).encrypt(wrapping)
    : new CompactEncrypt(new TextEncoder().encode(live))
        .setProtectedHeader({ ...header, kid })
        .encrypt(wrapping)
}
