import type { Action } from '../action.ts'
import type { Seen } from '../observe.ts'
import type { Scene } from '../scene.ts'
import type { Claim, Truth } from '../truth.ts'
import type { RequirementId } from 'authmachine/spec'

/** A rule that an action broke. */
export interface Finding {
  readonly id: RequirementId | undefined
  readonly says: string
  /** The expected behaviour. */
  readonly instead: string
}

/** The promises of a configuration beyond those of every library. */
export interface Promises {
  /** The seconds after a proof within which users may change how they sign in; undefined if sessions do not record it. */
  readonly freshness?: number
  /** Whether a mailed link proves an address, so that it is a way to sign in. */
  readonly mailsLinks: boolean
  /** Whether mails contain codes instead of links. */
  readonly mailsCodes: boolean
  /** The capabilities of the application. Findings about other capabilities are omitted. */
  readonly capabilities: ReadonlySet<string>
  /** Whether sessions can be ended: sessions in a store, and tokens if there is a list of revocations. */
  readonly endsSessions: boolean
}

export interface Step {
  readonly action: Action
  readonly claim: Claim
  readonly before: { readonly seen: Seen; readonly truth: Truth }
  readonly after: Seen
  readonly scene: Scene
  readonly promises: Promises
}

/** @param instead the expected behaviour */
export type Find = (id: RequirementId | undefined, says: string, instead: string) => void

export const ownerOf = (truth: Truth, user: string) => truth.users[user]?.owner ?? 'nobody'
