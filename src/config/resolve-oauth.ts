import { InvalidConfig, InvalidEndpoints, MissingClientId } from '../errors/classes.ts'
import { endsSessions, providerFlags } from '../features/options.ts'
import { preset } from '../provider-base/preset.ts'
import { customFetch } from '../types/symbols.ts'
import type { OAuthConfig } from '../types/provider.ts'
import { defaultAccount, defaultProfile } from './default-callbacks.ts'
import { describe } from './rule.ts'
import { requireClient } from './client-metadata.ts'
import { nameVariable } from './environment.ts'
import type { Lack } from './left-out.ts'
import type { Check, Endpoint, OAuthSettings } from './settings.ts'

/** Timeout of a request to a provider in milliseconds (decision 11). */
const requestTimeout = 10_000
const placesOfEndpoints = ['authorization', 'token', 'userinfo'] as const

/**
 * Resolves the configuration of an OAuth or OpenID Connect provider. Values from its registration may be missing.
 * @throws InvalidEndpoints, InvalidConfig
 */
export function resolveOAuth(
  merged: object,
  common: Pick<OAuthSettings, 'id' | 'name' | 'type'>,
  defaults: object,
  redirectProxyUrl: string | undefined,
): OAuthSettings {
  requireKinds(merged, common.id)
  const config = merged as OAuthConfig
  if (config.tenants && common.type !== 'oidc')
    throw new InvalidConfig(
      `\`tenants\` of provider "${common.id}" needs the type "oidc", because only an id_token names a tenant`,
    )
  const authorization = readEndpoint(config.authorization, common.id)
  const { conform, request, clientPrivateKey } = hooksOf(config.token)
  const checks = readChecks(config.checks ?? (common.type === 'oidc' ? ['pkce', 'nonce'] : ['pkce']), common)
  const responseMode = isFormPost(authorization, common.id) ? 'form_post' : 'query'
  const settings: OAuthSettings = {
    ...common,
    kind: 'oauth',
    clientId: config.clientId ?? '',
    clientSecret: config.clientSecret,
    issuer: config.issuer,
    wellKnown: config.wellKnown,
    authorization,
    token: { ...readEndpoint(config.token, common.id), conform, request, clientPrivateKey },
    userinfo: { ...readEndpoint(config.userinfo, common.id), request: hooksOf(config.userinfo).request },
    jwksUri: config.jwks_endpoint,
    checks: checks.filter((check) => check !== 'none'),
    checksDisabled: checks.includes('none'),
    responseMode,
    client: config.client ?? {},
    endsSessions: endsSessions(config),
    idToken: !('idToken' in config && config.idToken === false),
    profile: config.profile ?? defaultProfile,
    account: config.account ?? defaultAccount,
    allowDangerousEmailAccountLinking: config.allowDangerousEmailAccountLinking === true,
    storeUnverifiedEmail: config.storeUnverifiedEmail === true,
    redirectProxy: readRedirectProxy(config.redirectProxyUrl ?? redirectProxyUrl, common.id),
    allowInsecureRequests: config.allowInsecureRequests === true,
    timeout: config.timeout ?? requestTimeout,
    tenants: config.tenants,
    style: config.style ?? {},
    fetch: config[customFetch],
    preset: (Reflect.get(defaults, preset) as OAuthSettings['preset'] | undefined) ?? {},
    config,
  }
  requireEndpoints(settings)
  return Object.freeze(settings)
}

const kinds = {
  string: ['clientId', 'clientSecret', 'issuer', 'wellKnown', 'jwks_endpoint', 'redirectProxyUrl'],
  function: ['profile', 'account'],
  object: ['client', 'style'],
  number: ['timeout'],
  boolean: providerFlags,
} as const

/** Checks the types of options, and that the URLs of the server are valid. */
function requireKinds(merged: object, id: string): void {
  const config = merged as Readonly<Record<PropertyKey, unknown>>
  const isGiven = (name: PropertyKey) => config[name] !== undefined && config[name] !== null
  for (const [kind, names] of Object.entries(kinds))
    for (const name of names)
      if (isGiven(name) && typeof config[name] !== kind)
        throw new InvalidConfig(
          `\`${name}\` of provider "${id}" must be a ${kind}, got ${describe(config[name])}`,
        )
  for (const name of ['issuer', 'wellKnown', 'jwks_endpoint'] as const)
    if (config[name] && !(typeof config[name] === 'string' && URL.canParse(config[name])))
      throw new InvalidEndpoints(`\`${name}\` of provider "${id}" must be a valid URL`)
  if (isGiven('tenants') && !Array.isArray(config.tenants))
    throw new InvalidConfig(
      `\`tenants\` of provider "${id}" must be an array, got ${describe(config.tenants)}`,
    )
  if (isGiven('timeout') && !(Number(config.timeout) > 0 && Number.isFinite(config.timeout)))
    throw new InvalidConfig(`\`timeout\` of provider "${id}" must be a positive number of milliseconds`)
  if (isGiven(customFetch) && typeof config[customFetch] !== 'function')
    throw new InvalidConfig(`\`customFetch\` of provider "${id}" must be a function`)
  for (const name of ['checks', 'tenants'])
    if (isGiven(name) && !Array.isArray(config[name]))
      throw new InvalidConfig(
        `\`${name}\` of provider "${id}" must be an array, got ${describe(config[name])}`,
      )
  requireClient({ ...(config.client as object) }, id)
}

function readEndpoint(value: unknown, id: string): Endpoint {
  const { url, params = {} } =
    typeof value === 'object' && value !== null
      ? (value as { url?: string; params?: Record<string, unknown> })
      : { url: value as string | undefined }
  if (url !== undefined && !URL.canParse(url))
    throw new InvalidEndpoints(`Provider "${id}" has an endpoint that is not a valid URL`)
  for (const [name, param] of Object.entries(params))
    if (Array.isArray(param) && param.every((each) => typeof each === 'string'))
      throw new InvalidConfig(
        `The parameter \`${name}\` of an endpoint of provider "${id}" must be a string, got an array. Separate values with spaces`,
      )
  const texts = Object.entries(params)
    .filter(([, param]) => param !== undefined && param !== null)
    .map(([name, param]) => [name, typeof param === 'string' ? param : JSON.stringify(param)])
  return { url, params: Object.fromEntries(texts) as Record<string, string> }
}

/** Returns the members of an endpoint other than its URL. */
function hooksOf<T>(endpoint: string | T | undefined): Partial<T> {
  return typeof endpoint === 'object' && endpoint !== null ? endpoint : {}
}

function readChecks(checks: readonly string[], provider: { id: string; type: string }): (Check | 'none')[] {
  const known: readonly string[] =
    provider.type === 'oidc' ? ['pkce', 'state', 'nonce', 'none'] : ['pkce', 'state', 'none']
  for (const check of checks)
    if (!known.includes(check))
      throw new InvalidConfig(
        `\`checks\` of provider "${provider.id}" must be among ${known.join(', ')}, got "${check}"`,
      )
  return checks as (Check | 'none')[]
}

function isFormPost({ url, params }: Endpoint, id: string): boolean {
  const mode = params.response_mode ?? (url && new URL(url).searchParams.get('response_mode'))
  if (mode && mode !== 'query' && mode !== 'form_post')
    throw new InvalidConfig(
      `\`response_mode\` of provider "${id}" must be "query" or "form_post", got ${JSON.stringify(mode)}`,
    )
  return mode === 'form_post'
}

function readRedirectProxy(url: string | undefined, id: string): OAuthSettings['redirectProxy'] {
  if (!url) return undefined
  if (!URL.canParse(url)) throw new InvalidConfig('`redirectProxyUrl` must be a valid URL')
  return { callbackUrl: `${url.replace(/\/$/, '')}/callback/${id}`, origin: new URL(url).origin }
}

/**
 * Returns the value that an incomplete provider lacks. It comes from the registration, usually through a variable: a
 * client id, which every authorization request contains (RFC 6749 4.1.1), or the issuer.
 */
export function findLack(settings: OAuthSettings): Lack | undefined {
  const { id, clientId } = settings
  const result = 'so the site does not offer it'
  const missing = listMissing(settings)
  const issuer = missing.length === placesOfEndpoints.length ? [nameVariable(id, 'ISSUER')] : []
  if (clientId === '') {
    const variable = nameVariable(id, 'ID')
    const error = new MissingClientId(
      `Provider "${id}" has no \`clientId\`, ${result}. Set the option, or the environment variable ` +
        `\`${variable}\`, to the client id that the provider assigned`,
    )
    return { error, variables: [variable, ...issuer] }
  }
  return issuer.length > 0 ? { error: lackOfEndpoint(id, missing[0], result), variables: issuer } : undefined
}

/** Without an issuer for discovery, a provider with one endpoint needs every endpoint. */
function requireEndpoints(settings: OAuthSettings): void {
  const missing = listMissing(settings)
  if (settings.clientId === '' || missing.length === 0 || missing.length === placesOfEndpoints.length) return
  throw lackOfEndpoint(settings.id, missing[0])
}

type Place = (typeof placesOfEndpoints)[number]

function listMissing(settings: OAuthSettings): readonly Place[] {
  if (settings.issuer || settings.wellKnown) return []
  return placesOfEndpoints.filter(
    (place) => !settings[place].url && !('request' in settings[place] && settings[place].request),
  )
}

function lackOfEndpoint(id: string, place: Place = 'authorization', result = ''): InvalidEndpoints {
  const article = place === 'authorization' ? 'an' : 'a'
  const says = [`Provider "${id}" has neither an issuer nor ${article} \`${place}\` endpoint`, result]
  return new InvalidEndpoints(
    `${says.filter(Boolean).join(', ')}. ` +
      `Set the environment variable \`${nameVariable(id, 'ISSUER')}\`, \`issuer\` or \`${place}\``,
  )
}
