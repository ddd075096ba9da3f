import assert from 'node:assert/strict'
import type { RequirementId } from '../../../spec/index.ts'
import type { Adapter, AdapterSession, AdapterUser } from '../../../src/types/adapter.ts'

/** A promise that a store makes. */
export interface AdapterRule {
  readonly id: RequirementId
  readonly name: string
  /** Rejects where the store, which holds nothing yet, breaks the promise. */
  readonly run: (store: Required<Adapter>) => Promise<void>
}

export const user: AdapterUser = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: null,
  image: null,
}
export const other: AdapterUser = { ...user, id: 'u2', email: 'bob@example.com', name: null }
export const expires = new Date('2099-12-31T23:59:58.123Z')
export const later = new Date('2100-01-02T03:04:05.678Z')
export const account = { provider: 'github', providerAccountId: 'Ab:1', type: 'oauth' } as const
export const session = { sessionToken: 'Token-1', expires }
export const mail = { identifier: user.email, token: 'hash', expires }
export const passkey = {
  credentialID: 'Y3JlZA==',
  credentialPublicKey: 'a2V5',
  counter: 0,
  credentialBackedUp: true,
  credentialDeviceType: 'multiDevice',
  providerAccountId: 'Y3JlZA==',
  transports: 'usb,nfc',
}

export function seed(store: Required<Adapter>): Promise<AdapterUser> {
  return Promise.resolve(store.createUser(user))
}

/** Rejects unless the operation throws or rejects, with an Error. */
export async function throws(operation: () => unknown): Promise<void> {
  await assert.rejects(async () => operation(), Error)
}

/** A session's own fields; a store may add columns. */
export function pick({ sessionToken, userId, expires: until }: AdapterSession): AdapterSession {
  return { sessionToken, userId, expires: until }
}
