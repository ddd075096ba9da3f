import { systemPlatform } from '../../clock.ts'
import type { OAuthSettings, ProviderSettings, Settings } from '../../config/settings.ts'
import { discoverServer, type Need } from '../../oauth/discover-server.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { version } from '../../version.ts'
import { good, note, problem, warning, type Finding } from './finding.ts'
import { judgeClocks, readSkew, type Skew } from './judge-clock.ts'

/** How providers are reached. */
export interface Network {
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Asks every provider for what it says of itself, all at once; the clocks are those of their answers. */
export async function judgeProviders(
  { providers }: Settings,
  network: Network,
): Promise<{ readonly findings: readonly Finding[]; readonly clock: readonly Finding[] }> {
  const skews: Skew[] = []
  const findings = await Promise.all(
    [...providers.values()].map((provider) => judgeProvider(provider, network, skews)),
  )
  return {
    findings: providers.size === 0 ? [warning('There is no provider: nobody can sign in.')] : findings.flat(),
    clock: judgeClocks(skews),
  }
}

async function judgeProvider(
  provider: ProviderSettings,
  network: Network,
  skews: Skew[],
): Promise<readonly Finding[]> {
  if (provider.kind !== 'oauth') return [note(`${provider.id}: ${untried[provider.kind]}.`)]
  const client = judgeClient(provider)
  const server = await judgeServer(provider, network, skews)
  return [...client, server]
}

const untried: Readonly<Record<Exclude<ProviderSettings['kind'], 'oauth'>, string>> = {
  email: 'mails are sent by a sign-in only, so that nothing was tried',
  credentials: 'your authorize() decides',
  webauthn: 'passkeys are of the site, and need nobody else',
}

function judgeClient(provider: OAuthSettings): readonly Finding[] {
  const { id, clientId, clientSecret, client, token } = provider
  const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  if (clientId === '')
    return [problem(`${id}: there is no clientId.`, `Set ${name}_ID to the one that the provider gave you.`)]
  const isPublic = client.token_endpoint_auth_method === 'none' || token.clientPrivateKey || token.request
  if (clientSecret || isPublic) return []
  return [
    warning(
      `${id}: there is no clientSecret, and few providers take a client without.`,
      `Set ${name}_SECRET, or client: { token_endpoint_auth_method: 'none' } for a public client.`,
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
  const needs: readonly Need[] =
    provider.type === 'oidc' ? ['authorization', 'token', 'jwks'] : ['authorization', 'token', 'userinfo']
  for (const need of needs) {
    const found = await discoverServer({ ...provider, fetch: watching }, need, context)
    if (hasFailed(found)) {
      const { error, cause, reason } = found.failed
      const why = cause instanceof Error ? ` (${reasonOf(cause)})` : ''
      return problem(`${error.message}${why}.`, advice[reason] ?? advice['discovery-refused'])
    }
  }
  const where = provider.issuer ?? provider.authorization.url ?? provider.wellKnown ?? 'its endpoints'
  return hasAsked
    ? good(`${provider.id}: ${where} answers, is the issuer that it says, and has every endpoint.`)
    : note(`${provider.id}: its endpoints are configured, so that there was nothing to ask.`)
}

/** `fetch failed` says nothing; what it was caused by does. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

const advice: Readonly<Record<string, string>> & { readonly 'discovery-refused': string } = {
  'discovery-refused':
    'Configure the issuer to the letter as the discovery document names it, slash at the end and all.',
  unreachable: 'Look whether the issuer is spelt right, and whether this machine reaches it.',
  'timed-out':
    'Look whether this machine reaches the issuer; a provider has its own timeout, in milliseconds.',
  'insecure-url': 'Use https; allowInsecureRequests is for a network that nobody else is on.',
  misconfigured: 'Configure the endpoint that is missing, or an issuer whose discovery document has it.',
}
