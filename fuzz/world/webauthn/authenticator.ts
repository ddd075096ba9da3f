import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { encodeCbor, type Value } from './cbor.ts'

/** The options of a ceremony that an authenticator uses. */
export interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string; readonly name: string }
  readonly allowCredentials?: readonly { readonly id: string; readonly transports?: readonly string[] }[]
  readonly excludeCredentials?: readonly { readonly id: string }[]
  readonly timeout?: number
  readonly userVerification?: string
  readonly authenticatorSelection?: { readonly residentKey?: string; readonly userVerification?: string }
}

/** Deviations from an honest browser and authenticator. */
export interface Faults {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly counter?: number
  /** Whether the credential is synchronised. @default it cannot be synchronised */
  readonly backedUp?: boolean
  readonly userHandle?: string
  /** Responds with this credential id, and signs with its own key. */
  readonly id?: string
  readonly signature?: Uint8Array
  /** Creates the attestation. @default `none` */
  readonly attest?: (made: Made) => Attestation
}

/** A new credential, as an attestation proves it. */
export interface Made {
  readonly authData: Uint8Array
  readonly clientDataHash: Uint8Array
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** The format of an attestation, and its statement. */
export interface Attestation {
  readonly format: string
  readonly statement: Value
}

export interface Held {
  readonly id: string
  readonly key: KeyObject
  readonly userHandle: string
  counter: number
}

/** The JSON response of a browser. */
export interface Answer {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
}

/**
 * Signs until both integers need 32 bytes. One in 128 signatures has a shorter integer, which some verifiers reject,
 * such as SimpleWebAuthn before 10.0.1.
 */
function signInFull(data: Uint8Array, key: KeyObject): Buffer {
  for (;;) {
    const signature = sign('sha256', data, key)
    const lengthOfR = signature[3] ?? 0
    if (isFull(signature, 3) && isFull(signature, 5 + lengthOfR)) return signature
  }
}

/** Returns whether the DER integer whose length is at `at` needs 32 bytes. A 33rd is the zero before a high bit. */
function isFull(signature: Buffer, at: number): boolean {
  const length = signature[at] ?? 0
  return length > 32 || (length === 32 && signature[at + 1] !== 0)
}

/** A software authenticator and its browser, with P-256 keys. */
export interface Authenticator {
  readonly held: readonly Held[]
  readonly create: (options: Options, faults?: Faults) => Answer
  readonly get: (options: Options, faults?: Faults) => Answer
  /** Copies the authenticator with its keys; the copy has its own counter. */
  readonly clone: () => Authenticator
}

/** @param counts whether it has a signature counter; that of synchronised passkeys stays at 0 */
export function openAuthenticator(
  origin: string,
  { counts = true, held = [] }: { counts?: boolean; held?: Held[] } = {},
): Authenticator {
  const clientData = (type: string, { challenge }: Options, faults: Faults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? origin,
        crossOrigin: faults.crossOrigin ?? false,
        topOrigin: faults.topOrigin,
      }),
    )
  const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
  const authenticatorData = (rpId: string, counter: number, faults: Faults, attested?: Buffer) => {
    const { userPresent = true, userVerified = true, backedUp } = faults
    const backup = (backedUp === undefined ? 0 : 8) | (backedUp ? 16 : 0)
    const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | backup | (attested ? 64 : 0)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(faults.counter ?? counter, 1)
    return Buffer.concat([hash(faults.rpId ?? rpId), tail, attested ?? Buffer.alloc(0)])
  }
  const next = (credential: Held) => (counts ? (credential.counter += 1) : 0)

  return {
    held,
    create(options, faults = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = faults.id ?? randomBytes(32).toString('base64url')
      const credential = { id, key: privateKey, userHandle: options.user?.id ?? '', counter: 0 }
      const attested = encodeCredential(id, publicKey)
      const authData = authenticatorData(options.rp?.id ?? '', next(credential), faults, attested)
      held.push(credential)
      const client = clientData('webauthn.create', options, faults)
      const made = { authData, clientDataHash: hash(client), publicKey, privateKey }
      const { format, statement } = faults.attest?.(made) ?? { format: 'none', statement: new Map() }
      const attestation = new Map<string, Value>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ])
      return answer(id, {
        clientDataJSON: client.toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
      })
    },
    get(options, faults = {}) {
      const allowed = options.allowCredentials?.map(({ id }) => id)
      const credential = held.find(({ id }) => !allowed || allowed.includes(id)) ?? held[0]
      if (!credential) throw new Error('There is no credential')
      const authData = authenticatorData(options.rpId ?? '', next(credential), faults)
      const client = clientData('webauthn.get', options, faults)
      const signature =
        faults.signature ?? signInFull(Buffer.concat([authData, hash(client)]), credential.key)
      return answer(faults.id ?? credential.id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: Buffer.from(signature).toString('base64url'),
        userHandle: faults.userHandle ?? credential.userHandle,
      })
    },
    clone: () => openAuthenticator(origin, { counts, held: held.map((each) => ({ ...each })) }),
  }
}

/** Encodes attested credential data (WebAuthn L3 6.5.1): no AAGUID, the id, and the public key in COSE. */
function encodeCredential(id: string, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const rawId = Buffer.from(id, 'base64url')
  const length = Buffer.from([rawId.length >> 8, rawId.length & 255])
  return Buffer.concat([Buffer.alloc(16), length, rawId, encodeCbor(cose)])
}

function answer(id: string, response: Record<string, unknown>): Answer {
  return { id, rawId: id, type: 'public-key', response }
}
