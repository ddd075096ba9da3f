import type { Clock } from '../world/clock.ts'
import type { Plan } from '../world/fault-plan.ts'
import type { Idp } from '../world/idp/contract.ts'
import type { Mailbox } from '../world/mailbox.ts'
import type { Network } from '../world/network.ts'
import type { ProviderName, RemoteName } from '../world/people.ts'
import type { Points } from '../world/points.ts'
import type { Rows } from '../world/store.ts'
import type { Told } from '../world/told.ts'
import type { Setup } from './setup.ts'

/** What a property may ask of a target beyond requests and mails; a running application has `https` at the most. */
export const features = ['setup', 'clock', 'store', 'hooks', 'faults', 'tokens', 'passkey', 'https'] as const
export type Feature = (typeof features)[number]

/** The functions over session tokens, with the signatures of `@auth/core/jwt`. */
export interface TokenFunctions {
  /** Seals a payload. */
  readonly encode: (params: Readonly<Record<string, unknown>>) => Promise<string>
  /** Opens what `encode` sealed; null for everything else. */
  readonly decode: (params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown> | null>
  /** Finds the token of a request, and opens it. */
  readonly getToken: (params: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/**
 * An implementation as a module: what a file exports by default, so that the oracle can judge it as a library.
 *
 * @example
 * import { Auth } from '@auth/core'
 * export default { name: 'mine', capabilities: [], open: (config) => (request) => Auth(request, config) }
 */
export interface LibraryTarget {
  readonly name: string
  /** The capabilities that it claims (see the table of the guide); a row behind another one is not judged. */
  readonly capabilities: readonly string[]
  /** A handler for a configuration in the shape of Auth.js. The environment variables of the setup are there by then. */
  readonly open: (config: Record<string, unknown>) => Handle | Promise<Handle>
  /** Makes the passkey provider of a configuration; without it passkeys are not judged. */
  readonly passkey?: (options: Readonly<Record<string, unknown>>) => unknown
  /** Makes the providers of well-known services, by their ids; without one what is about that service is not judged. */
  readonly presets?: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => unknown>>
  /** Without them tokens are not judged. */
  readonly tokens?: TokenFunctions
  /** The hops through its machines since it was last asked, for the coverage of the oracle; an implementation by machines has them. */
  readonly takeHops?: () => Counts
}

/** How often what was there, by name. */
export type Counts = Readonly<Record<string, number>>

/** Answers a request, as the handler of a library does. */
export type Handle = (request: Request) => Promise<Response>

/** An application of a target, open for requests, with the world around it. */
export interface Stage {
  readonly origin: string
  readonly basePath: string
  readonly handle: Handle
  /** What the application calls a provider of the world; undefined when it has none such. */
  readonly idOf: (name: ProviderName) => string | undefined
  readonly idps: Readonly<Record<RemoteName, Idp>>
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly rows: Rows
  readonly told: Told
  readonly network: Network
  readonly plan: Plan
  readonly points: Points
  readonly tokens?: TokenFunctions
  /**
   * A second application in the same process, with the providers, the mails and the network of the first: with its
   * store it is the same one, configured anew, with one of its own it is a neighbour. Needs the feature `setup`.
   */
  readonly another?: (setup: Setup, store: 'same' | 'own') => Promise<Stage>
  readonly close: () => Promise<void>
}

/** A way to reach a target. */
export interface Driver {
  readonly name: string
  readonly capabilities: ReadonlySet<string>
  readonly features: ReadonlySet<Feature>
  /** Which providers an application of it can have. */
  readonly providers: ReadonlySet<ProviderName>
  /** The services whose providers it can make; see {@link LibraryTarget.presets}. @default none */
  readonly presets?: ReadonlySet<string>
  /** How its applications keep sessions, when that is not the setup's to say. */
  readonly strategy?: 'jwt' | 'database'
  readonly open: (setup: Setup, salt: number) => Promise<Stage>
  readonly takeHops?: () => Counts
}
