import { AdapterError } from '../errors.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'
import { decodeBase64, toBase64url } from './base64.ts'

/** A row that can be used: what is not one fails closed. @throws AdapterError */
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
  throw new AdapterError(`The adapter's ${operation} answered an authenticator that is none`)
}

/** As `readAuthenticator`, for a list. @throws AdapterError */
export function readAuthenticators(value: unknown, operation: string): AdapterAuthenticator[] {
  if (!Array.isArray(value)) throw new AdapterError(`The adapter's ${operation} answered no list`)
  return value.map((each: unknown) => {
    const row = readAuthenticator(each, operation)
    if (row) return row
    throw new AdapterError(`The adapter's ${operation} listed an authenticator that is none`)
  })
}

/** An authenticator as options name it, for the browser to find it by. */
export function toDescriptor({ credentialID, transports }: AdapterAuthenticator): object {
  return {
    id: toBase64url(credentialID),
    type: 'public-key',
    ...(transports && { transports: transports.split(',') }),
  }
}

/** The public key of a row. @throws AdapterError */
export function publicKeyOf({ credentialPublicKey }: AdapterAuthenticator): Uint8Array<ArrayBuffer> {
  const key = decodeBase64(credentialPublicKey)
  if (key) return key
  throw new AdapterError('The adapter answered an authenticator whose public key is no base64')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A signature counter has 32 bits (WebAuthn L3 6.1). */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}
