import type { Account, Awaitable, ProviderType, User } from './records.ts'

/** A user as the store keeps it. */
export interface AdapterUser extends User {
  id: string
  /** Missing for a user who came by a passkey and has not proven an address, or whose provider gave none. */
  email: string
  /** When the address was first proven by a link; null until then. */
  emailVerified: Date | null
}

/** Kinds of account that are stored. */
export type AdapterAccountType = Extract<ProviderType, 'oauth' | 'oidc' | 'email' | 'webauthn'>

/** An account as the store keeps it. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** A session as the store keeps it. */
export interface AdapterSession {
  /** The random value that the session cookie carries. */
  sessionToken: string
  userId: string
  expires: Date
}

/** A mailed link as the store keeps it: by hash, so that the store cannot sign in. */
export interface VerificationToken {
  /** The user's e-mail address. */
  identifier: string
  /** Hash of the token that was mailed. */
  token: string
  expires: Date
}

/** A passkey as the store keeps it. */
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
  /** By id. */
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** By the exact address. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** By an account that was linked. */
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>
  /** Changes the given members, and no others; answers the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>
  /** Removes the user with all that belongs to it. */
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  /** Throws when the (provider, providerAccountId) pair is taken. */
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  /** Removes the link; for the application, no flow calls it. */
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterAccount | undefined | void>
  /**
   * Changes the given members of a linked account, and no others; answers the whole account, or null when nothing was
   * changed. With `held`, only while the account holds that refresh token: it is compared and replaced in one step.
   * A store with it keeps the tokens of each sign-in, and can refresh them.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
    held?: { readonly refresh_token: string },
  ): Awaitable<AdapterAccount | null>
  /**
   * All accounts of a user, none for an unknown one. Tells who came by a provider from who came by a passkey alone, whose
   * unproven address identifies nobody.
   */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** The account of that pair. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  /** Throws when the token is taken, or the user unknown. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** Both, or null when either is missing. Expired ones are answered, too. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Answers null when the session is gone. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>
  /** Quiet where there is none. */
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  /** Removes every session of a user. Called when the user's address is proven for the first time. */
  deleteSessionsByUserId?(userId: string): Awaitable<unknown>
  /** An address may have several. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined | void>
  /** Deletes and returns in one step, so that a token works once. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  /** Throws when the credential is taken. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** By the exact credential id. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  /** All of a user, none for an unknown one. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /** Removes the credential; quiet where there is none. Called when the user's address is proven for the first time. */
  deleteAuthenticator?(credentialID: string): Awaitable<unknown>
  /**
   * Changes the counter alone; throws for an unknown credential. With `held` it changes the counter only while the stored one
   * is `held.counter`, in one step, and throws otherwise. An adapter that ignores `held` is safe within one process; in
   * several, requests at once with one signature may all get in.
   */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
    held?: { readonly counter: number },
  ): Awaitable<AdapterAuthenticator>
}
