import type { OptionalWarning } from '../features/types.ts'

/** The codes of warnings. */
export type WarningCode =
  | 'csrf-disabled'
  | 'debug-enabled'
  | 'env-url-basepath-mismatch'
  | 'env-url-basepath-redundant'
  | 'weak-secret'
  | 'checks-disabled'
  | 'dangerous-linking'
  | 'unconfirmed-links'
  | 'weak-link-token'
  | 'insecure-requests'
  | 'host-trust-inferred'
  | 'shared-session-secret'
  | 'unknown-host'
  | 'ignored-parameter'
  | 'random-user-id'
  | 'unknown-option'
  | 'session-cookie-unreadable'
  | 'legacy-token'
  | 'large-session'
  | 'invalid-callback-url'
  | 'invalid-theme'
  | 'unread-variable'
  | 'breach-check-failed'
  | 'session-not-described'
  | OptionalWarning

/** Receives errors, warnings and, with `debug`, the path of each flow. Never receives secrets. */
export interface LoggerInstance {
  /** Called for each failure. `name` is its type. */
  error(error: Error): void
  /**
   * Called for a configuration that works but should be changed. `details` lists the options of `unknown-option`, the
   * provider of `weak-link-token`, the size of `large-session`, the reason of `host-trust-inferred`, and the names of
   * `unread-variable`.
   */
  warn(code: WarningCode, details?: string): void
  /** Called only with `debug: true`. */
  debug(message: string, metadata?: unknown): void
  [level: string]: unknown
}
