import type { OptionalChange } from '../features/types.ts'
import type { AdapterUser } from './adapter.ts'
import type { Awaitable } from './records.ts'

/** A change to an account. `docs/guides/security.md` lists the requirements, effects and notices of each one. */
export type AccountChange =
  | 'sign-in'
  | 'first-proof'
  | 'add-address'
  | 'request-address'
  | 'confirm-address'
  | 'link-account'
  | 'link-by-address'
  | 'unlink'
  | 'reset-password'
  | 'change-password'
  | 'end-session'
  | 'end-other-sessions'
  | 'revoke-sessions'
  | 'sign-out'
  | 'provider-logout'
  | 'delete-user'
  | OptionalChange

/** A mail that tells a user about a change to their account. */
export interface AccountNotice {
  /** The address that the mail goes to. */
  readonly to: string
  readonly change: AccountChange
  /** The user, as stored before the change. */
  readonly user: AdapterUser
  /** The request that made the change. Absent if your application made it. */
  readonly request?: Request
}

/** Mails a notice. If it throws or takes longer than ten seconds, the error is logged, and the change remains. */
export type SendNotice = (notice: AccountNotice) => Awaitable<unknown>
