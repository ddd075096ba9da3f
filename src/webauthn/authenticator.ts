import { decodeBase64url, encodeBase64url } from '../crypto/bytes.ts'
import { AdapterError } from '../errors/classes.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'

/** Encodes bytes as base64 with padding, the form in which adapters store credential ids and keys. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** Converts base64 to base64url without padding, the form that browsers use. Does not validate it. */
export function toBase64url(text: string): string {
  return text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decodes base64. Returns undefined for invalid text. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decodeBase64url(toBase64url(text))
}

/** Converts base64url from a browser to the base64 that adapters store. Returns undefined unless it is canonical. */
export function toBase64(base64url: string): string | undefined {
  const bytes = decodeBase64url(base64url)
  return bytes && encodeBase64(bytes)
}

/**
 * Validates an authenticator that an adapter returned.
 * @throws AdapterError if it is invalid
 */
export function readAuthenticator(value: unknown, operation: string): AdapterAuthenticator | null {
  if (value === null || value === undefined) return null
  const row = value as Partial<Record<keyof AdapterAuthenticator, unknown>>
  const isRow =
    isText(row.credentialID) &&
    isText(row.credentialPublicKey) &&
    isText(row.providerAccountId) &&
    (isText(row.userId) || typeof row.userId === 'number') &&
    isCount(row.counter)
  if (isRow) return row as AdapterAuthenticator
  throw new AdapterError(`The adapter's ${operation} returned an invalid authenticator`)
}

/**
 * Validates a list of authenticators that an adapter returned.
 * @throws AdapterError if it or one of its members is invalid
 */
export function readAuthenticators(value: unknown, operation: string): AdapterAuthenticator[] {
  if (!Array.isArray(value)) throw new AdapterError(`The adapter's ${operation} returned no list`)
  return value.map((each: unknown) => {
    const row = readAuthenticator(each, operation)
    if (row) return row
    throw new AdapterError(`The adapter's ${operation} returned a list with an empty entry`)
  })
}

/** Describes an authenticator in the options for the browser. */
export function toDescriptor({ credentialID, transports }: AdapterAuthenticator): object {
  return {
    id: toBase64url(credentialID),
    type: 'public-key',
    ...(transports && { transports: transports.split(',') }),
  }
}

/**
 * Decodes the public key of an authenticator.
 * @throws AdapterError if it is not base64
 */
export function publicKeyOf({ credentialPublicKey }: AdapterAuthenticator): Uint8Array<ArrayBuffer> {
  const key = decodeBase64(credentialPublicKey)
  if (key) return key
  throw new AdapterError('The adapter returned an authenticator whose public key is not valid base64')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A signature counter has 32 bits (WebAuthn L3 6.1). */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}
