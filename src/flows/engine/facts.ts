import type { AuthorizationServer } from 'oauth4webapi'
import type {
  CredentialsSettings,
  EmailSettings,
  OAuthSettings,
  PasswordSettings,
} from '../../config/settings.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import type { AuthError } from '../../errors/classes.ts'
import type { FeatureAttempt, GateSubject, ProvenIdentity } from '../../types/feature.ts'
import type { Visit } from '../../http/visit.ts'
import type { AdapterSession, AdapterUser, VerificationToken } from '../../types/adapter.ts'
import type { PassedGates } from '../../session/held-sign-in.ts'
import type { Stamp } from '../../session/stamp.ts'
import type { JWT } from '../../types/jwt.ts'
import type { Account, Profile, TokenSet, User } from '../../types/records.ts'
import type { Authentication } from '../../types/authentication.ts'
import type { Lifetime } from '../../session/lifetime.ts'

/** The check values of a sign-in: created before the redirect, and opened from its cookies at the callback. */
export interface Checks {
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** The id of the user who was signed in when the sign-in started, if the identity may be linked to them. */
  readonly startedBy?: string
  /** Whether the form requested linking the identity to that user. */
  readonly isLink?: boolean
  /** `max_age` as sent to the provider, in seconds. */
  readonly maxAge?: number
  /** The scope of the sign-in request, if it replaced the configured one. */
  readonly scope?: string
}

/** Tokens of a code exchange, and the claims of the id_token among them. */
export interface Grant {
  readonly tokens: TokenSet
  readonly claims?: Profile
}

/**
 * The data of a run, by name. A step reads the facts that it declares, and its events add those that they declare. Those
 * below belong to several flows; each flow adds its own in its `flow.ts`.
 */
export interface Facts {
  readonly visit: Visit
  readonly provider: OAuthSettings
  readonly mailProvider: EmailSettings
  readonly credentialsProvider: CredentialsSettings | PasswordSettings
  readonly passwordProvider: PasswordSettings

  /** Where the browser goes after the flow. The redirect callback has approved it. */
  readonly callbackUrl: string
  /** Where the signIn callback or the redirect proxy sends the browser instead. */
  readonly elsewhere: string

  readonly server: AuthorizationServer
  readonly checks: Checks
  /** The suffix of the names of this sign-in's check cookies; empty without `parallelSignIns`. */
  readonly transaction: string
  readonly grant: Grant
  readonly profile: Profile
  /** The user as the profile describes them. */
  readonly candidate: User
  readonly account: Account

  /** The address of a link or code, in canonical form. */
  readonly identifier: string
  /** The token in a link. The store has only its hash. */
  readonly linkToken: string
  /** The row that makes a link, or an attempt at a code, work once. */
  readonly storedToken: VerificationToken
  /** The row of a link or of an attempt at a code, which this run removed from the store. */
  readonly consumedToken: VerificationToken
  /** A code that the user typed, as `readSecret` returns it. Empty for text that cannot be a code. */
  readonly typedCode: string
  /** Present if a mail is requested, but not when its link or code is used. */
  readonly mailing: { readonly verificationRequest: true }
  /** The address that a new user of a passkey typed and has not verified; empty if they typed none. */
  readonly typedAddress: string
  /** The password hash that links of the user are bound to; null without one. */
  readonly storedHash: string | null
  /** The new password of a form. */
  readonly password: string
  /** All fields of the form, unchanged. */
  readonly credentials: Readonly<Record<string, unknown>>

  /** How the user of the session authenticated; undefined if sessions do not record it. */
  readonly authentication: Authentication | undefined
  /** The session that a new one replaces, because its user added a credential. */
  readonly earlier: { readonly token?: JWT | undefined; readonly session?: AdapterSession | undefined }

  /** Milliseconds of each pause that is left before a run stops waiting for another request. */
  readonly pauses: readonly number[]

  /** The user that the account belongs to; undefined if it is unknown, or without a store. */
  readonly owner: AdapterUser | undefined
  /** The state of the account before the credential was checked; undefined if the site needs no stamps. */
  readonly stamp: Stamp | undefined
  /** Who has the address, if this run has already looked it up. */
  readonly addressed: Partial<Pick<Facts, 'addressee' | 'claimant'>>
  /** The user who verified the e-mail address. */
  readonly addressee: AdapterUser
  /** The user whose row has the address, but who never verified it. */
  readonly claimant: AdapterUser
  /** How the account is to be linked to a user whom this run did not create; undefined if it is not. */
  readonly linking:
    { readonly change: 'link-account' | 'link-by-address'; readonly isVouched: boolean } | undefined
  /** The user who gets the account. */
  readonly member: AdapterUser
  /** The stored user of a credentials sign-in with database sessions. */
  readonly holder: AdapterUser
  /** The user that this run created. */
  readonly createdUser: AdapterUser
  /** A user that this run created, but whose account could not be stored. */
  readonly orphan: AdapterUser
  /** Why storing the user or the account failed. */
  readonly conflict: Error

  /** The claims of the browser's session token. */
  readonly token: JWT
  /** How long the new session lasts. */
  readonly lifetime: Lifetime
  /** The cookie of the new CSRF token, set after the session is stored. */
  readonly csrfCookies: readonly CookieChange[]
  /** The cookies of the new session, set in the last step, which cannot fail. */
  readonly sessionCookies: readonly CookieChange[]
  /** The value of the session cookie: a sealed token, or the id of a database session. */
  readonly heldCookie: string
  readonly session: AdapterSession
  readonly expires: Date
  /** The user who is signed in. */
  readonly currentUser: AdapterUser
  /** That value, as the body of the response. */
  readonly body: string | object | null

  /** Whom a feature has proven. */
  readonly identity: ProvenIdentity
  /** The session of the signed-in user lets another browser or a program sign in: sealed, for `identity`. */
  readonly approval: string
  /** How the session of an approved sign-in describes it. Undefined for every other sign-in. */
  readonly approved: Authentication | undefined
  /** The attempt that a feature passes to the rateLimit callback. */
  readonly attempt: FeatureAttempt
  /** The route of the gate that holds the sign-in. */
  readonly gate: string
  /** Who the held sign-in of this browser is about. */
  readonly subject: GateSubject
  /** The gates that a held sign-in has passed, with what each has learnt. Undefined if none has held it. */
  readonly passed: PassedGates

  /** An expected failure, as an error of the public error table. */
  readonly failure: AuthError
  /** The exception, or the deadline that passed. */
  readonly fault: Error
}

/** The facts of a sign-in that a gate may hold. */
export type Arrival = Pick<Facts, 'visit' | 'candidate' | 'account'> & Partial<Facts>
