import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { Attestation, Made } from './authenticator.ts'
import type { Value } from './cbor.ts'

/** Creates an attestation with the key of the credential itself, which every site can verify. */
export function attestSelf({ authData, clientDataHash, privateKey }: Made): Attestation {
  return attestWith('packed', { sig: sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey) })
}

/** Creates an attestation of this format for a key with ES256, with these further members. */
export function attestWith(format: string, members: Readonly<Record<string, Value>>): Attestation {
  return { format, statement: new Map<string, Value>([['alg', -7], ...Object.entries(members)]) }
}

/**
 * Creates an attestation of Android whose certificate is issued by its sender, and names a revocation list.
 *
 * @param list the URL of the revocation list
 */
export function attestWithList({ publicKey, clientDataHash }: Made, list: string): Attestation {
  const issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const root = certify('root', 'root', issuer.publicKey, issuer.privateKey)
  const leaf = certify('leaf', 'root', publicKey, issuer.privateKey, [
    extension(oids.keyDescription, describeKey(clientDataHash)),
    extension(oids.revocationLists, sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(list))))))),
  ])
  return attestWith('android-key', { sig: Buffer.alloc(8), x5c: [leaf, root] })
}

/** Creates an attestation whose certificate consists of this content. */
export function attestWithCertificate(content: Uint8Array): Attestation {
  return attestWith('packed', { sig: Buffer.alloc(8), x5c: [sequence(content)] })
}

const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  revocationLists: '551d1f',
  keyDescription: '2b06010401d679020111',
}

/** Creates a certificate (RFC 5280 4.1). */
function certify(
  subject: string,
  issuer: string,
  key: KeyObject,
  issuerKey: KeyObject,
  extensions: readonly Buffer[] = [],
): Buffer {
  const algorithm = sequence(oid(oids.ecdsaWithSha256))
  const name = (text: string) =>
    sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(text)))))
  const time = (text: string) => der(0x17, Buffer.from(text))
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name(issuer),
    sequence(time('700101000000Z'), time('491231235959Z')),
    name(subject),
    key.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  )
  return sequence(signed, algorithm, der(0x03, Buffer.of(0), sign('sha256', signed, issuerKey)))
}

/** Describes a key of Android's hardware, bound to this challenge. */
function describeKey(challenge: Uint8Array): Buffer {
  const level = der(0x0a, Buffer.of(1))
  const authorisations = [sequence(), sequence()]
  return sequence(integer(3), level, integer(4), level, der(0x04, challenge), der(0x04), ...authorisations)
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

function sequence(...members: readonly Uint8Array[]): Buffer {
  return der(0x30, ...members)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** Encodes an integer below 128. */
function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value))
}

/** Encodes a value in DER, of at most 64 KiB. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content)
  const { length } = value
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...(length < 128 ? [length] : long)), value])
}
