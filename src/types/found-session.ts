import type { Session } from './records.ts'

/** A session, and the Set-Cookie values that extend it. */
export interface FoundSession<S = Session | null> {
  /** The session, or null if nobody is signed in. */
  readonly session: S
  /** The Set-Cookie values to send with your response. */
  readonly cookies: readonly string[]
}
