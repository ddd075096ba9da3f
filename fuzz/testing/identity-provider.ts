import type { AuthorizationResponse, IdpClient, LoggedRequest } from '../world/idp/contract.ts'
import type { Fault } from '../world/idp/faults.ts'
import { createIdp } from '../world/idp/idp.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A user of the provider: the claims of their id_token and userinfo. */
export interface ProviderUser {
  /** The permanent subject of the user. */
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly picture?: string
  readonly [claim: string]: unknown
}

export type { AuthorizationResponse, LoggedRequest } from '../world/idp/contract.ts'

/** Options of a mock identity provider. */
export interface IdentityProviderOptions {
  /** The first user consents, until you call `choose`. */
  readonly users: readonly ProviderUser[]
  /** The registered clients, with secrets and redirect URIs. @default accepts any client and secret */
  readonly clients?: readonly Pick<IdpClient, 'id' | 'secret' | 'method' | 'redirectUris'>[]
  /** Initial faults. @default none */
  readonly misbehave?: readonly Misbehaviour[]
  /** The clock for its tokens. @default the system clock */
  readonly clock?: Pick<VirtualClock, 'now'>
}

/**
 * Faults of a provider, by name. In the token: `signature-foreign`, `alg-none`, `issuer-wrong`,
 * `audience-wrong`, `nonce-wrong`, `expired`, `sub-missing`. In the response that the browser carries: `access-denied`,
 * `state-wrong`, `iss-wrong`, `code-missing`. In the network, at `discovery`, `jwks`, `token` or `userinfo`:
 * `token:500`, `token:hang`, `jwks:network-error`, `userinfo:html`. There are more of each kind.
 */
export type Misbehaviour = Fault

/** An OpenID provider that consents without interaction: a sign-in is a redirect to it and back. */
export interface IdentityProvider {
  readonly issuer: string
  /** Handles a request to any of its endpoints. */
  readonly handle: (request: Request) => Promise<Response>
  /** `handle` as a fetch function, for `customFetch`; rejects other origins. */
  readonly fetch: typeof fetch
  /** Replaces the faults; sign-ins that already started keep theirs. */
  readonly misbehave: (...faults: readonly Misbehaviour[]) => void
  /** Chooses the user who consents from now on. @throws {RangeError} if no user has that `sub` */
  readonly choose: (sub: string) => void
  /** Visits an authorization URL like a browser, and returns the parameters of the redirect back. */
  readonly authorize: (url: string | URL) => Promise<AuthorizationResponse>
  /** Signs with new keys from now on, and no longer publishes the old ones. */
  readonly rotate: () => void
  /** Every request, in order. */
  readonly log: readonly LoggedRequest[]
}

/**
 * Creates an OpenID provider without a socket. With msw (`mswHandlers` of `authmachine-conformance/testing/msw`) and the
 * issuer of a real provider it mocks that provider, without a change to the configuration under test.
 *
 * @example
 * const google = mockIdentityProvider({
 *   issuer: 'https://accounts.google.com',
 *   users: [{ sub: '1', name: 'Ada', email: 'ada@example.com' }],
 * })
 * const server = setupServer(...mswHandlers(google))
 */
export function mockIdentityProvider(
  options: IdentityProviderOptions & {
    /** The issuer, exactly as configured. */
    readonly issuer: string
  },
): IdentityProvider {
  const { issuer, users, clients, misbehave = [], clock } = options
  const idp = createIdp({
    issuer,
    users: users.map(({ sub, ...claims }) => ({ sub, claims })),
    misbehave,
    ...(clients && { clients }),
    ...(clock && { now: clock.now }),
  })
  return {
    issuer,
    handle: idp.handle,
    fetch: idp.fetch,
    misbehave: idp.misbehave,
    rotate: idp.rotate,
    log: idp.log,
    authorize: (url) => idp.authorize(String(url)),
    choose(sub) {
      if (!users.some((user) => user.sub === sub))
        throw new RangeError(
          `Expected one of ${users.map((user) => user.sub).join(', ')}, got the unknown user ${sub}`,
        )
      idp.choose(sub)
    },
  }
}
