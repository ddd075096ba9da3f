import type { Account, AccountType, Awaitable, User } from './records.ts'

/** A user as the adapter stores it. */
export interface AdapterUser extends User {
  /** The key of the user. */
  id: string
  /**
   * A placeholder for users who registered with a passkey and have not verified an address, or whose provider sent
   * none.
   */
  email: string
  /** When the address was first verified by a link, or null. */
  emailVerified: Date | null
}

/** The types of accounts of providers that the library stores. */
export type AdapterAccountType = Extract<AccountType, 'oauth' | 'oidc' | 'email' | 'webauthn'>

/** An account as the adapter stores it. */
export interface AdapterAccount extends Account {
  /** The id of the user to whom the account is linked. */
  userId: string
  /** The type of the provider, or `feature`. */
  type: AdapterAccountType | 'feature'
}

/** A session as the adapter stores it. */
export interface AdapterSession {
  /** The random value in the session cookie. */
  sessionToken: string
  /** The id of the user who is signed in. */
  userId: string
  /** When the session expires. */
  expires: Date
  /** The text that `describeSession` stored. Only the library reads it. */
  description?: string | null
}

/** An e-mail link as the adapter stores it. The token is hashed, so nobody can sign in with the stored data. */
export interface VerificationToken {
  /** The user's e-mail address. */
  identifier: string
  /** Hash of the token in the link. */
  token: string
  /** When the link expires. */
  expires: Date
}

/** A value that expires, as the adapter stores it. It belongs to no user. */
export interface KeyedRow {
  /** The hash of a key, which only the library can compute: at most 128 letters, digits, hyphens and colons. */
  key: string
  /** Sealed text of a few kilobytes. */
  value: string
  /** When the value expires. */
  expires: Date
}

/** A passkey as the adapter stores it. */
export interface AdapterAuthenticator {
  /** base64 */
  credentialID: string
  /** base64 */
  credentialPublicKey: string
  /** The signature counter that the authenticator last reported. */
  counter: number
  /** Whether the passkey is backed up or synchronized. */
  credentialBackedUp: boolean
  /** `singleDevice` or `multiDevice`. */
  credentialDeviceType: string
  /** The credential id, as in the linked account. */
  providerAccountId: string
  /** The id of the user who owns the passkey. */
  userId: string
  /** Comma-separated transports. */
  transports?: string | null
  /** The text that `nameAuthenticator` stored. */
  name?: string | null
}

/**
 * A store for users, accounts, sessions, links and passkeys. All operations are optional; a flow fails if it calls a
 * missing one. Dates are Date objects, "not found" is null, and failures are thrown.
 */
export interface Adapter {
  /**
   * Stores a new user. The adapter may replace the given `id`: the library uses the id of the returned user. Throws if
   * the address is taken.
   */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  /** Returns the user with this id. */
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** Returns the user with exactly this address. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** Returns the user to whom the account is linked. */
  getUserByAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>
  /** Changes the given members only, and returns the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>
  /** Removes the user and everything that belongs to it. */
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  /** Links an account to a user. Throws if the pair (provider, providerAccountId) exists. */
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  /** Unlinks an account. For use by your application: no flow calls it. */
  unlinkAccount?(
    account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterAccount | undefined | void>
  /**
   * Changes only the given members of a linked account. Returns the whole account, or null if nothing was changed. With
   * `held`, changes the account only if its refresh token equals `held.refresh_token`, in one atomic step. If the
   * adapter has this operation, the library stores the tokens of each sign-in and can refresh them.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
    held?: { readonly refresh_token: string },
  ): Awaitable<AdapterAccount | null>
  /**
   * Returns all accounts of a user, or none for an unknown user. The library needs it to distinguish users of a
   * provider from users who only have a passkey: an unverified address of the latter identifies nobody.
   */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** Returns the account with this pair of ids. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  /** Stores a session. Throws if the token is taken or the user is unknown. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** Returns a session and its user, or null if either is missing. May return an expired session. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Changes a session. Returns null if it no longer exists. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>
  /** Removes a session. Does nothing if there is none. */
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  /**
   * Returns all sessions of a user, or none for an unknown user. The result may contain expired sessions. Your
   * application needs this operation to list and revoke sessions.
   */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /**
   * Stores the description of a session, a text of at most 2000 characters, in its row. `listSessionsByUserId` then
   * returns it. Does nothing if there is no such session. Called only if `session.describe` is set.
   */
  describeSession?(sessionToken: string, description: string): Awaitable<unknown>
  /** Removes all sessions of a user. Called when the user's address is first verified. */
  deleteSessionsByUserId?(userId: string): Awaitable<unknown>
  /** Stores a token. An address may have several. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined | void>
  /** Deletes and returns a token in one atomic step, so that it works only once. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  /** Stores a passkey. Throws if the credential is taken. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** Returns the passkey with exactly this credential id. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  /** Returns all passkeys of a user, or none for an unknown user. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /** Removes a passkey. Does nothing if there is none. Called when the user's address is first verified. */
  deleteAuthenticator?(credentialID: string): Awaitable<unknown>
  /**
   * Stores the name that a user gave a passkey, a text of at most 100 characters. `listAuthenticatorsByUserId` then
   * returns it. Does nothing if there is no such passkey. With this operation, users can name passkeys on the account
   * page.
   */
  nameAuthenticator?(credentialID: string, name: string): Awaitable<unknown>
  /**
   * Changes the counter. Throws if the credential is unknown. With `held`, changes the counter only if the stored one
   * equals `held.counter`, in one atomic step, and otherwise throws. An adapter that ignores `held` is safe within one
   * process. With several processes, concurrent requests with the same signature may all succeed. With `state`, also
   * stores these columns (WebAuthn Level 3, section 7.2); an adapter may ignore them.
   */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
    held?: { readonly counter: number },
    state?: { readonly credentialBackedUp: boolean },
  ): Awaitable<AdapterAuthenticator>
  /**
   * Returns the password hash of a user, or null. It is not part of the user, because callbacks and events get users.
   */
  getPassword?(userId: string): Awaitable<string | null>
  /**
   * Stores or replaces the password hash of a user. Throws if the user is unknown. With `held`, replaces the stored
   * hash only if it equals `held.hash`, in one atomic step. Returns whether the new hash was stored.
   */
  setPassword?(userId: string, hash: string, held?: { readonly hash: string }): Awaitable<boolean>
  /** Removes the password hash of a user. Does nothing if there is none. */
  deletePassword?(userId: string): Awaitable<unknown>
  /** Returns the second factor of a user as `setFactor` stored it, or null. It is sealed, and not part of the user. */
  getFactor?(userId: string): Awaitable<string | null>
  /**
   * Stores the second factor of a user: text of a few kilobytes. Throws if the user is unknown. Without `held`, stores
   * the text only if the user has no second factor. With `held`, replaces the stored text only if it equals
   * `held.factor`. Both are one atomic step. Returns whether the new text was stored.
   */
  setFactor?(userId: string, factor: string, held?: { readonly factor: string }): Awaitable<boolean>
  /**
   * Removes the second factor of a user. Does nothing if there is none. With `held`, removes the stored text only if it
   * equals `held.factor`, in one atomic step. Returns whether a text was removed.
   */
  deleteFactor?(userId: string, held?: { readonly factor: string }): Awaitable<boolean>
  /**
   * Returns the user's record with this name, as `setRecord` stored it, or null. Records are not part of the user. Also
   * returns null for an id of another type: for an address without a user, the library reads the record of a random
   * UUID, so that its response takes as long as for a known address.
   */
  getRecord?(userId: string, name: string): Awaitable<string | null>
  /**
   * Stores a text of a few kilobytes for a user, under a name of at most 64 letters, digits and hyphens. Without
   * `held`, stores the text only if the user has no record with this name. With `held`, replaces the stored text only
   * if it equals `held.value`. Both are one atomic step. Returns whether the new text was stored. Throws if it would
   * store a record of an unknown user. Deleting the user removes their records.
   */
  setRecord?(
    userId: string,
    name: string,
    value: string,
    held?: { readonly value: string },
  ): Awaitable<boolean>
  /**
   * Removes the user's record with this name. Does nothing if there is none. With `held`, removes the record only if
   * its text equals `held.value`, in one atomic step. Returns whether a record was removed.
   */
  deleteRecord?(userId: string, name: string, held?: { readonly value: string }): Awaitable<boolean>
  /**
   * Returns the value with this key, as `setKeyedRecord` stored it, or null. An expired value may be returned or not: the
   * library does not use it.
   */
  getKeyedRecord?(key: string): Awaitable<string | null>
  /**
   * Stores a value that expires. Without `held`, stores it only if there is none with its key. With `held`, replaces the
   * stored value, and its expiry, only if the value equals `held.value`. Both are one atomic step. Returns whether the new
   * value was stored.
   */
  setKeyedRecord?(record: KeyedRow, held?: { readonly value: string }): Awaitable<boolean>
  /**
   * Removes the value with this key. Does nothing if there is none. With `held`, removes the value only if it equals
   * `held.value`, in one atomic step. Returns whether a value was removed.
   */
  deleteKeyedRecord?(key: string, held?: { readonly value: string }): Awaitable<boolean>
}
