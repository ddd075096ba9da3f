import { createHash, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCbor, type Value } from '../../fuzz/world/webauthn/cbor.ts'
import type { Answer } from '../../fuzz/world/webauthn/authenticator.ts'
import { AuthError } from '../../src/errors.ts'
import { openApp } from '../support/app.ts'
import { askOptions, postAnswer, register, withPasskeys, type Person } from '../support/webauthn/app.ts'

const texts = [
  '',
  ' ',
  '\ud800',
  'x',
  '=',
  '!',
  'AAAA',
  'AAA',
  'null',
  '{}',
  'e30',
  'A'.repeat(2000),
  '__proto__',
]
const others = [null, 0, -1, 1e308, true, [], {}, [[]], [null], { a: {} }]
const odd = fc.constantFrom<unknown>(...texts, ...others, 'none', 'webauthn.create', 'https://evil.example')
const oddCbor = fc.constantFrom<Value[]>(
  -257,
  -7,
  -1,
  0,
  255,
  65_535,
  '',
  'none',
  'packed',
  Buffer.alloc(0),
  Buffer.alloc(37),
  Buffer.alloc(200, 0x81),
  [],
  [Buffer.alloc(3)],
  new Map(),
  new Map([[1, 2]]),
)

/** Some of the names, each with an odd value. Usually none of the names, so that later checks are reached. */
function changesOf<T>(
  names: string,
  values: fc.Arbitrary<T>,
): fc.Arbitrary<readonly (readonly [string, T])[]> {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names.split(' ')), values), {
    minLength: 1,
    maxLength: 3,
  })
  return fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: changes })
}

const bytes = fc.uint8Array({ maxLength: 80 })
/** Some bytes that replace those from an offset on. */
const splice = fc.option(fc.tuple(fc.nat(180), bytes), { nil: undefined, freq: 2 })

const damage = fc.record({
  members: changesOf('id rawId type response clientExtensionResults __proto__', odd),
  response: changesOf(
    'clientDataJSON attestationObject authenticatorData signature userHandle transports',
    odd,
  ),
  client: changesOf('type challenge origin crossOrigin topOrigin tokenBinding __proto__', odd),
  /** Replaces bytes of the authenticator data, before it is signed. */
  data: splice,
  flags: fc.option(fc.nat(255), { nil: undefined, freq: 1 }),
  attestation: changesOf('fmt attStmt authData x', oddCbor),
  format: fc.constantFrom('none', 'packed', 'fido-u2f', 'android-key', 'android-safetynet', 'apple', 'tpm'),
  statement: fc.array(
    fc.tuple(fc.constantFrom(...'alg sig x5c ver certInfo pubArea response ecdaaKeyId'.split(' ')), oddCbor),
    { maxLength: 5 },
  ),
  isDirect: fc.boolean(),
})
const honest: Damage = {
  members: [],
  response: [],
  client: [],
  data: undefined,
  flags: undefined,
  attestation: [],
  format: 'none',
  statement: [],
  isDirect: false,
}
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never

const encode = (data: Uint8Array) => Buffer.from(data).toString('base64url')
const decode = (text: unknown) => Buffer.from(String(text), 'base64url')

function changeBytes(held: Buffer, { data, flags }: Damage): Buffer {
  const changed = Buffer.from(held)
  if (flags !== undefined) changed[32] = flags
  if (!data) return changed
  const [at, inserted] = data
  return Buffer.concat([changed.subarray(0, at), inserted, changed.subarray(at + inserted.length)])
}

function changeClient(text: unknown, { client }: Damage): Buffer {
  const held = JSON.parse(decode(text).toString()) as object
  return Buffer.from(JSON.stringify({ ...held, ...Object.fromEntries(client) }))
}

function withOddMembers(answer: Answer, { members, response }: Damage): string {
  const changed = { ...answer.response, ...Object.fromEntries(response) }
  return JSON.stringify({ ...answer, response: changed, ...Object.fromEntries(members) })
}

/** The response of a registration, with an attestation of the given format. */
function createOdd(
  { device }: Person,
  options: Parameters<Person['device']['create']>[0],
  given: Damage,
): string {
  let authData = Buffer.alloc(0)
  const answer = device.create(options, {
    attest(made) {
      authData = Buffer.from(made.authData)
      return { format: 'none', statement: new Map() }
    },
  })
  const attestation = encodeCbor(
    new Map<string, Value>([
      ['fmt', given.format],
      ['attStmt', new Map(given.statement)],
      ['authData', changeBytes(authData, given)],
      ...given.attestation,
    ]),
  )
  answer.response.clientDataJSON = encode(changeClient(answer.response.clientDataJSON, given))
  answer.response.attestationObject = encode(attestation)
  return withOddMembers(answer, given)
}

/** The response of a sign-in, which the authenticator signs after the changes. */
function getOdd({ device }: Person, options: Parameters<Person['device']['get']>[0], given: Damage): string {
  const answer = device.get(options)
  const client = changeClient(answer.response.clientDataJSON, given)
  const data = changeBytes(decode(answer.response.authenticatorData), given)
  const [credential] = device.held
  if (!credential) throw new Error('There is no credential')
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
  answer.response.clientDataJSON = encode(client)
  answer.response.authenticatorData = encode(data)
  answer.response.signature = encode(sign('sha256', signed, credential.key))
  return withOddMembers(answer, given)
}

/** Performs a ceremony, and returns the errors that it logged and whether the user is signed in. */
async function tryCeremony(kind: 'register' | 'authenticate', given: Damage) {
  const registrationOptions = { attestationType: given.isDirect ? ('direct' as const) : ('none' as const) }
  const app = openApp(withPasskeys({ webauthn: { registrationOptions } }))
  const person = await register(app)
  const agent = app.agent()
  app.errors.length = 0
  const { options } = await askOptions(agent, { action: kind, email: 'bob@example.com' })
  const make = kind === 'register' ? createOdd : getOdd
  const response = await postAnswer(agent, kind, make(person, options, given))
  const location = response.headers.get('location') ?? ''
  return { status: response.status, location, errors: app.errors }
}

describe('an authenticator that responds with nonsense', () => {
  it.each(['register', 'authenticate'] as const)(
    'LM-17 WA-12 never causes a server error, and the log has the reason: %s',
    { timeout: 120_000 },
    async (kind) => {
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(damage, async (given) => {
          const { status, location, errors } = await tryCeremony(kind, given)
          const reasons = errors.map((error) => `${error.message} ${String(error.cause)}`)
          expect([status < 500, location, reasons]).toEqual([
            true,
            expect.not.stringContaining('error=Configuration'),
            reasons,
          ])
          if (location.includes('error=')) expect(errors).not.toEqual([])
          else accepted += 1
          for (const error of errors) expect(error).toBeInstanceOf(AuthError)
        }),
        { numRuns: 400, examples: [[honest]] },
      )
      expect(accepted).toBeGreaterThan(0)
    },
  )
})
