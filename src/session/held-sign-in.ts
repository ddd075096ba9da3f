import { sealedCookie } from '../token/sealed.ts'
import type { GateSubject } from '../types/feature.ts'
import type { Authentication, FactorMethod } from '../types/authentication.ts'

/** The second factor that the user has entered while the sign-in was held. */
export interface PassedFactor {
  /** The binding of the factor. With another one, it was changed in the meantime. */
  readonly binding: string
  readonly method: FactorMethod
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The gates that a sign-in has passed, and for whom. */
export interface PassedGates {
  /** The id of the user; undefined for one who was not stored when the gate held the sign-in. */
  readonly userId: string | undefined
  /** When the user proved the identity, in milliseconds since 1970. */
  readonly provenAt: number
  /** What each gate has learnt, by the name of its feature. */
  readonly learnt: Readonly<Record<string, unknown>>
}

/** Returns the second factor that the user has entered. */
export function enteredFactor(passed: PassedGates | undefined): PassedFactor | undefined {
  return passed?.learnt['factor'] as PassedFactor | undefined
}

/** A sign-in that a gate holds, as the sealed cookie of its browser holds it. It is not a session. */
export interface HeldSignIn {
  /** The name of the feature, and of its route. */
  readonly gate: string
  readonly subject: GateSubject
  readonly passed: PassedGates
  /** How the user has authenticated so far. */
  readonly first: Authentication
  /** The binding of the second factor that the gate `factor` asks for. With another one, the sign-in has ended. */
  readonly binding?: string | undefined
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

/** The held sign-in of a browser (FT-02, SF-02). */
export const heldSignInCookie = sealedCookie<HeldSignIn>({
  cookie: ({ cookieTable }) => cookieTable.pendingSignIn,
  // Within ten minutes, the user must have passed the gate.
  maxAge: 600,
  boundTo: [],
  browser: 'held-sign-in',
  toClaims: (held) => ({ held }),
  read: ({ held }) => held as HeldSignIn | undefined,
})
