import { systemPlatform } from '../../../platform/clock.ts'
import { explainError } from '../../../errors/explanations.ts'
import { findConnectionProblem } from '../../../errors/connection-problem.ts'
import { nameVariable } from '../../../config/environment.ts'
import type { AuthError } from '../../../errors/classes.ts'
import type { OAuthSettings, ProviderSettings, Settings } from '../../../config/settings.ts'
import { discoverServer, type Need, readsUserinfo } from '../../../oauth/discover-server.ts'
import { hasFailed } from '../../../oauth/failure.ts'
import { version } from '../../../platform/version.ts'
import { type Finding, good, note, problem, guideSections, warning } from './finding.ts'

/** The difference between another clock and this machine's clock. */
interface Skew {
  readonly whose: string
  /** Seconds; negative if it is behind. */
  readonly seconds: number
}

/** Clock tolerance for id_tokens, in seconds. */
const tolerance = 30

/** Reads the clock skew from the Date header; undefined without one. Times are in milliseconds. */
export function readSkew(
  whose: string,
  headers: Headers,
  askedAt: number,
  answeredAt: number,
): Skew | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return undefined
  // A cache keeps the original Date and reports the age of its copy (RFC 9111 5.1).
  const age = Number(headers.get('age') ?? 0) * 1000 || 0
  const here = (askedAt + answeredAt) / 2
  return { whose, seconds: Math.round((date + age - here) / 1000) }
}

/** Checks this machine's clock against the others. */
export function judgeClocks(skews: readonly Skew[]): readonly Finding[] {
  const worst = skews.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds))[0]
  if (!worst) return []
  const { whose, seconds } = worst
  const by = Math.abs(seconds)
  if (by <= tolerance) return [good(`This machine's clock and that of ${whose} are ${by} s apart.`)]
  return [
    problem(
      `This machine's clock is ${by} s ${seconds > 0 ? 'behind' : 'ahead of'} that of ${whose}: tokens may seem not yet valid or expired.`,
      'Synchronize both clocks over the network (NTP).',
      guideSections.clock,
    ),
  ]
}

/** Network access for the checks. */
export interface Network {
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Checks the metadata of all providers concurrently, and the clock against their responses. */
export async function judgeProviders(
  { providers, leftOut }: Settings,
  network: Network,
): Promise<{ readonly findings: readonly Finding[]; readonly clock: readonly Finding[] }> {
  const skews: Skew[] = []
  const findings = await Promise.all(
    [...providers.values()].map((provider) => judgeProvider(provider, network, skews)),
  )
  const nobody = warning(
    'There is no provider, so nobody can sign in.',
    'Add a provider to providers.',
    guideSections.providers,
  )
  return {
    findings: [
      ...findings.flat(),
      ...[...leftOut.values()].map(({ error }) => judgeLeftOut(error)),
      ...(providers.size + leftOut.size === 0 ? [nobody] : []),
    ],
    clock: judgeClocks(skews),
  }
}

/** The first sentence of the message names the missing value of the provider, and the rest the options to set. */
function judgeLeftOut({ message }: AuthError): Finding {
  const end = message.indexOf('. ')
  return warning(`${message.slice(0, end)}.`, `${message.slice(end + 2)}.`, guideSections.credentials)
}

async function judgeProvider(
  provider: ProviderSettings,
  network: Network,
  skews: Skew[],
): Promise<readonly Finding[]> {
  if (provider.kind !== 'oauth') return [note(`${provider.id}: ${untried[provider.kind]}.`)]
  const client = checkClient(provider)
  const server = await judgeServer(provider, network, skews)
  return [...client, server]
}

const untried: Readonly<Record<Exclude<ProviderSettings['kind'], 'oauth'>, string>> = {
  email: 'not checked, because only a sign-in sends mail',
  credentials: 'not checked; your authorize() decides',
  password: 'not checked, because the adapter stores the passwords',
  webauthn: 'passkeys need no external service',
  feature: 'not checked, because the feature decides who signs in',
}

function checkClient(provider: OAuthSettings): readonly Finding[] {
  const { id, clientSecret, client, token } = provider
  if (client.token_endpoint_auth_method === 'private_key_jwt') {
    if (token.clientPrivateKey || token.request) return []
    return [
      problem(
        `${id}: there is no private key for private_key_jwt.`,
        'Set token.clientPrivateKey.',
        guideSections.credentials,
      ),
    ]
  }
  const isPublic = client.token_endpoint_auth_method === 'none' || token.clientPrivateKey || token.request
  if (clientSecret || isPublic) return []
  return [
    warning(
      `${id}: there is no clientSecret, but most providers require one.`,
      `Set ${nameVariable(id, 'SECRET')}, or client: { token_endpoint_auth_method: 'none' } for a public client.`,
      guideSections.credentials,
    ),
  ]
}

async function judgeServer(
  provider: OAuthSettings,
  { fetch, now }: Network,
  skews: Skew[],
): Promise<Finding> {
  let hasAsked = false
  const watching: typeof fetch = async (input, init) => {
    hasAsked = true
    const askedAt = now()
    const response = await (provider.fetch ?? fetch)(input, init)
    const skew = readSkew(provider.id, response.headers, askedAt, now())
    if (skew) skews.push(skew)
    return response
  }
  const context = { platform: { ...systemPlatform, fetch: watching, now }, version }
  const needs: readonly Need[] = [
    'authorization',
    'token',
    ...(provider.type === 'oidc' ? (['jwks'] as const) : []),
    ...(readsUserinfo(provider) ? (['userinfo'] as const) : []),
  ]
  for (const need of needs) {
    const found = await discoverServer({ ...provider, fetch: watching }, need, context)
    if (hasFailed(found)) {
      const { error, reason } = found.failed
      const explained = explainError(findConnectionProblem(error) ?? reason)
      return problem(`${error.message}.`, explained?.fix ?? 'Read the message.', guideSections.endpoints)
    }
  }
  const where = provider.issuer ?? provider.authorization.url ?? provider.wellKnown ?? 'its endpoints'
  return hasAsked
    ? good(`${provider.id}: ${where} responds with a matching issuer and all required endpoints.`)
    : note(`${provider.id}: not checked, because its endpoints are configured.`)
}
