import type { IdpOptions } from '../world/idp/contract.ts'
import type { ProviderName, RemoteName } from '../world/people.ts'

/** The application that a property needs, whatever the target is. */
export interface Setup {
  /** The session strategy; if missing, the property is valid for both, and a library uses 'database'. */
  readonly strategy?: 'jwt' | 'database'
  /** The providers that the property uses. @default all but `passkey`, `form` under `database`, and `mail` without a store */
  readonly providers?: readonly ProviderName[]
  /** The service whose preset this provider uses. Needs a target with that preset. */
  readonly preset?: Partial<Record<RemoteName, string>>
  /** Additional provider options, in Auth.js format. Needs the feature `setup`. */
  readonly provider?: Partial<Record<ProviderName, Readonly<Record<string, unknown>>>>
  /** Additional options of an identity provider. Needs the feature `setup`. */
  readonly idp?: Partial<Record<RemoteName, Partial<IdpOptions>>>
  /** Additional configuration; `callbacks`, `events`, `session` and `pages` are merged member by member. Needs `setup`. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Adds a provider of passwords that the target stores, with these options. Needs {@link LibraryTarget.password}. */
  readonly passwords?: Readonly<Record<string, unknown>>
  /** Lets users change their address, with these options. Needs {@link LibraryTarget.emailChange}. */
  readonly emailChange?: Readonly<Record<string, unknown>>
  /**
   * `silent` returns nothing wherever the interface of adapters allows it, and `numeric ids` gives users ids that are
   * numbers, and rejects calls with any other. Needs `setup`.
   */
  readonly store?: 'silent' | 'numeric ids'
  /** Capabilities to turn on, if they are off by default; see {@link Wanted}. Needs `setup`. */
  readonly with?: Wanted
  /**
   * Runs the application with a `Response` and `Headers` that keep the objects they are given, as those of some servers
   * do. Needs `setup`.
   */
  readonly keepsObjects?: true
  /** Environment variables that the target sees. Needs `setup`. */
  readonly env?: Readonly<Record<string, string>>
}

/** Capabilities that may be off by default, with the value that a property needs for each. */
export interface Wanted {
  /** Users manage their account at `account`, on a page with forms. */
  readonly 'account-page'?: true
  /** Seconds after the sign-in at which a session ends. */
  readonly 'absolute-lifetime'?: number
  /** Sessions end when an OpenID provider posts a logout token to `backchannel-logout`. */
  readonly 'back-channel-logout'?: true
  /** The name that session tokens contain. */
  readonly audience?: string
  /** A list of revoked session tokens: `jwt.revocations` of the configuration, if it is set. */
  readonly 'jwt-revocation'?: true
  /** A new mailed link invalidates the older ones that the same browser requested for the same address. */
  readonly 'supersede-links'?: true
  /**
   * Users enrol a second factor at `factor-enrolment`, whose page has an `otpauth:` URI and then the recovery codes, and enter
   * codes at `factor`. A browser can be remembered for a day.
   */
  readonly 'second-factor'?: true
  /**
   * Each user is asked once, at their first sign-in: the sign-in waits at `gate` until a form with `answer=yes` is posted
   * there. With `two`, another gate does the same at `second-gate`. With a function, the check of the gate returns what the
   * function returns.
   */
  readonly gate?: true | 'two' | (() => unknown)
  /**
   * Within a quarter of an hour at most ten attempts to sign in to an account, ten tokens tried for an address and five
   * mails to it, and 100 attempts by a client, whose address is in the header `X-Client-Address`. With `accounts`, the
   * application does not know the addresses of clients, and does not limit them.
   */
  readonly throttle?: true | 'accounts'
}

/** Returns whether the setup needs more than a running application offers. */
export function isSpecial(setup: Setup): boolean {
  const { provider, idp, config, env, preset, store, passwords, emailChange, keepsObjects } = setup
  return [provider, idp, config, env, preset, store, passwords, emailChange, keepsObjects, setup.with].some(
    (part) => part !== undefined,
  )
}

/** Returns the providers of the application; links by mail need a store. */
export function providersOf({ providers, strategy, config }: Setup): readonly ProviderName[] {
  if (providers) return providers
  if (strategy !== 'jwt') return ['alpha', 'beta', 'plain', 'mail']
  return config?.adapter === true
    ? ['alpha', 'beta', 'plain', 'mail', 'form']
    : ['alpha', 'beta', 'plain', 'form']
}
