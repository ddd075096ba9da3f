import { settingsOf } from '../config/derive-settings.ts'
import { recordingOptions } from '../config/options.ts'
import { requireFactor } from '../features/options.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { maxCallbackUrl } from '../http/limits.ts'
import { pathOf } from '../http/known-origin.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import { jsonHeaders, noStore, toResponse } from '../http/respond.ts'
import { isSufficient } from '../session/authentication.ts'
import type { AuthConfig } from '../types/config.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { SessionReader, UserSession } from '../types/instance.ts'
import type { Authentication, RequiredAuthentication } from '../types/authentication.ts'
import type { OwnAuth } from './direct-auth.ts'
import { createSessionReader } from './read-session.ts'

const readSession = createSessionReader()

/** Creates the functions that read the session of a request, for servers without a Request. */
export function serveSessionParts(config: AuthConfig): Omit<OwnAuth, 'answer'> {
  return {
    settings: () => settingsOf(config),
    async getSession(request) {
      const read = readSession(request, config, false)
      return (read instanceof Promise ? await read : read).session
    },
    async getSessionWithCookies(request) {
      const { session, cookies } = await readSession(request, config, true)
      return { session, cookies }
    },
    async requireSession(request, required) {
      const read = await readSession(request, config, true)
      const { authentication, ...found } = read
      const lacking =
        required && isSomebody(found) ? await findLacking(authentication, required, config) : undefined
      if (isSomebody(found) && !lacking) return found
      const { basePath, canonicalOrigin } = settingsOf(config)
      // Without a fault of the configuration, the host is trusted.
      const origin = canonicalOrigin ?? new URL(request.url).origin
      return refuse(request, origin + basePath, found.cookies, lacking)
    },
  }
}

/** Creates the functions that read the session of a Request. */
export function serveSessions(
  config: AuthConfig,
  direct: Omit<OwnAuth, 'answer'> = serveSessionParts(config),
): SessionReader {
  return {
    getSession: direct.getSession,
    getSessionWithCookies: direct.getSessionWithCookies,
    async requireSession(request, required) {
      const found = await direct.requireSession(request, required)
      return 'session' in found ? found : toResponse(found)
    },
  }
}

/** Returns whether a session has a user. */
function isSomebody(found: FoundSession): found is FoundSession<UserSession> {
  return found.session?.user !== undefined && found.session.user !== null
}

/** The reason for which a session is refused, and the route to which the user is redirected. */
interface Refusal {
  readonly error: string
  readonly route: string
}

/** The names of RFC 9470. A user without a second factor signs in again. */
const insufficient = (route: string): Refusal => ({ error: 'insufficient_user_authentication', route })

/**
 * Returns the response to send instead of a protected page. Clients that accept HTML are redirected to the sign-in
 * page. If the request was a GET, the sign-in page leads back. Other clients get 401. Includes the changed session
 * cookies.
 * @param base URL of the routes, without a trailing slash
 */
function refuse(
  request: RequestParts,
  base: string,
  cookies: readonly string[],
  { error, route }: Refusal = { error: 'SessionRequired', route: 'signin' },
): ResponseParts {
  const headers = { ...noStore, Vary: 'Accept, Cookie' }
  if (!acceptsHtml(request.headers.get('accept'))) {
    const body = JSON.stringify({ error })
    // A 401 must name a scheme (RFC 9110 15.5.2), and none is registered for cookies.
    return {
      status: 401,
      headers: { ...headers, ...jsonHeaders, 'WWW-Authenticate': 'Cookie' },
      cookies,
      body,
    }
  }
  const query = new URLSearchParams(route === 'signin' ? { error: 'SessionRequired' } : {})
  // Relative, so that it works under any host name a proxy sends.
  const page = request.method === 'GET' ? pathOf(request.url) : ''
  if (page !== '' && page.length <= maxCallbackUrl) query.set('callbackUrl', page)
  return { status: 303, headers: { ...headers, Location: `${base}/${route}?${query}` }, cookies, body: null }
}

/** Only an explicit `text/html` counts: scripts and command-line tools send a wildcard. */
function acceptsHtml(accept: string | null): boolean {
  return (accept ?? '')
    .split(',')
    .some((range) => /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(range))
}

const requirements = Object.keys({ freshness: true, factor: true } satisfies Record<
  keyof RequiredAuthentication,
  true
>)

/** Returns why the user of a session must authenticate again, if so. */
async function findLacking(
  authentication: Authentication | undefined,
  required: RequiredAuthentication,
  config: AuthConfig,
): Promise<Refusal | undefined> {
  const settings = settingsOf(config)
  const { recordsAuthentication, platform } = settings
  const unknown = Object.keys(required).find((name) => !requirements.includes(name))
  if (unknown !== undefined)
    throw new InvalidConfig(`\`requireSession\` does not know \`${unknown}\`, so it would never apply`)
  if (required.factor) requireFactor('`requireSession` with `factor`', settings)
  if (!recordsAuthentication)
    throw new InvalidConfig(
      `\`requireSession\` with \`freshness\` needs ${recordingOptions.map((name) => `\`${name}\``).join(', ')}, or a feature that signs in or needs a recent sign-in`,
    )
  if (isSufficient(authentication ?? {}, required, platform.now())) return undefined
  return insufficient(required.factor ? 'factor' : 'signin')
}
