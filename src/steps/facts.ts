import type { AuthorizationServer } from 'oauth4webapi'
import type {
  CredentialsSettings,
  EmailSettings,
  OAuthSettings,
  WebAuthnSettings,
} from '../config/settings.ts'
import type { AuthError } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import type { ConfirmPage } from '../pages/page.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from '../types/adapter.ts'
import type { JWT } from '../types/jwt.ts'
import type { Account, Profile, TokenSet, User } from '../types/records.ts'
import type { CeremonyKind, Challenge } from '../webauthn/challenge.ts'
import type { Credential } from '../webauthn/credential.ts'
import type { NewAuthenticator } from '../webauthn/verify.ts'

/** What a sign-in's checks hold: minted for a redirect, or opened from the cookies that it set. */
export interface Checks {
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** The id of the user who was signed in when the sign-in started, if the identity may be linked to them. */
  readonly startedBy?: string
}

/** Tokens of a code exchange, and the claims of the id_token among them. */
export interface Grant {
  readonly tokens: TokenSet
  readonly claims?: Profile
}

/** The data of a run, by name. A step reads what it declares, and its events bring what they declare. */
export interface Facts {
  readonly visit: Visit
  readonly provider: OAuthSettings
  readonly mailProvider: EmailSettings
  readonly credentialsProvider: CredentialsSettings
  readonly webauthnProvider: WebAuthnSettings

  /** Where the browser goes in the end; the redirect callback has seen it. */
  readonly callbackUrl: string
  /** Where the signIn callback, or the redirect proxy, sends the browser instead. */
  readonly elsewhere: string

  readonly server: AuthorizationServer
  readonly checks: Checks
  /** The end of the names of this sign-in's check cookies; empty where one goes on at a time. */
  readonly transaction: string
  readonly authorizationUrl: string
  /** Parameters of the authorization response, as they came. */
  readonly response: URLSearchParams
  /** The same, with state and issuer judged. */
  readonly judgedResponse: URLSearchParams
  readonly grant: Grant
  readonly profile: Profile
  /** The address that a newcomer typed, which nobody has proven; empty when there is none. */
  readonly typedAddress: string
  /** What the profile says of the user. */
  readonly candidate: User
  readonly account: Account

  /** The address that a link goes to, or came back from, in its one form. */
  readonly identifier: string
  /** What a link carries; the store knows only its hash. */
  readonly linkToken: string
  /** A link that awaits its button, with what its form sends. */
  readonly confirmation: ConfirmPage
  /** Present when a link is only asked for. */
  readonly mailing: { readonly verificationRequest: true }
  /** The whole form, as it was typed. */
  readonly credentials: Readonly<Record<string, unknown>>

  /** The ceremony that a page's script asks for. */
  readonly wish: CeremonyKind | 'whatever-suits'
  /** Why a page's script gets no options. */
  readonly complaint: string
  /** Stored authenticators, to be offered or to be excluded. */
  readonly authenticators: readonly AdapterAuthenticator[]
  /** What a page's script is told to do. */
  readonly ceremony: { readonly action: CeremonyKind; readonly options: object }
  /** A challenge, and all that it was minted for. */
  readonly challenge: Challenge
  /** What an authenticator answered. */
  readonly credential: Credential
  /** The stored authenticator that answered. */
  readonly authenticator: AdapterAuthenticator
  /** How often it says that it has signed. */
  readonly counter: number
  /** The authenticator that is being registered. */
  readonly enrolled: NewAuthenticator
  /** The account that this run stored for it. */
  readonly linked: AdapterAccount

  /** The account whose access token is asked for. */
  readonly accountKey: { readonly provider: string; readonly providerAccountId: string }
  /** The same, as the store holds it. */
  readonly linkedAccount: AdapterAccount
  /** The provider's refresh token, without a claim around it. */
  readonly refreshToken: string
  /** What this run has put in its place. */
  readonly claim: string
  /** What came for it. */
  readonly renewed: TokenSet

  /** The user that the account belongs to. */
  readonly owner: AdapterUser
  /** The user whose e-mail address it is. */
  readonly addressee: AdapterUser
  /** The user whose row has the address, who never proved it. */
  readonly claimant: AdapterUser
  /** The user to whom the account is to be linked. */
  readonly member: AdapterUser
  /** The user in the store for whom a credentials session is kept there. */
  readonly holder: AdapterUser
  /** The user that this run made. */
  readonly createdUser: AdapterUser
  /** A user that this run made, and whose account could not be stored. */
  readonly orphan: AdapterUser
  /** Lets other sign-ins of this run's identity go on, which wait while this run stores it. */
  readonly releaseIdentity: () => void
  /** Why storing the user or the account failed. */
  readonly conflict: Error

  /** Claims of the session token that the browser holds. */
  readonly token: JWT
  /** What the session cookie holds: a sealed token, or the id of a database session. */
  readonly heldCookie: string
  readonly session: AdapterSession
  /** What the store answered when the session was taken out of it. */
  readonly revoked: { readonly session: AdapterSession | null }
  /** The id_token that tells the provider whose session to end; empty when none was kept. */
  readonly logoutHint: { readonly idToken?: string }
  readonly expires: Date
  /** The user who is signed in. */
  readonly currentUser: AdapterUser
  /** The session as the client sees it. */
  readonly body: unknown

  /** An expected failure, in the words of the error table. */
  readonly failure: AuthError
  /** What was thrown, or which deadline passed. */
  readonly fault: Error
}
