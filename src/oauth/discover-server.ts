import * as oauth from 'oauth4webapi'
import type { Endpoint, OAuthSettings } from '../config/settings.ts'
import { hasShortHost, isOwnMachine } from '../text/host.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { OAuthContext } from './context.ts'
import { type Failed, fail, show } from './failure.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'
import { dropEmpty } from './optional-members.ts'
import { isSecureUrl, outboundFetch, readJson, UnusableResponse } from './outbound-fetch.ts'
import { cacheByFetch } from './provider-cache.ts'

/** The endpoint for which the metadata is needed. */
export type Need = 'authorization' | 'push' | 'token' | 'userinfo' | 'jwks' | 'logout'

/** The issuer in the metadata of a provider without one. No response can name it (RFC 2606). */
export const unknownIssuer = 'https://issuer.invalid'

const members = {
  authorization: 'authorization_endpoint',
  push: 'pushed_authorization_request_endpoint',
  token: 'token_endpoint',
  userinfo: 'userinfo_endpoint',
  jwks: 'jwks_uri',
  logout: 'end_session_endpoint',
} as const

/** Maximum characters of a URL in the metadata, because URL parsers and log messages get it. */
const longestUrl = 2048

const documents = cacheByFetch<oauth.AuthorizationServer>({ lifetime: 60 * 60 * 1000, entries: 100 })

/**
 * Returns the metadata of the authorization server. Configured values replace discovered ones, and URLs contain the
 * parameters of their endpoints. Fetches no document if the configuration contains the endpoint.
 *
 * The issuer of the discovery document must equal the configured issuer, or the preset's template of it (OpenID Discovery
 * 4.3). Documents are cached for an hour by URL, issuer and fetch.
 *
 * @param need the endpoint that must exist, unless a `request` hook replaces it
 */
export function discoverServer(
  provider: OAuthSettings,
  need: Need,
  context: OAuthContext,
): MaybePromise<Found | Failed> {
  const isAnswered = isConfigured(provider, need) && isIssuerSettled(provider)
  if (isAnswered || !(provider.issuer || provider.wellKnown)) return findConfigured(provider, need)
  return findDiscovered(provider, need, context)
}

async function findDiscovered(
  provider: OAuthSettings,
  need: Need,
  context: OAuthContext,
): Promise<Found | Failed> {
  try {
    return settle(provider, await readDocument(provider, context), need)
  } catch (error) {
    const advice = 'Check `issuer`, or `wellKnown`'
    return failFrom(error, 'discovery-refused', `Provider "${provider.id}": discovery failed`, advice)
  }
}

interface Found {
  readonly server: oauth.AuthorizationServer
}

/** Returns metadata from the configuration alone. */
function findConfigured(provider: OAuthSettings, need: Need): Found | Failed {
  return settle(provider, { issuer: provider.issuer || unknownIssuer }, need)
}

function settle(provider: OAuthSettings, discovered: oauth.AuthorizationServer, need: Need): Found | Failed {
  const server = complete(provider, discovered)
  return findForeignLoopback(provider, discovered) ?? checkEndpoint(provider, server, need) ?? { server }
}

/** Returns whether the endpoint is configured or not needed. */
function isConfigured(provider: OAuthSettings, need: Need): boolean {
  if (need === 'jwks') return Boolean(provider.jwksUri)
  if (need === 'logout' || need === 'push') return false
  // Only the document names the endpoint for pushed requests.
  if (need === 'authorization' && provider.client.require_pushed_authorization_requests === true) return false
  return Boolean(provider[need].url) || hasHook(provider, need)
}

function hasHook(provider: OAuthSettings, need: Need): boolean {
  return (need === 'token' || need === 'userinfo') && provider[need].request !== undefined
}

/** Returns whether the issuer of tokens is known without the document. */
function isIssuerSettled(provider: OAuthSettings): boolean {
  if (provider.preset.issuerTemplate !== undefined) return false
  return Boolean(provider.issuer) || !provider.wellKnown
}

function readDocument(provider: OAuthSettings, context: OAuthContext): Promise<oauth.AuthorizationServer> {
  const { issuer, wellKnown, preset, allowInsecureRequests } = provider
  const key = JSON.stringify([wellKnown, issuer, preset.issuerTemplate, allowInsecureRequests])
  return documents(provider, context).read(key, async () =>
    checkDocument(provider, await requestDocument(provider, context)),
  )
}

async function requestDocument(provider: OAuthSettings, context: OAuthContext): Promise<Response> {
  const send = outboundFetch(provider, context)
  if (provider.wellKnown) return send(provider.wellKnown)
  return oauth.discoveryRequest(new URL(provider.issuer ?? ''), {
    [oauth.customFetch]: send,
    [oauth.allowInsecureRequests]: true,
  })
}

async function checkDocument(
  { issuer, preset, clientSecret }: OAuthSettings,
  response: Response,
): Promise<oauth.AuthorizationServer> {
  const problem = response.ok ? undefined : await readProviderError(response)
  if (problem)
    throw new UnusableResponse(
      `the discovery document returned ${response.status} with ${tellProviderError(problem, [clientSecret])}`,
    )
  const body = response.status === 200 ? tidyMetadata(dropEmpty(await readJson(response))) : {}
  limitUrls(body)
  const named = body.issuer
  const accepted = [issuer, preset.issuerTemplate].filter((text) => text)
  if (response.status === 200 && issuer && !accepted.some((text) => text === named))
    throw new UnusableResponse(
      `expected the issuer ${show(issuer)}, got ${show(named)}. If that is the provider, set \`issuer\` to exactly this text`,
    )
  const expected = typeof named === 'string' && URL.canParse(named) ? named : unknownIssuer
  const document = await oauth.processDiscoveryResponse(
    new URL(expected),
    response.status === 200 ? Response.json(body) : response,
  )
  // Copied, because the document is cached, and a replaced Response may keep the object that it returns.
  return JSON.parse(JSON.stringify(document)) as oauth.AuthorizationServer
}

const lists: ReadonlySet<string> = new Set([
  'code_challenge_methods_supported',
  'id_token_signing_alg_values_supported',
])
const endpoints: ReadonlySet<string> = new Set(Object.values(members))

/** Removes members whose type violates the standard, because a sign-in may not need them. */
function tidyMetadata(document: Record<string, unknown>): Record<string, unknown> {
  const isReadable = ([name, value]: [string, unknown]) =>
    (!endpoints.has(name) || typeof value === 'string') && (!lists.has(name) || Array.isArray(value))
  return Object.fromEntries(Object.entries(document).filter(isReadable))
}

/** @throws UnusableResponse if parsing a URL of the document would take long */
function limitUrls(document: Record<string, unknown>): void {
  for (const name of ['issuer', ...endpoints]) {
    const url = document[name]
    if (typeof url === 'string' && (url.length > longestUrl || !hasShortHost(url)))
      throw new UnusableResponse(`expected ${name} to be a shorter URL, got ${show(url)}`)
  }
}

/** Merges the configured endpoints, with their parameters, over the discovered ones. */
function complete(provider: OAuthSettings, discovered: oauth.AuthorizationServer): oauth.AuthorizationServer {
  const place = (need: 'authorization' | 'token' | 'userinfo') =>
    withParams(provider[need], provider[need].url || discovered[members[need]])
  return {
    ...discovered,
    authorization_endpoint: place('authorization'),
    token_endpoint: place('token'),
    userinfo_endpoint: place('userinfo'),
    jwks_uri: provider.jwksUri || discovered.jwks_uri,
  }
}

function withParams({ params }: Endpoint, text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const entries = Object.entries(params)
  if (entries.length === 0) return text
  const url = new URL(text)
  for (const [name, value] of entries) url.searchParams.set(name, value)
  return url.href
}

/**
 * A discovery document must not direct requests to the server's own machine, because tenants may choose issuers. Any
 * endpoint may be used later in the flow, so all of them are checked, except a userinfo endpoint that no sign-in uses.
 */
function findForeignLoopback(
  provider: OAuthSettings,
  discovered: oauth.AuthorizationServer,
): Failed | undefined {
  const source = provider.issuer || provider.wellKnown
  if (!source || provider.allowInsecureRequests || isOwnMachine(new URL(source).hostname)) return undefined
  for (const need of Object.keys(members) as Need[]) {
    const isIdle = isConfigured(provider, need) || (need === 'userinfo' && !readsUserinfo(provider))
    const endpoint = isIdle ? undefined : discovered[members[need]]
    if (endpoint === undefined || !URL.canParse(endpoint) || !isOwnMachine(new URL(endpoint).hostname))
      continue
    return fail(
      'insecure-url',
      `Provider "${provider.id}": ${members[need]} was discovered on the local machine, ${show(endpoint)}, and its issuer is on another host. If this is intended, configure the endpoint, or set \`allowInsecureRequests\``,
    )
  }
  return undefined
}

/** Returns whether sign-ins read the profile from the userinfo endpoint. */
export function readsUserinfo({ type, idToken }: OAuthSettings): boolean {
  return type !== 'oidc' || !idToken
}

/** An endpoint is required only when it is used (decision 10). */
export function checkEndpoint(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  need: Need,
): Failed | undefined {
  const endpoint = server[members[need]]
  const where = `Provider "${provider.id}"`
  if (endpoint === undefined || !URL.canParse(endpoint))
    return hasHook(provider, need)
      ? undefined
      : fail('misconfigured', `${where}: expected ${members[need]}, configured or discovered, and found none`)
  const urls = [endpoint, ...(provider.issuer && URL.canParse(provider.issuer) ? [provider.issuer] : [])]
  const insecure = urls.find((url) => !isSecureUrl(new URL(url), provider.allowInsecureRequests))
  return insecure === undefined
    ? undefined
    : fail('insecure-url', `${where}: expected https, or http on a loopback host, for ${show(insecure)}`)
}
