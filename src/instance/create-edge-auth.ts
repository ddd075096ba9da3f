import { reportAtStart } from '../config/derive-settings.ts'
import { readEnvironment } from '../config/environment.ts'
import { setEnvDefaults } from '../config/set-env-defaults.ts'
import { serveSessions } from '../handler/serve-sessions.ts'
import { readElsewhere } from '../types/symbols.ts'
import type { Adapter } from '../types/adapter.ts'
import type { AuthConfig, AuthOptions } from '../types/config.ts'
import type { OAuthProviderIds, ProviderIds, ShownSession } from '../types/inference.ts'
import type { SessionReader } from '../types/instance.ts'
import type { ReturnedClaims, NoOwnClaims } from '../types/inferred-callbacks.ts'
import type { JWT } from '../types/jwt.ts'
import type { Provider } from '../types/provider.ts'
import type { DefaultSession, Session } from '../types/records.ts'

/**
 * Creates the functions of `createAuth` that read sessions, without the routes, for middleware that needs a small bundle.
 * The configuration and the types are the same.
 *
 * @param config the configuration of `createAuth`. It is read on the first request, and never modified
 * @returns the functions that read the session of a request
 * @example
 * const { requireSession } = createEdgeAuth(options)
 *
 * export async function middleware(request: NextRequest) {
 *   const found = await requireSession(request)
 *   if (!('session' in found)) return found
 *   const response = NextResponse.next()
 *   // These cookies extend the session. A shared cache would send them to other visitors.
 *   for (const cookie of found.cookies) response.headers.append('set-cookie', cookie)
 *   if (found.cookies.length > 0) response.headers.set('cache-control', 'private, no-store')
 *   return response
 * }
 */
export function createEdgeAuth<
  const Providers extends readonly Provider[],
  Store extends Adapter | undefined = undefined,
  Claims extends JWT = NoOwnClaims,
  Returned extends DefaultSession = Session,
>(
  config: AuthOptions<Providers, Store, Returned, Claims>,
): SessionReader<{
  readonly session: ShownSession<Returned>
  readonly claims: ReturnedClaims<Claims>
  readonly provider: ProviderIds<Providers[number]>
  readonly oauthProvider: OAuthProviderIds<Providers[number]>
}>
export function createEdgeAuth(config: Omit<AuthConfig, 'raw'>): SessionReader {
  const complete: AuthConfig = { ...config, [readElsewhere]: [] }
  setEnvDefaults(readEnvironment(), complete)
  reportAtStart(complete)
  return serveSessions(complete)
}
