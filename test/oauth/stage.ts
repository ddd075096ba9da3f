import { resolveOAuth } from '../../src/config/resolve-oauth.ts'
import type { OAuthSettings } from '../../src/config/settings.ts'
import { canonicaliseAddress } from '../../src/text/email-address.ts'
import { writeAuthorizationUrl } from '../../src/oauth/authorization-url.ts'
import { type CheckValues, chooseChecks, mintCheckValues } from '../../src/oauth/choose-checks.ts'
import type { OAuthContext } from '../../src/oauth/context.ts'
import { discoverServer } from '../../src/oauth/discover-server.ts'
import { checkTokens, requestTokens } from '../../src/oauth/exchange-code.ts'
import { type OAuthFailure, hasFailed } from '../../src/oauth/failure.ts'
import { validateResponse } from '../../src/oauth/check-response.ts'
import { type MappedProfile, deriveUser, loadProfile } from '../../src/oauth/read-profile.ts'
import { verifySignature } from '../../src/oauth/id-token.ts'
import { preset, type PresetHooks } from '../../src/provider-base/preset.ts'
import type { Platform } from '../../src/types/config.ts'
import type { Profile, TokenSet } from '../../src/types/records.ts'
import type { Idp, IdpClient, IdpOptions } from '../../fuzz/world/idp/contract.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'

export const issuer = 'https://idp.example'
export const redirectUri = 'https://app.example/auth/callback/idp'
/** Secrets and codes that no message may contain. */
export const clientSecret = 'canary client secret (~!*)'

/** A platform whose clock stands still and whose timers fire on demand. */
export interface TestPlatform extends Platform {
  readonly advance: (milliseconds: number) => void
  /** Milliseconds of the pending timers. */
  readonly timers: () => readonly number[]
}

export function createPlatform(fetch: typeof globalThis.fetch, start = Date.UTC(2030, 0, 1)): TestPlatform {
  let time = start
  const set = new Map<object, { readonly due: number; readonly ring: () => void }>()
  return {
    now: () => time,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch,
    timer(milliseconds, ring) {
      const handle = { cancel: () => void set.delete(handle) }
      set.set(handle, { due: time + milliseconds, ring })
      return handle
    },
    advance(milliseconds) {
      time += milliseconds
      for (const [handle, { due, ring }] of set) {
        if (due > time) continue
        set.delete(handle)
        ring()
      }
    },
    timers: () => [...set.values()].map(({ due }) => due - time),
  }
}

export interface Stage {
  readonly idp: Idp
  readonly provider: OAuthSettings
  readonly context: OAuthContext & { readonly platform: TestPlatform }
}

interface StageOptions {
  readonly idp?: Partial<IdpOptions>
  readonly client?: Partial<IdpClient>
  /** Additional members of the provider's configuration. */
  readonly provider?: Readonly<Record<PropertyKey, unknown>>
  readonly preset?: PresetHooks
  readonly fetch?: (idp: Idp) => typeof fetch
}

/** A provider's configuration, in the form from which the library derives its settings. */
export function resolve(
  config: Readonly<Record<PropertyKey, unknown>>,
  hooks: PresetHooks = {},
  redirectProxyUrl?: string,
): OAuthSettings {
  const merged = {
    id: 'idp',
    name: 'IdP',
    type: 'oidc',
    issuer,
    clientId: 'client-1',
    clientSecret,
    ...config,
  }
  const type = merged.type === 'oauth' ? 'oauth' : 'oidc'
  return resolveOAuth(merged, { id: 'idp', name: 'IdP', type }, { [preset]: hooks }, redirectProxyUrl)
}

/** A provider and its client, with one clock. */
export function createStage(options: StageOptions = {}): Stage {
  const clock: { now: () => number } = { now: () => 0 }
  const idp = createIdp({
    issuer,
    clients: [{ id: 'client-1', secret: clientSecret, ...options.client }],
    users: [
      {
        sub: 'ann',
        claims: { name: 'Ann', email: 'Ann@Example.com', picture: 'https://idp.example/ann.png' },
      },
      { sub: 'bob', claims: { name: 'Bob' } },
    ],
    now: () => clock.now(),
    ...options.idp,
  })
  const platform = createPlatform(options.fetch?.(idp) ?? idp.fetch)
  clock.now = platform.now
  return {
    idp,
    provider: resolve({ issuer: idp.issuer, ...options.provider }, options.preset),
    context: { platform, version: '1.2.3' },
  }
}

/** How far a sign-in got. */
export type Stop =
  'discovery' | 'authorization' | 'response' | 'exchange' | 'signature' | 'profile' | 'mapping'

export type SignIn =
  | { readonly stop: Stop; readonly failed: OAuthFailure }
  | {
      readonly stop: undefined
      readonly checks: CheckValues
      readonly url: URL
      readonly tokens: TokenSet
      readonly claims?: Profile
      readonly profile: Profile
      readonly mapped: MappedProfile
    }

interface SignInOptions {
  /** Parameters of the sign-in request. */
  readonly parameters?: Record<string, string>
  /** Parameters at the callback, instead of those of the provider. */
  readonly bring?: (parameters: URLSearchParams) => URLSearchParams
  /** Checks at the callback, instead of those of the sign-in. */
  readonly hold?: (checks: CheckValues) => CheckValues
}

/** The parts of a stage that a sign-in needs. */
export interface SignInStage extends Omit<Stage, 'idp'> {
  readonly idp: Pick<Idp, 'authorize'>
}

/** Signs in through all protocol functions, as the steps of the flows do. */
export async function signIn(stage: SignInStage, options: SignInOptions = {}): Promise<SignIn> {
  const { provider, context } = stage
  const found = await discoverServer(provider, 'authorization', context)
  if (hasFailed(found)) return { stop: 'discovery', ...found }
  const names = chooseChecks(provider, found.server, false)
  const checks = mintCheckValues(names, context.platform)
  const parameters = new URLSearchParams(options.parameters)
  const built = await writeAuthorizationUrl(provider, found.server, { redirectUri, checks, parameters })
  if (hasFailed(built)) return { stop: 'authorization', ...built }
  const answer = await stage.idp.authorize(built.url)
  const brought = options.bring?.(answer.parameters) ?? answer.parameters
  return callBack(stage, brought, options.hold?.(checks) ?? checks, built.url)
}

/** The second half of a sign-in, from the callback on. */
export async function callBack(
  { provider, context }: SignInStage,
  parameters: URLSearchParams,
  checks: CheckValues,
  url: string,
): Promise<SignIn> {
  const found = await discoverServer(provider, 'token', context)
  if (hasFailed(found)) return { stop: 'discovery', ...found }
  const { server } = found
  const judged = validateResponse(provider, server, parameters, checks.state, context)
  if (hasFailed(judged)) return { stop: 'response', ...judged }
  const { response } = judged
  const exchange = { response, redirectUri, ...checks }
  const answer = await requestTokens(provider, server, exchange, context)
  if (hasFailed(answer)) return { stop: 'exchange', ...answer }
  const exchanged = await checkTokens(provider, server, answer.response, exchange, context)
  if (hasFailed(exchanged)) return { stop: 'exchange', ...exchanged }
  const { grant } = exchanged
  const idToken = grant.tokens.id_token
  const declared = provider.client.id_token_signed_response_alg
  const forged = idToken && (await verifySignature(idToken, declared, provider, server, context))
  if (forged) return { stop: 'signature', ...forged }
  const read = await loadProfile(provider, server, grant, response, context)
  if (hasFailed(read)) return { stop: 'profile', ...read }
  const helpers = { platform: context.platform, canonicaliseEmail: canonicaliseAddress }
  const mapped = await deriveUser(provider, read.profile, grant.tokens, helpers)
  if (hasFailed(mapped)) return { stop: 'mapping', ...mapped }
  return { stop: undefined, checks, url: new URL(url), ...grant, profile: read.profile, mapped }
}

/** Expects the sign-in to be complete. */
export function admitted(result: SignIn): Extract<SignIn, { stop: undefined }> {
  if (result.stop !== undefined)
    throw new Error(
      `The sign-in stopped at ${result.stop}: ${result.failed.reason}, ${result.failed.error.message}`,
    )
  return result
}

/** Where and why the sign-in ended, for comparison. */
export function ending(result: SignIn): string {
  return result.stop === undefined ? 'admitted' : `${result.stop}: ${result.failed.reason}`
}
