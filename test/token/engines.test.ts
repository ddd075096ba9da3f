import fc from 'fast-check'
import { CompactEncrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { findNodeCrypto, type NodeCrypto } from '../../src/crypto/node-crypto.ts'
import { chooseEngine, runtimeEngine } from '../../src/token/choose-engine.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import type { Engine } from '../../src/token/engine.ts'
import { spread } from '../support/spread.ts'
import {
  derive,
  forge,
  joseEngine,
  jsonObjects,
  keyring,
  nodeEngine,
  now,
  randomBytes,
  salt,
} from './support.ts'

const secrets = ['first secret', 'second secret']
const options = { salt, maxAge: 1000, now }

describe('both engines', () => {
  it('WIR-028 create the same token from the same claims and randomness', async () => {
    const cases = spread('same token')
    const repeat = (bytes: Uint8Array) => () => bytes
    await fc.assert(
      fc.asyncProperty(
        jsonObjects,
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        async (claims, bytes) => {
          const seal = (engine: Engine) =>
            createKeyring(secrets, { randomBytes: repeat(bytes) }, engine).seal(claims, options)
          const [a, b] = [await seal(nodeEngine), await seal(joseEngine)]
          cases.count(a.length < 600 ? 'short' : 'long')
          expect(a).toBe(b)
        },
      ),
    )
    cases.atLeast('long', 5)
    cases.report()
  })

  it("JW-01 WIR-030 open each other's tokens", async () => {
    const cases = spread('opened by the other')
    const [first, second] = [keyring(secrets), keyring(secrets.toReversed(), joseEngine)]
    await fc.assert(
      fc.asyncProperty(jsonObjects, fc.boolean(), async (claims, fromNode) => {
        const [sealing, opening] = fromNode ? [first, second] : [second, first]
        const opened = await opening.open(await sealing.seal(claims, options), options)
        cases.count(fromNode ? 'node to jose' : 'jose to node')
        expect(opened).toHaveProperty('claims.exp', now / 1000 + 1000)
      }),
    )
    cases.atLeast('node to jose', 20)
    cases.atLeast('jose to node', 20)
    cases.report()
  })

  it('JW-02 JW-03 WIR-030 return the same result for any modified token', async () => {
    const cases = spread('same result')
    const tokens = await Promise.all([
      keyring(secrets).seal({ sub: 'a' }, options),
      keyring(['second secret']).seal({}, options),
      keyring(['unlisted']).seal({}, options),
      keyring(secrets).seal({}, { ...options, now: now - 2000_000 }),
      keyring(secrets).seal({ nbf: now / 1000 + 2000 }, options),
      forge('[]', { secret: 'second secret' }),
      forge('{"exp":"never"}', { secret: 'second secret', header: { kid: undefined } }),
      gcm({ exp: now }, { kid: undefined }),
      gcm({ exp: now }, { kid: 'other' }),
    ])
    const changes = fc.record({
      token: fc.constantFrom(...tokens),
      change: fc.constantFrom('none', 'none', 'one character', 'the end'),
      at: fc.nat(),
      character: fc.constantFrom(...'ABghw_-=.+ é'),
      cut: fc.constantFrom(1, 16, 43),
    })
    await fc.assert(
      fc.asyncProperty(changes, async ({ token, change, at, character, cut }) => {
        const place = at % token.length
        const text = {
          none: token,
          'one character': token.slice(0, place) + character + token.slice(place + 1),
          'the end': token.slice(0, -cut),
        }[change]
        const [a, b] = await Promise.all([
          keyring(secrets).open(text ?? '', options),
          keyring(secrets, joseEngine).open(text ?? '', options),
        ])
        cases.count('refused' in a ? a.refused : 'opened')
        expect(a).toEqual(b)
      }),
      { numRuns: 500 },
    )
    for (const answer of ['opened', 'malformed', 'unknown-key', 'forged', 'expired', 'not-yet-valid']) {
      cases.atLeast(answer, 5)
    }
    cases.report()
  })
})

describe('the node engine', () => {
  it('CC-12 leaves no claims in the memory that all buffers share', async () => {
    const note = `a note ${crypto.randomUUID()}`
    const token = await createKeyring(secrets, { randomBytes }, nodeEngine).seal({ note }, options)
    const opened = await createKeyring(secrets, { randomBytes }, nodeEngine).open(token, { salt, now })
    expect(opened).toMatchObject({ claims: { note } })
    expect(Buffer.from(Buffer.from('x').buffer).includes(note)).toBe(false)
  })

  it('is synchronous', () => {
    const token = keyring(secrets).seal({}, options)
    expect(token).not.toBeInstanceOf(Promise)
    expect(token instanceof Promise || keyring(secrets).open(token, options)).toHaveProperty('claims')
  })

  it('reports the cost of a token', () => {
    const ring = keyring(secrets)
    const claims = { name: 'Alice', email: 'alice@example.com', sub: 'user-1' }
    const token = ring.seal(claims, options)
    if (token instanceof Promise) throw new Error('the node engine is synchronous')
    const measure = (name: string, work: () => unknown) => {
      const [rounds, start] = [1000, process.cpuUsage()]
      for (let round = 0; round < rounds; round++) work()
      const { user, system } = process.cpuUsage(start)
      process.stdout.write(
        `  ${name}: ${((user + system) / rounds).toFixed(1)} microseconds of processor time\n`,
      )
    }
    for (const heat of ['cold', 'warm']) {
      measure(`seal, ${heat}`, () => ring.seal(claims, options))
      measure(`open, ${heat}`, () => ring.open(token, options))
    }
  })
})

describe('the engine of a runtime', () => {
  const node = findNodeCrypto()

  it('is node:crypto if it works', () => {
    expect(chooseEngine(node)).not.toBe(joseEngine)
    expect(runtimeEngine()).not.toBe(joseEngine)
    expect(runtimeEngine()).toBe(runtimeEngine())
  })

  it('is jose if there is no node:crypto, or one that throws', () => {
    const broken = {
      ...node,
      createCipheriv: () => expect.unreachable('not implemented'),
    } as unknown as NodeCrypto
    expect(chooseEngine(undefined)).toBe(joseEngine)
    expect(chooseEngine(broken)).toBe(joseEngine)
  })
})

async function gcm(claims: object, header: { kid?: string | undefined }): Promise<string> {
  const { key } = await derive('first secret')
  const { kid } = header
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...(kid === undefined ? {} : { kid }) })
    .setInitializationVector(randomBytes(12))
    .encrypt(key.subarray(0, 32))
}
