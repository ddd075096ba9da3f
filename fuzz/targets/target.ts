import type { Chart } from 'authmachine/machines'
import type { Browser, Gates, Routes, Sending } from '../world/browser.ts'
import type { Clock } from '../world/clock.ts'
import type { Plan } from '../world/fault-plan.ts'
import type { Idp } from '../world/idp/contract.ts'
import type { Mailbox } from '../world/mailbox.ts'
import type { Network } from '../world/network.ts'
import type { ProviderName, RemoteName } from '../world/people.ts'
import type { Playback } from '../world/playback.ts'
import type { Points } from '../world/points.ts'
import type { Rows } from '../world/store.ts'
import type { Recorded } from '../world/recorded.ts'
import type { Reading } from '../world/reading.ts'
import type { Setup, Wanted } from './setup.ts'

/**
 * Features of a target beyond requests and mails. A running application has at most `https`, `description`, which names its
 * routes as data, and `custom-routes` if they are not those of Auth.js.
 */
export const features = [
  'setup',
  'clock',
  'store',
  'hooks',
  'faults',
  'tokens',
  'passkey',
  'gates',
  'sample-gate',
  'https',
  'description',
  'custom-routes',
] as const
export type Feature = (typeof features)[number]

/** The functions over session tokens, with the signatures of `@auth/core/jwt`. */
export interface TokenFunctions {
  /** Encrypts a payload. */
  readonly encode: (params: Readonly<Record<string, unknown>>) => Promise<string>
  /** Decrypts a token of `encode`; returns null for everything else. */
  readonly decode: (params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown> | null>
  /** Finds the token of a request, and decrypts it. */
  readonly getToken: (params: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/** The calls that the code of an application makes to its library, apart from handling requests. */
export interface Operations {
  /**
   * Returns an access token of a linked account that is still valid for a while, refreshed if necessary, or nothing if
   * there is none now. For the capability `refresh`.
   */
  readonly getAccessToken?: (account: AccountKey) => Promise<string | undefined>
  /** Ends all sessions of a user. For the capability `user-disable`. */
  readonly revokeSessions?: (userId: string) => Promise<unknown>
  /**
   * Returns the session of a request, or the response to send if there is none, if the user authenticated more than
   * `freshness` seconds ago, or without a second factor where `factor` wants it. For the capability `second-factor`.
   */
  readonly requireSession?: (required: {
    readonly request: Request
    readonly freshness?: number
    readonly factor?: boolean
  }) => Promise<object>
  /** Deletes a user with everything that belongs to it. For the capability `user-disable`. */
  readonly deleteUser?: (userId: string) => Promise<unknown>
}

/** Identifies the account of a user at a provider. */
export interface AccountKey {
  readonly provider: string
  readonly providerAccountId: string
}

/** The functions that a provider of passwords gets from the oracle. */
export interface PasswordTargetOptions {
  readonly sendLink: (mail: { readonly identifier: string; readonly url: string }) => Promise<void>
  readonly [option: string]: unknown
}

/** The functions that an application with changes of the address gets from the oracle. */
export interface EmailChangeTargetOptions {
  /** Mails the link to the new address. */
  readonly sendLink: (mail: { readonly to: string; readonly url: string }) => Promise<void>
  /** Mails a notice: `changed` to the previous address, `taken` to a new address that has a user. */
  readonly sendNotice: (mail: { readonly to: string; readonly type: string }) => Promise<void>
  readonly [option: string]: unknown
}

/**
 * An implementation as a module: the default export of a file that the oracle tests as a library.
 *
 * @example
 * import { Auth } from '@auth/core'
 * export default { name: 'mine', capabilities: [], open: (config) => (request) => Auth(request, config) }
 */
export interface LibraryTarget {
  readonly name: string
  /** The capabilities that it claims (see the guide); rows that need others are not tested. */
  readonly capabilities: readonly string[]
  /** Returns a handler for a configuration in Auth.js format. The setup's environment variables are already set. */
  readonly open: (config: Record<string, unknown>) => Handle | Promise<Handle>
  /** Creates the passkey provider of a configuration; without it passkeys are not tested. */
  readonly passkey?: (options: Readonly<Record<string, unknown>>) => unknown
  /**
   * Creates the provider `password` of a configuration, whose links go to `sendLink({ identifier, url })`; for the
   * capability `passwords`.
   */
  readonly password?: (options: PasswordTargetOptions) => unknown
  /**
   * Returns the options of a configuration whose users change their address at `email-change`; for the capability
   * `email-change`.
   */
  readonly emailChange?: (options: EmailChangeTargetOptions) => Readonly<Record<string, unknown>>
  /** Creates the providers of well-known services, by id; services without one are not tested. */
  readonly presets?: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => unknown>>
  /**
   * How people answer the pages at which a sign-in waits. Every property that signs in passes them, so if all applications of
   * the target have a gate, all properties test it. For the capability `gate`.
   *
   * @example { terms: () => ({ accept: 'yes' }) }
   */
  readonly gates?: Gates
  /**
   * Turns on capabilities that are off by default, by name: each function receives a configuration and the value that a
   * property wants, and returns the configuration with the capability. The target must declare these capabilities, too.
   */
  readonly turnOn?: { readonly [Name in keyof Wanted]?: TurnOn<NonNullable<Wanted[Name]>> }
  /**
   * Features that this library does not support, such as a store to inspect. Properties that need one are skipped.
   *
   * @default none
   */
  readonly lacks?: readonly Exclude<
    Feature,
    'description' | 'custom-routes' | 'https' | 'tokens' | 'passkey' | 'gates'
  >[]
  /** The token functions; without them tokens are not tested. */
  readonly tokens?: TokenFunctions
  /** Returns what the code of an application with this configuration can do, for capabilities that need it. */
  readonly operate?: (config: Record<string, unknown>) => Operations
  /**
   * Calls a listener with each transition of its state machines, as `flow: state -(event)-> next`, if it has the machines of
   * this project: for the oracle's coverage, and to play failures on the diagrams. Only the last listener is called.
   */
  readonly watchHops?: (listener: (hop: string) => void) => void
  /** Returns the charts of its machines, if they differ from those of this project without features. */
  readonly charts?: (config: Record<string, unknown>) => Promise<readonly Chart[]>
}

/** Returns a configuration with a capability. */
export type TurnOn<Value> = (config: Record<string, unknown>, value: Value) => Record<string, unknown>

/** Handles a request, like the handler of a library. */
export type Handle = (request: Request) => Promise<Response>

/** What the description of a running application names. */
export interface Described {
  /** The path in front of the pages of the application: `''` if they are at the root. */
  readonly root: string
  readonly reading: Reading
  /** Returns the value of a browser's session cookies. @throws {Absent} if their name is unknown */
  readonly sessionCookie: (cookies: Readonly<Record<string, string>>) => string
  /** Returns the end of the application's log since the case began. @throws {Absent} if there is no log */
  readonly readLog: () => Promise<string>
  /** Returns whether requests can choose the page to which a sign-in or a sign-out returns. */
  readonly takesTarget: (name: 'signIn' | 'signOut') => boolean
  /** The request that shows who is signed in. */
  readonly sessionRequest: Unsent
  /** The field, or the header, that returns the CSRF token; undefined if the application has no tokens. */
  readonly csrf: { readonly from?: string; readonly field?: string; readonly header?: string } | undefined
  /** Returns a request without its CSRF token. @throws {Absent} if the description does not have it */
  readonly withoutProof: (name: 'signIn' | 'signOut', provider: RemoteName) => Unsent
  /** Returns a request with the CSRF token of a browser. @throws {Absent} if the description does not have it */
  readonly withProof: (browser: Browser, name: 'signIn' | 'signOut', provider: RemoteName) => Promise<Unsent>
  /** Returns the request of a browser for a mailed link. @throws {Absent} if the description does not have it */
  readonly mailRequest: (browser: Browser, address: string) => Promise<Unsent>
}

/** A request of a browser that is not sent yet. */
export interface Unsent {
  readonly path: string
  readonly sending: Sending
}

/** An open application of a target, with the world around it. */
export interface Stage {
  readonly origin: string
  readonly basePath: string
  readonly handle: Handle
  /** Returns the application's id of a provider of the world; undefined if it has none. */
  readonly idOf: (name: ProviderName) => string | undefined
  readonly idps: Readonly<Record<RemoteName, Idp>>
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly rows: Rows
  readonly recorded: Recorded
  readonly network: Network
  readonly plan: Plan
  readonly points: Points
  readonly tokens?: TokenFunctions
  readonly operations?: Operations
  /** What the application does, if it reports its transitions. */
  readonly playback?: Playback
  /** The charts of its machines, if they differ from those of this project without features. */
  readonly charts?: readonly Chart[]
  /** The routes of an application that does not have those of Auth.js. */
  readonly routes?: Routes
  /** How to use a running application, with any routes. */
  readonly described?: Described
  /** See {@link LibraryTarget.gates}. */
  readonly gates?: Gates
  /** The page of the command `world`, which can take the place of the providers and the mailbox: `http://127.0.0.1:4014`. */
  readonly controls?: string
  /**
   * Opens a second application in the same process, with the providers, mails and network of the first: with its store
   * it is the same application after a restart, with its own store another tenant. Needs the feature `setup`.
   */
  readonly another?: (setup: Setup, store: 'same' | 'own') => Promise<Stage>
  /**
   * Keeps the state of the application and of everything around it but its browsers, between two requests. Returns a function
   * that goes back to it. Mails, requests and log entries are not kept.
   */
  readonly save?: () => () => void
  readonly close: () => Promise<void>
}

/** Opens and drives a target. */
export interface Driver {
  readonly name: string
  readonly capabilities: ReadonlySet<string>
  readonly features: ReadonlySet<Feature>
  /** The capabilities that an application has only if its setup asks for them. @default none */
  readonly optional?: ReadonlySet<string>
  /** The providers that its applications can have. */
  readonly providers: ReadonlySet<ProviderName>
  /** The services whose providers it can create; see {@link LibraryTarget.presets}. @default none */
  readonly presets?: ReadonlySet<string>
  /** The session strategy of its applications, if the setup cannot choose it. */
  readonly strategy?: 'jwt' | 'database'
  readonly open: (setup: Setup, salt: number) => Promise<Stage>
}
