import type { AuthConfig } from '../types/config.ts'
import type { Settings } from './settings.ts'
import { warnOnce } from './warn-once.ts'

/** What tells configurations apart: copies of one agree in it, in whatever order integrations make them. */
interface Application {
  readonly basePath: string
  readonly audience: string | undefined
  /** Issuer and client id by the id of the provider. */
  readonly clients: ReadonlyMap<string, string>
}

/** Applications that are remembered, each under its secret and the name of its session cookie. */
const limit = 100
/** By the clock, so that applications under test do not see each other. */
const knownByClock = new WeakMap<object, Map<string, Application>>()

/**
 * Warns once of two configurations whose session tokens open at each other: same secret, same cookie name, no audience
 * that differs. Integrations make a configuration anew for each request, so only what cannot be a copy counts: a provider
 * of the same id with another client, or another base path with other providers.
 */
export function warnOfSharedSessions(config: AuthConfig, settings: Settings): void {
  const { session, jwt, cookies, basePath, providers, platform, fault } = settings
  const { name } = cookies.secure.sessionToken
  if (fault || session.strategy !== 'jwt') return
  const known = knownByClock.get(platform.now) ?? new Map<string, Application>()
  knownByClock.set(platform.now, known)
  const clients = new Map(
    [...providers.values()].map((provider) => [
      provider.id,
      provider.kind === 'oauth' ? `${provider.issuer} ${provider.clientId}` : provider.kind,
    ]),
  )
  const application = { basePath, audience: jwt.audience, clients }
  for (const secret of jwt.secrets) {
    const key = `${name} ${secret}`
    const other = known.get(key)
    if (other && isAnother(other, application))
      warnOnce(
        config,
        'shared-session-secret',
        `Two configurations of this process share a secret and the session cookie ${name}, so that each accepts the sessions of the other. Set jwt.audience, or another secret and cookie name`,
      )
    if (other) continue
    if (known.size >= limit) known.clear()
    known.set(key, application)
  }
}

function isAnother(one: Application, other: Application): boolean {
  if (one.audience !== other.audience) return false
  const common = [...one.clients].filter(([id]) => other.clients.has(id))
  if (common.some(([id, client]) => other.clients.get(id) !== client)) return true
  const isSameList = common.length === one.clients.size && common.length === other.clients.size
  return one.basePath !== other.basePath && !isSameList
}
