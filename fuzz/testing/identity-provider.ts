import type { AuthorizationAnswer, IdpClient, LoggedRequest } from '../world/idp/contract.ts'
import type { Fault } from '../world/idp/faults.ts'
import { createIdp } from '../world/idp/idp.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Somebody who has an account at the provider: the claims of their id_token and userinfo. */
export interface ProviderUser {
  /** Who they are, for ever. */
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly picture?: string
  readonly [claim: string]: unknown
}

export type { AuthorizationAnswer, LoggedRequest } from '../world/idp/contract.ts'

/** Options of an identity provider of tests. */
export interface IdentityProviderOptions {
  /** The first of them consents, until `choose` says otherwise. */
  readonly users: readonly ProviderUser[]
  /** Who may ask, with which secret, to come back to which URLs. @default whoever comes, with whatever secret */
  readonly clients?: readonly Pick<IdpClient, 'id' | 'secret' | 'method' | 'redirectUris'>[]
  /** What it does wrong, from the beginning. @default nothing */
  readonly misbehave?: readonly Misbehaviour[]
  /** The clock of its tokens. @default the system's */
  readonly clock?: Pick<VirtualClock, 'now'>
}

/**
 * What a provider can do wrong, by name. Of the token: `signature-foreign`, `alg-none`, `issuer-wrong`,
 * `audience-wrong`, `nonce-wrong`, `expired`, `sub-missing`. Of the answer that the browser brings: `access-denied`,
 * `state-wrong`, `iss-wrong`, `code-missing`. Of the network, at `discovery`, `jwks`, `token` or `userinfo`:
 * `token:500`, `token:hang`, `jwks:network-error`, `userinfo:html`. And more of each kind.
 */
export type Misbehaviour = Fault

/** An OpenID provider that asks nobody and consents at once: a sign-in there is a redirect there and back. */
export interface IdentityProvider {
  readonly issuer: string
  /** Answers a request to any of its endpoints. */
  readonly handle: (request: Request) => Promise<Response>
  /** `handle` as a fetch, for `customFetch`; no other origin answers. */
  readonly fetch: typeof fetch
  /** Does that wrong from now on, and what was named before no more; sign-ins that started keep their faults. */
  readonly misbehave: (...faults: readonly Misbehaviour[]) => void
  /** Who consents from now on. @throws {RangeError} when nobody has that `sub` */
  readonly choose: (sub: string) => void
  /** Visits an authorization URL as a browser would, and answers what the browser is sent back with. */
  readonly authorize: (url: string | URL) => Promise<AuthorizationAnswer>
  /** Signs with new keys from now on, and shows the old ones no more. */
  readonly rotate: () => void
  /** Every request that came, in order. */
  readonly log: readonly LoggedRequest[]
}

/**
 * An OpenID provider that needs no socket. Behind msw (`mswHandlers` of `authmachine-conformance/testing/msw`), with the issuer of a
 * real one, it stands in for that, and the configuration under test stays as it is.
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
    /** As the configuration names it, to the letter. */
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
          `Expected one of ${users.map((user) => user.sub).join(', ')}, got ${sub}, who is no user`,
        )
      idp.choose(sub)
    },
  }
}
