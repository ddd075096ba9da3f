import { memoryAdapter } from '../../adapters/memory.ts'
import { createHandler } from '../../handler/create-handler.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { Feature } from '../../types/feature.ts'

const origin = 'https://feature.test'

/** A browser that keeps cookies and follows nothing. */
interface Visitor {
  readonly send: (path: string, fields?: Readonly<Record<string, string>>) => Promise<Response>
}

/** Visits the routes of a feature, as a new visitor and as one who signs in. Returns what is wrong. */
export async function browseRoutes(
  feature: Feature,
  features: readonly Feature[] = [feature],
): Promise<string[]> {
  const errors: Error[] = []
  const visit = openSite(features, errors)
  const faults: string[] = []
  for (const [action, { methods }] of Object.entries(feature.routes ?? {})) {
    const path = `/auth/${action}`
    const get = await visit().send(path)
    const post = await visit().send(path, { csrfToken: 'wrong' })
    if (methods.includes('GET') && get.status >= 500)
      faults.push(`GET ${path} has status ${get.status}: ${errors.at(-1)?.message}`)
    if (!methods.includes('GET') && get.status !== 405)
      faults.push(`GET ${path} must have status 405, got ${get.status}`)
    if (methods.includes('POST') && !post.headers.get('location')?.includes('MissingCSRF'))
      faults.push(
        `POST ${path} must refuse a wrong CSRF token: ${errors.at(-1)?.message ?? `status ${post.status}`}`,
      )
    if (!methods.includes('POST') && post.status !== 405)
      faults.push(`POST ${path} must have status 405, got ${post.status}`)
  }
  return [...faults, ...(feature.gate ? await arriveAt(feature, visit(), errors) : [])]
}

/** Signs in. If the gate holds the sign-in, there must be no session, and the page of the gate must be shown. */
async function arriveAt({ name }: Feature, visitor: Visitor, errors: readonly Error[]): Promise<string[]> {
  const { csrfToken } = (await (await visitor.send('/auth/csrf')).json()) as { csrfToken: string }
  const arrived = await visitor.send('/auth/callback/person', { csrfToken, name: 'Ada' })
  const location = arrived.headers.get('location') ?? ''
  const session: unknown = await (await visitor.send('/auth/session')).json()
  if (location.includes('/auth/error'))
    return location.includes('AccessDenied') ? [] : [`The gate fails: ${errors.at(-1)?.message}`]
  if (location !== `${origin}/auth/${name}`)
    return session === null ? [`The gate neither passes, holds nor refuses: ${location}`] : []
  const page = await visitor.send(`/auth/${name}`)
  return [
    ...(session === null ? [] : ['The gate holds a sign-in that has a session already']),
    ...(page.status === 200
      ? []
      : [`The page of the gate has status ${page.status}: ${errors.at(-1)?.message}`]),
  ]
}

/** Configures a site with the features, into which everybody signs in. */
export function configureSite(features: readonly Feature[], errors: Error[]): AuthConfig {
  return {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    secret: 'a secret of the test of a feature',
    trustHost: true,
    providers: [
      {
        id: 'person',
        name: 'Person',
        type: 'credentials',
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: 'ada', name: String(name), email: 'ada@example.com' }),
      },
    ],
    features,
    logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
  }
}

/** Returns a function that opens a browser on a site with the features. */
function openSite(features: readonly Feature[], errors: Error[]): () => Visitor {
  const config = configureSite(features, errors)
  const handle = createHandler()
  return () => {
    const jar = new Map<string, string>()
    return {
      async send(path, fields) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const body = fields && new URLSearchParams(fields)
        const request = new Request(origin + path, {
          method: body ? 'POST' : 'GET',
          headers: { cookie },
          body,
        })
        const response = await handle(request, config)
        if (!(response instanceof Response)) throw new TypeError('The handler returned no Response')
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        }
        return response
      },
    }
  }
}
