import { readChunked } from '../cookies/chunks.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { Visit } from '../http/visit.ts'
import { sealedCookie } from '../token/sealed.ts'
import type { Account, Profile, User } from '../types/records.ts'
import type { Authentication, FactorMethod } from '../types/second-factor.ts'

/** The change that a sign-in makes after the second factor is accepted, and not before. */
export type Rest =
  /** Link the account. With `isVouched`, the provider verified an address that its user never proved. */
  | {
      readonly kind: 'link'
      readonly change: 'link-account' | 'link-by-address'
      readonly isVouched: boolean
      /** The row of the account, with its tokens. */
      readonly row: Account
      readonly candidate: User
    }
  /** Record that the address was proven for the first time. */
  | { readonly kind: 'proof' }
  /** Show the form of a link that sets a password. Its hash names the link. With a method, the factor was accepted. */
  | { readonly kind: 'reset'; readonly link: string; readonly method?: FactorMethod }

/** A sign-in whose first factor was accepted, as the sealed cookie of its browser holds it. It is not a session. */
export interface PendingSignIn {
  readonly userId: string
  readonly account: Account
  /** The profile from the provider, for the callbacks of the application. */
  readonly profile?: Profile | undefined
  /** The claims of the id_token that name the session at the provider. */
  readonly claims?: Profile | undefined
  /** The stamp of the account when the first factor was checked. Absent without one, as in cookies of earlier versions. */
  readonly stamp?: { readonly value: string | null; readonly at: number } | undefined
  /** The binding of the second factor. With another one, the sign-in has ended. */
  readonly binding: string
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
  readonly callbackUrl: string
  /** How the user authenticated so far, if a session and not this account was the first factor. */
  readonly first?: Authentication | undefined
  /** Milliseconds since 1970. Absent in cookies of earlier versions. */
  readonly heldAt?: number
  readonly rest?: Rest | undefined
}

/** The pending sign-in of a browser. */
export const pendingCookie = sealedCookie<PendingSignIn>({
  cookie: ({ cookieTable }) => cookieTable.pendingSignIn,
  // Within ten minutes, the user must enter the second factor.
  maxAge: 600,
  boundTo: [],
  browser: 'factor',
  toClaims: (pending) => ({ pending }),
  read: ({ pending }) => pending as PendingSignIn | undefined,
})

/** Names the pending sign-in of a browser. The name is unique, because each sign-in is sealed with random bytes. */
export async function namePending(visit: Visit): Promise<string> {
  return sha256Base64url(`pending ${readChunked(visit.cookies, visit.cookieTable.pendingSignIn.name)}`)
}
