import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCbor, type Value } from '../../fuzz/world/webauthn/cbor.ts'
import { openAuthenticator } from '../../fuzz/world/webauthn/authenticator.ts'
import type { Visit } from '../../src/http/visit.ts'
import {
  dropStatement,
  isCheapAttestation,
  isCheapAuthenticatorData,
} from '../../src/webauthn/attestation.ts'
import { parseCredential } from '../../src/webauthn/credential.ts'

const options = { challenge: 'AAAA', rp: { id: 'app.test' }, user: { id: 'AAAA', name: 'ada' } }
const { attestationObject } = openAuthenticator('https://app.test').create(options).response
const honest = Buffer.from(String(attestationObject), 'base64url')

/** Authenticator data with a credential, and CBOR after it. */
function withKey(cbor: Uint8Array, idLength = 16): Uint8Array {
  const head = Buffer.alloc(37 + 18 + idLength)
  head[32] = 0x41
  head.writeUInt16BE(idLength, 37 + 16)
  return Buffer.concat([head, cbor])
}

const attest = (authData: Uint8Array) => encode({ fmt: 'none', attStmt: new Map(), authData })

function encode(members: Readonly<Record<string, Value>>): Buffer {
  return encodeCbor(new Map(Object.entries(members)))
}

describe('the CBOR of a passkey', () => {
  it('LM-11 is accepted cheaply if an authenticator created it', () => {
    expect(isCheapAttestation(honest)).toBe(true)
    expect(isCheapAuthenticatorData(withKey(Buffer.from('a10102', 'hex')))).toBe(true)
    expect(isCheapAuthenticatorData(Buffer.alloc(37))).toBe(true)
  })

  it.each([
    ['lists in lists', Buffer.alloc(1000, 0x81)],
    ['maps in maps', Buffer.alloc(1000, Buffer.from([0xa1, 0x00]))],
    ['tags', Buffer.alloc(1000, 0xc0)],
    ['empty texts', Buffer.concat([Buffer.from([0x99, 0xff, 0xff]), Buffer.alloc(1000, 0x60)])],
    ['empty byte strings', Buffer.alloc(1000, 0x40)],
    ['a list of unknown length', Buffer.from([0x9f, 0x00])],
    ['a text of unknown length', Buffer.from([0x7f, 0x60])],
  ])('LM-11 is rejected with %s, at the top, in a key and in extensions', (_, cbor) => {
    expect(isCheapAttestation(cbor)).toBe(false)
    expect(isCheapAttestation(attest(withKey(cbor)))).toBe(false)
    expect(isCheapAuthenticatorData(withKey(cbor, 1000))).toBe(false)
    expect(isCheapAuthenticatorData(Buffer.concat([Buffer.alloc(37), cbor]))).toBe(false)
  })

  it('LM-11 LM-10 is limited in length, depth and number', () => {
    const answer = openAuthenticator('https://app.test').create(options)
    const read = (response: object) =>
      parseCredential({
        body: {
          action: 'register',
          data: JSON.stringify({ ...answer, response: { ...answer.response, ...response } }),
        },
        duplicates: [],
      } as unknown as Visit)
    const tell = (members: string) => ({
      clientDataJSON: Buffer.from(`{"type":"webauthn.create",${members}}`).toString('base64url'),
    })
    expect(read({})).toBeDefined()
    expect(read(tell(`"pad":"${'x'.repeat(4000)}"`))).toBeDefined()
    expect(read(tell(`"pad":"${'x'.repeat(7000)}"`))).toBeUndefined()
    expect(read(tell(`"pad":${'['.repeat(100)}${']'.repeat(100)}`))).toBeUndefined()
    expect(read(tell(`"pad":[${'0,'.repeat(1500)}0]`))).toBeUndefined()
    const lists = { attestationObject: Buffer.alloc(1000, 0x81).toString('base64url') }
    expect(read(lists)).toBeUndefined()
  })

  it('LM-11 never causes an exception, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(honest.length), (bytes, at) => {
        const mutated = Buffer.concat([honest.subarray(0, at), bytes, honest.subarray(at + bytes.length)])
        for (const each of [bytes, mutated]) {
          expect(isCheapAttestation(each)).toBeTypeOf('boolean')
          expect(isCheapAuthenticatorData(each)).toBeTypeOf('boolean')
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('an attestation without its statement', () => {
  const authData = Buffer.alloc(300, 7)
  const statement = new Map<string, Value>([
    ['alg', -7],
    ['x5c', [Buffer.alloc(500)]],
  ])
  const drop = (bytes: Uint8Array) => dropStatement(Buffer.from(bytes).toString('base64url'))
  const none = attest(authData).toString('base64url')

  it.each([
    ['in the order of authenticators', { fmt: 'packed', attStmt: statement, authData }],
    ['in the order of browsers', { authData, fmt: 'packed', attStmt: statement }],
    ['of the format none', { fmt: 'none', attStmt: new Map(), authData }],
    ['with other members', { fmt: 'packed', epAtt: 1, attStmt: statement, authData }],
  ])('DEC-30i keeps the authenticator data, %s', (_, members) => {
    expect(drop(encode(members))).toBe(none)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no authenticator data', encode({ fmt: 'none', attStmt: new Map() })],
    ['authenticator data as a text', encode({ fmt: 'none', attStmt: new Map(), authData: 'AAAA' })],
    ['a member too few', Buffer.concat([Buffer.of(0xa4), attest(authData).subarray(1)])],
    ['a member too many', Buffer.concat([Buffer.of(0xa2), attest(authData).subarray(1)])],
    ['a truncated string', attest(authData).subarray(0, -1)],
    ['further bytes', Buffer.concat([attest(authData), Buffer.of(0)])],
  ])('WA-12 is refused for %s', (_, bytes) => {
    expect(drop(bytes)).toBeUndefined()
  })
})
