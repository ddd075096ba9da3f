import type { World } from '../flows/engine/world.ts'
import { endByFeatures } from './end-by-features.ts'
import { endRows, endTokens, type Scope } from './end-sessions.ts'
import { unprovenCredentials } from './end-unproven.ts'

/**
 * - `session`: lets a browser act as the user.
 * - `trust`: lets a browser skip something.
 * - `pending`: somebody may still finish it.
 * - `credential`: a way to sign in.
 * - `factor`: demanded besides a credential. No proof removes it, only a separate change.
 */
export type KeptClass = 'session' | 'trust' | 'pending' | 'credential' | 'factor'

type End = (userId: string, scope: Scope, world: World) => Promise<void>

/** A kind of data that the library stores about a user. */
export interface Kept {
  readonly class: KeptClass
  /** The name in the guides. */
  readonly name: string
  /** How it ends: with the stamp of the account, by a function, or only by its own change. */
  readonly ends: 'by stamp' | 'never' | End
}

/**
 * All kinds of data that the library stores about a user, each with one class. A change names classes, never a single
 * kind.
 */
export const kept: readonly Kept[] = [
  {
    class: 'session',
    name: 'sessions in the store',
    ends: endRows,
  },
  {
    class: 'session',
    name: 'session tokens (with `jwt.revocations`)',
    ends: endTokens,
  },
  {
    class: 'session',
    name: 'data that a feature stores in the class `session`',
    ends: endByFeatures('session'),
  },
  { class: 'trust', name: 'remembered devices', ends: 'by stamp' },
  { class: 'pending', name: 'mailed sign-in links and codes', ends: 'by stamp' },
  { class: 'pending', name: 'links that set a password', ends: 'by stamp' },
  { class: 'pending', name: 'links that change the address', ends: 'by stamp' },
  {
    class: 'pending',
    name: 'sign-ins that wait for the second factor or the gate of a feature',
    ends: 'by stamp',
  },
  { class: 'pending', name: 'one-time codes of features', ends: 'by stamp' },
  { class: 'pending', name: 'sign-ins that a session has approved for a feature', ends: 'by stamp' },
  { class: 'pending', name: 'sign-ins that are being checked', ends: 'by stamp' },
  ...unprovenCredentials.map((each) => ({ class: 'credential', ...each }) as const),
  {
    class: 'credential',
    name: 'data that a feature stores in the class `credential`',
    ends: endByFeatures('credential'),
  },
  { class: 'credential', name: 'accounts at providers, and of features', ends: 'never' },
  { class: 'factor', name: 'the authenticator app and the recovery codes', ends: 'never' },
]
