import type { Settings, Store, StoreKey } from '../../config/settings.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import { MissingAdapter } from '../../errors/classes.ts'
import { hasFactor } from '../../features/options.ts'
import type { SiteFeatures } from '../../pages/library-feature.ts'
import type { Keyring } from '../../token/keyring.ts'
import type { AccountNotice } from '../../types/account-notice.ts'
import type { EventCallbacks } from '../../types/callbacks.ts'
import type { Platform } from '../../types/config.ts'
import type { Feature } from '../../types/feature.ts'
import type { LoggerInstance } from '../../types/logger.ts'
import type { Arrival, Facts } from './facts.ts'

type EventName = keyof EventCallbacks
export type Announcement = {
  [E in EventName]: { readonly event: E; readonly message: Parameters<EventCallbacks[E]>[0] }
}[EventName]

/** An event, and the mails that tell users about the change. */
export type Announced = Announcement & { readonly notices?: readonly AccountNotice[] }

/** The effects of a run other than its outcome. Append-only, so that a fault does not lose any. */
export interface Outbox {
  readonly cookies: readonly CookieChange[]
  readonly announcements: readonly Announced[]
  readonly setCookies: (changes: readonly CookieChange[]) => void
  /** An event to fire at the end, about a committed change. */
  readonly announce: (announcement: Announced) => void
}

export function createOutbox(): Outbox {
  const cookies: CookieChange[] = []
  const announcements: Announced[] = []
  return {
    cookies,
    announcements,
    setCookies: (changes) => void cookies.push(...changes),
    announce: (announcement) => void announcements.push(announcement),
  }
}

/** The turns of a run that last for several steps. */
export interface Turns {
  /**
   * Takes the turn on a key, which lasts until the first step after this one that is not declared as `inTurn`. Resolves when
   * it begins. Later requests wait for it from now on.
   *
   * @throws Error if it does not begin before the step deadline
   */
  readonly take: (key: StoreKey, store: Store) => Promise<void>
  /** Ends all turns, including those that have not begun. */
  readonly end: () => void
}

export function createTurns(): Turns {
  const endings: (() => void)[] = []
  return {
    take(key, store) {
      const ended = new Promise<void>((end) => endings.push(end))
      const begun = new Promise<void>((begin, fail) => {
        const turn = store.turn(key, () => {
          begin()
          return ended
        })
        if (turn instanceof Promise) turn.catch(fail)
      })
      // If a step does not wait for the turn, nothing handles its failure.
      begun.catch(() => undefined)
      return begun
    },
    end() {
      for (const end of endings.splice(0)) end()
    },
  }
}

/**
 * Lets a sign-in pass, holds it until the user has entered the second factor with this binding, or refuses it. The reason is
 * logged.
 */
export type FactorDecision = 'pass' | { readonly hold: string } | { readonly refuse: string }

/** The second factor, as sign-ins and the account policy use it. */
export interface FactorGate {
  /** Decides about a sign-in, like the gate of a feature, and changes nothing. */
  readonly check: (facts: Arrival, world: World) => Promise<FactorDecision>
  /** Reads the second factor of a user. */
  readonly read: (userId: string, world: World) => Promise<Facts['storedFactor']>
  /** Ends the sign-ins of a user that wait for it. */
  readonly endHeld: (userId: string, world: World) => Promise<void>
  /** Ends everything that is bound to it: these sign-ins, and remembered browsers. */
  readonly endBound: (userId: string, world: World) => Promise<void>
}

/** The environment of steps. */
export interface World {
  readonly settings: Settings
  readonly platform: Platform
  readonly store?: Store
  readonly logger: LoggerInstance
  /** Seals session tokens, check cookies and state, each with its own salt. */
  readonly keys: Keyring
  readonly out: Outbox
  /** The feature whose flow runs. */
  readonly feature?: Feature
  /** Loads the second factor. Absent in runs that only read a session. */
  readonly loadFactor?: () => Promise<FactorGate>
  /** Loads the features of the site. Absent in runs that only read a session. */
  readonly loadFeatures?: () => SiteFeatures | Promise<SiteFeatures>
  /** Turns in the store that last for several steps. */
  readonly turns: Turns
}

/** Returns the store. @throws MissingAdapter without one, which the configuration check prevents */
export function requireStore({ store }: World): Store {
  if (store) return store
  throw new MissingAdapter('This flow needs an adapter')
}

/**
 * Returns the second factor, or undefined if the site has none.
 *
 * @throws TypeError in a run that cannot load it, which must not pass without it
 */
export async function factorOf({ settings, loadFactor }: World): Promise<FactorGate | undefined> {
  if (!hasFactor(settings)) return undefined
  if (loadFactor) return loadFactor()
  throw new TypeError('This run cannot load the second factor')
}
