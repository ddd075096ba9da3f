import type { Settings, Store } from '../config/settings.ts'
import type { Keyring } from '../token/keyring.ts'
import type { LoggerInstance, Platform } from '../types/config.ts'
import type { Outbox } from './outbox.ts'

/** What steps act on. */
export interface World {
  readonly settings: Settings
  readonly platform: Platform
  readonly store?: Store
  readonly logger: LoggerInstance
  /** Seals session tokens, check cookies and state, each under a salt of its own. */
  readonly keys: Keyring
  readonly out: Outbox
}
