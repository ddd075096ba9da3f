import { readEvenly } from '../crypto/read-evenly.ts'
import type { Adapter, AdapterUser } from '../types/adapter.ts'
import type { LoggerInstance } from '../types/logger.ts'
import type { AuthorizeContext } from '../types/provider.ts'
import type { Awaitable } from '../types/records.ts'

/** Why a new password is refused. */
export type PasswordComplaint = 'too-short' | 'too-long' | 'breached'

/** The data for a mail with a link to the page on which the user chooses a password. */
export interface PasswordLinkParams {
  /** The address to send the mail to, in canonical form. */
  readonly identifier: string
  /** The link. It works once, and until the password changes. */
  readonly url: string
  /** When the link expires. */
  readonly expires: Date
  /** The user of the address, or null if the link registers a new one. */
  readonly user: AdapterUser | null
  /** The request for the mail. */
  readonly request: Request
}

/** The context that `authorize` of the provider receives, with members that are not public. */
export interface PasswordContext extends AuthorizeContext {
  /** Receives why a stored hash could not be verified. */
  readonly logger?: LoggerInstance
  /** Called with the user of the address, if there is one, before the password is compared. */
  readonly onUser?: (user: AdapterUser | undefined) => Promise<void>
  /** Called with the new hash after an outdated one was replaced. */
  readonly onUpgrade?: (hash: string) => Promise<void>
}

/**
 * The functions with which the flows hash, compare and check passwords. The flows depend neither on algorithms nor on
 * rules.
 */
export interface PasswordHooks {
  /** Lifetime of a link in seconds. */
  readonly maxAge: number
  /** Minimum characters of a new password, for the form. */
  readonly minLength: number
  readonly sendLink: (params: PasswordLinkParams) => Awaitable<void>
  readonly hash: (password: string) => Promise<string>
  /** Does the same work if there is no stored hash. */
  readonly verify: (
    password: string,
    stored: string | null,
    logger?: LoggerInstance,
  ) => Promise<{ readonly matches: boolean }>
  readonly check: (
    password: string,
    tools: { readonly fetch: typeof fetch; readonly logger: LoggerInstance },
  ) => Promise<PasswordComplaint | undefined>
}

/** Reads the password hash of a user, or sends the same query without one. */
export async function readHashOf(
  user: AdapterUser | undefined,
  store: Pick<Required<Adapter>, 'getPassword'>,
): Promise<string | null> {
  return (await readEvenly(user, (id) => store.getPassword(id))) ?? null
}
