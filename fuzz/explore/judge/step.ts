import type { Action } from '../action.ts'
import type { Seen } from '../observe.ts'
import type { Scene } from '../scene.ts'
import type { Claim, Truth } from '../truth.ts'
import type { RequirementId } from 'authmachine/spec'

/** What an action broke. */
export interface Finding {
  readonly id: RequirementId | undefined
  readonly says: string
  /** What should have happened. */
  readonly instead: string
}

/** What a configuration promises beyond what every library must. */
export interface Promises {
  /** The seconds after a proof within which users may change how they sign in; undefined if sessions do not record it. */
  readonly freshness?: number
  /** Whether a mailed link proves an address, and so is a way to sign in. */
  readonly mailsLinks: boolean
  /** Whether mails contain codes instead of links. */
  readonly mailsCodes: boolean
  /** The capabilities of the application: findings about others are left out. */
  readonly capabilities: ReadonlySet<string>
  /** Whether sessions can be ended: those in a store, and tokens with a list of revoked ones. */
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

/** @param instead what should have happened */
export type Find = (id: RequirementId | undefined, says: string, instead: string) => void

export const ownerOf = (truth: Truth, user: string) => truth.users[user]?.owner ?? 'nobody'
