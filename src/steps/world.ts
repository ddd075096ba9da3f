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
  /** Seals session tokens. */
  readonly sessionKeys: Keyring
  /** Seals check cookies and state. */
  readonly checkKeys: Keyring
  readonly out: Outbox
}
