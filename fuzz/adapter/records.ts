import type { Adapter, AdapterSession, AdapterUser } from 'authmachine/adapters'

/** Ids are UUIDs, which the library recommends. */
export const user: AdapterUser = {
  id: '4b1d9d2e-8a5c-4b0e-9d0a-0a5f1c2b3d4e',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: null,
  image: null,
}
export const other: AdapterUser = {
  ...user,
  id: '9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b',
  email: 'bob@example.com',
  name: null,
}
/** An id that no user has. */
export const nobody = '00000000-0000-4000-8000-000000000000'

export const expires = new Date('2099-12-31T23:59:58.123Z')
export const later = new Date('2100-01-02T03:04:05.678Z')
/** Only the keys: a store may refuse any other member. */
export const accountKey = { provider: 'github', providerAccountId: 'Ab:1' } as const
export const account = { ...accountKey, type: 'oauth' } as const
export const session = { sessionToken: 'Token-1', expires }
export const mailKey = { identifier: user.email, token: 'hash' }
export const mail = { ...mailKey, expires }
export const passkey = {
  credentialID: 'Y3JlZA==',
  credentialPublicKey: 'a2V5',
  counter: 0,
  credentialBackedUp: true,
  credentialDeviceType: 'multiDevice',
  providerAccountId: 'Y3JlZA==',
  transports: 'usb,nfc',
}

export async function seed(store: Pick<Required<Adapter>, 'createUser'>): Promise<AdapterUser> {
  return store.createUser(user)
}

/** Values that a caller may pass despite the types. */
export function untyped<T>(value: unknown): T {
  return value as T
}

export async function openSession(
  store: Pick<Required<Adapter>, 'createUser' | 'createSession'>,
): Promise<AdapterSession> {
  const { id } = await seed(store)
  return store.createSession({ ...session, userId: id })
}
