import { heldSignInCookie } from '../cookies/feature-cookie.ts'
import { sealedCookie } from '../token/sealed.ts'
import type { GateSubject } from '../types/feature.ts'

/** The gates that a sign-in has passed, and for whom. */
export interface PassedGates {
  /** The id of the user; undefined for one who was not stored when the gate held the sign-in. */
  readonly userId: string | undefined
  /** When the user proved the identity, in milliseconds since 1970. */
  readonly provenAt: number
  /** What each gate has learnt, by the name of its feature. */
  readonly learnt: Readonly<Record<string, unknown>>
}

/** A sign-in that a gate holds, as the sealed cookie of its browser holds it. It is not a session. */
export interface HeldSignIn {
  /** The name of the feature whose gate holds it. */
  readonly gate: string
  readonly subject: GateSubject
  readonly passed: PassedGates
  /** Random. The store has a row for it, which only one request can use up. */
  readonly id: string
  /** The application: the URL of its routes, and `jwt.audience`. Another one with the same secret refuses it. */
  readonly site: string
  /** Whether the store has the user. A user who is missing later was deleted. */
  readonly isStored: boolean
  /** Where it continues. */
  readonly flow: string
  readonly at: string
  readonly provider: string | undefined
  /** The facts with which it continues, with dates as `Tagged`. */
  readonly facts: Readonly<Record<string, unknown>>
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
}

/** The held sign-in of a browser (FT-02). */
export const heldCookie = sealedCookie<HeldSignIn>({
  cookie: heldSignInCookie,
  // As long as a sign-in that waits for the second factor.
  maxAge: 600,
  boundTo: [],
  browser: 'feature',
  toClaims: (held) => ({ held }),
  read: ({ held }) => held as HeldSignIn | undefined,
})
