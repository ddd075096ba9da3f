import type { Account, Awaitable, ProviderType, User } from './records.ts'

export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was first proven by a link; null until then. */
  emailVerified: Date | null
}

export type AdapterAccountType = Extract<ProviderType, 'oauth' | 'oidc' | 'email' | 'webauthn'>

export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

export interface AdapterSession {
  /** The random value that the session cookie carries. */
  sessionToken: string
  userId: string
  expires: Date
}

export interface VerificationToken {
  /** The user's e-mail address. */
  identifier: string
  /** Hash of the token that was mailed. */
  token: string
  expires: Date
}

export interface AdapterAuthenticator {
  /** base64 */
  credentialID: string
  /** base64 */
  credentialPublicKey: string
  counter: number
  credentialBackedUp: boolean
  credentialDeviceType: string
  providerAccountId: string
  userId: string
  /** Comma-separated transports. */
  transports?: string | null
}

/**
 * A store. Every operation is optional; one that a flow calls and that is missing fails that flow with an error.
 * Dates are Date objects, "not found" is null, failures are thrown.
 */
export interface Adapter {
  /** The given `id` is a suggestion; the returned user's id counts. Throws when the e-mail is taken. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  /** Throws when the (provider, providerAccountId) pair is taken. */
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterAccount | undefined | void>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Answers null when the session is gone. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined | void>
  /** Deletes and returns in one step, so that a token works once. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>
}
