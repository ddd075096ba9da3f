import type { Kysely } from 'kysely'

/** A database that the command uses. */
export interface Database {
  readonly db: Kysely<unknown>
  /** For messages, without credentials. */
  readonly name: string
  /** Must not appear in messages. Empty if it is unknown. */
  readonly password: string
  /** Closes the connections that the command opened. */
  close(): Promise<void>
}
