import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as byteFunctions from '../../src/crypto/bytes.ts'
import { decodeBase64url, isBase64url } from '../../src/crypto/bytes.ts'
import { createBoundedCache } from '../../src/token/bounded-cache.ts'
import type * as hashes from '../../src/crypto/hash.ts'
import { equalsInConstantTime, sha256Base64url, sha256Hex } from '../../src/crypto/hash.ts'
import { formatUuid, randomBytes, randomHex, randomText } from '../../src/crypto/random.ts'
import { spread } from '../support/spread.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Loads the functions for a runtime with these built-in modules. They look for Node's Buffer once. */
async function loadBytes(builtIns: object): Promise<typeof byteFunctions> {
  vi.resetModules()
  const loaded = await import('../../src/crypto/bytes.ts')
  vi.stubGlobal('process', builtIns)
  loaded.encodeHex(Uint8Array.of(1))
  vi.unstubAllGlobals()
  return loaded
}

const runtimes = [
  ["Node's Buffer", process],
  ['no Buffer', {}],
  ['a Buffer that throws', { getBuiltinModule: () => ({ Buffer: { from: refuse } }) }],
] as const

function refuse(): never {
  throw new Error('not supported')
}

describe.each(runtimes)('a runtime with %s', (_, builtIns) => {
  it('DEC-25d ECO-005 encodes bytes as Node does', async () => {
    const { encodeBase64url, encodeHex } = await loadBytes(builtIns)
    const cases = spread('base64url')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const text = encodeBase64url(bytes)
        // A part of a larger buffer, as most arrays in Node are.
        const part = Uint8Array.of(7, ...bytes, 7).subarray(1, bytes.length + 1)
        expect([encodeHex(part), encodeBase64url(part)]).toEqual([Buffer.from(bytes).toString('hex'), text])
        cases.count(`${bytes.length % 3} over`)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(decodeBase64url(text)).toEqual(bytes)
      }),
    )
    for (const label of ['0 over', '1 over', '2 over']) cases.atLeast(label, 10)
    cases.report()
  })
})

describe('base64url', () => {
  it('DEC-25d decodes a text if and only if it is the canonical spelling of its bytes', () => {
    const cases = spread('canonical base64url')
    const unit = fc.constantFrom(...'ABQgwEIMU048_-', '=', '+', '/', ' ', 'é')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        const canonical = Buffer.from(text, 'base64url').toString('base64url') === text
        cases.count(canonical ? 'canonical' : 'other')
        expect(isBase64url(text)).toBe(canonical)
        expect(decodeBase64url(text) !== undefined).toBe(canonical)
      }),
      { numRuns: 1000 },
    )
    cases.atLeast('canonical', 100)
    cases.atLeast('other', 100)
    cases.report()
  })
})

describe('bounded cache', () => {
  it('DEC-33e keeps the most recently used entries, as a list would', () => {
    const cases = spread('bounded cache')
    const steps = fc.array(
      fc.tuple(fc.constantFrom('get', 'get', 'set', 'set', 'set', 'delete'), fc.nat(4)),
      {
        minLength: 20,
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (capacity, list) => {
        const cache = createBoundedCache<number, number>(capacity)
        let model: [number, number][] = []
        for (const [index, [step, key]] of list.entries()) {
          const known = model.find(([other]) => other === key)
          if (step === 'get') {
            cases.count(known ? 'hit' : 'miss')
            expect(cache.get(key)).toBe(known?.[1])
          }
          if (step === 'set') cache.set(key, index)
          if (step === 'delete') cache.delete(key)
          const kept: [number, number][] =
            step === 'set' ? [[key, index]] : step === 'get' && known ? [known] : []
          const touched = kept.length > 0 || step === 'delete'
          model = [...model.filter(([other]) => !touched || other !== key), ...kept].slice(-capacity)
        }
      }),
    )
    cases.atLeast('hit', 50)
    cases.atLeast('miss', 50)
    cases.report()
  })
})

describe('hashes and comparisons', () => {
  it('DEC-05a sha256Hex computes the hash of the CSRF vector', async () => {
    const hash = 'fa5790049a353d9796744fa82b1af7f283ee25b2da46e646ece34e4ac7b187cb'
    expect(sha256Hex(`${'0'.repeat(64)}secret`)).toBe(hash)
    expect(await sha256HexWithoutNode(`${'0'.repeat(64)}secret`)).toBe(hash)
  })

  it('TX-08 sha256Base64url computes the challenge of RFC 7636 appendix B', async () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    expect(sha256Base64url('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(challenge)
    const without = await withoutNode()
    expect(await without.sha256Base64url('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(challenge)
  })

  it('sha256Hex hashes any text in UTF-8, synchronously with node:crypto', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const hash = sha256Hex(text)
        expect(hash).toMatch(/^[0-9a-f]{64}$/)
        expect(await sha256HexWithoutNode(text)).toBe(hash)
      }),
      { numRuns: 20 },
    )
  })

  it('equalsInConstantTime compares like ===', () => {
    const cases = spread('comparisons')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), maxLength: 3 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        cases.count(a === b ? 'equal' : a.length === b.length ? 'of one length' : 'of other lengths')
        expect(equalsInConstantTime(a, b)).toBe(a === b)
      }),
      { numRuns: 500 },
    )
    for (const label of ['equal', 'of one length', 'of other lengths']) cases.atLeast(label, 20)
    cases.report()
  })
})

describe('random values', () => {
  it('have the documented length and alphabet', () => {
    expect(randomBytes(17)).toHaveLength(17)
    expect(randomBytes(16)).not.toEqual(randomBytes(16))
    expect(randomHex(randomBytes)).toMatch(/^[0-9a-f]{64}$/)
    expect(randomText(randomBytes)).toMatch(/^[\w-]{43}$/)
    expect(randomHex((length) => new Uint8Array(length).fill(10))).toBe('0a'.repeat(32))
  })

  it('JW-08 a UUID is random except for the six bits of version and variant', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const uuid = formatUuid(bytes)
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        const held = Buffer.from(uuid.replaceAll('-', ''), 'hex')
        expect([...held].map((byte, index) => byte & (masks[index] ?? 0xff))).toEqual(
          [...bytes].map((byte, index) => byte & (masks[index] ?? 0xff)),
        )
      }),
    )
  })
})

const masks: Record<number, number> = { 6: 0x0f, 8: 0x3f }

async function withoutNode(): Promise<typeof hashes> {
  vi.resetModules()
  vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
  const without = await import('../../src/crypto/hash.ts')
  await without.sha256Hex('')
  vi.unstubAllGlobals()
  return without
}

async function sha256HexWithoutNode(text: string): Promise<string> {
  const hash = (await withoutNode()).sha256Hex(text)
  expect(hash).toBeInstanceOf(Promise)
  return hash
}
