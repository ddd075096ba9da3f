import { deflateRawSync } from 'node:zlib'
import { CompactEncrypt } from 'jose'

const encoder = new TextEncoder()

/** Derives the key of a secret and a salt as Auth.js does (HKDF with SHA-256). */
export async function keyOf(secret: string, salt: string, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits'])
  const info = encoder.encode(`Auth.js Generated Encryption Key (${salt})`)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode(salt), info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, bytes * 8))
}

/** Seals exactly these claims as a token, with the right key. */
export async function sealClaims(
  text: string,
  secret: string,
  salt: string,
  header: object = {},
): Promise<string> {
  return new CompactEncrypt(encoder.encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512', ...header })
    .encrypt(await keyOf(secret, salt, 64))
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** Seals an A256GCM token with any header; compresses if the header names `zip`. */
export async function sealAnyHeader(
  text: string,
  secret: string,
  salt: string,
  header: object,
): Promise<string> {
  const protectedHeader = base64url(JSON.stringify(header))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const bits = await keyOf(secret, salt, 32)
  const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt'])
  const plain =
    'zip' in header && header.zip === 'DEF' ? new Uint8Array(deflateRawSync(text)) : encoder.encode(text)
  const additionalData = encoder.encode(protectedHeader)
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain),
  )
  const [body, tag] = [sealed.subarray(0, -16), sealed.subarray(-16)]
  return [protectedHeader, '', base64url(iv), base64url(body), base64url(tag)].join('.')
}
