import type { AdapterSession, AdapterUser } from './adapter.ts'
import type { JWT } from './jwt.ts'
import type { Session } from './records.ts'

/** The parameter of the session callback. */
export interface SessionCallbackParams<Claims = JWT> {
  /** The session, with the members of the user that clients may see. */
  session: Session & AdapterSession & { user: Pick<AdapterUser, 'id' | 'name' | 'email' | 'image'> }
  /** The full user. Only set for database sessions. */
  user: AdapterUser
  /** The payload of the session token. Only set for JWT sessions. */
  token: Claims
  /** The data that the client passed to `update`. It is untrusted: validate it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as in the ecosystem
  newSession?: any
  /** Only set if the client updates the session. */
  trigger?: 'update'
}
