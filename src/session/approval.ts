import { sealedText } from '../token/sealed.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { Stamp } from './stamp.ts'

/** The content of an approval. Anyone who has the sealed text can sign in once as its user, through the feature. */
export interface Approval {
  /** Random. The store has a row for it, which only one request can use up. */
  readonly id: string
  /** The name of the feature. */
  readonly feature: string
  /** The application: the URL of its routes, and `jwt.audience`. Another one with the same secret refuses it. */
  readonly site: string
  /** The user, and the state of the account before the session was looked up. */
  readonly stamp: Stamp & { readonly userId: string }
  /** When the user of the session authenticated, in seconds since 1970; null if it is unknown. */
  readonly authTime: number | null
}

/** The content of an approval. */
export interface Approved extends Pick<Approval, 'stamp' | 'authTime'> {
  readonly user: AdapterUser
}

/** Seconds. */
export const approvalMaxAge = 600

export const approvalText = sealedText<Approval, 'feature' | 'site'>({
  purpose: 'authmachine.approval',
  maxAge: approvalMaxAge,
  boundTo: ['feature', 'site'],
  toClaims: (approval) => ({ approval }),
  read: ({ approval }) => approval as Approval | undefined,
})
