import type { ConformanceReport } from '../run/report.ts'
import type { Finding } from '../run/verdict.ts'
import type { DescribedPlace } from '../targets/described/find-places.ts'

/** Routes that an attack uses. Other requests of a story only prepare it, or look at its result. */
const routes = ['callback', 'mail.link', 'signOut.url', 'mail.url', 'signIn.url'] as const

/**
 * Finds the line of a description that a failure is most about: that of the log or the cookie that the result names, or
 * otherwise that of the last route that the story uses.
 *
 * @returns nothing if the description names nothing that the failure is about
 */
export function locate(
  { target, places = [] }: Pick<ConformanceReport, 'target' | 'places'>,
  { says, trace }: Pick<Finding, 'says' | 'trace'>,
): DescribedPlace | undefined {
  const find = (member: string) => places.find((place) => place.member === member)
  const log = find('log')
  if (log && /\blogs?\b/.test(says)) return log
  const cookie = find('cookies.session')
  if (cookie && (/\bcookies?\b/.test(says) || says.includes(cookie.value))) return cookie
  const session = find('session.url')
  for (const { path, provider, hasQuery } of readRequests(trace, target)) {
    // The application reads its session with something that an attacker added.
    if (session && hasQuery && leadsTo(session, path)) return session
    const route = routes.flatMap((member) => find(member) ?? []).find((place) => leadsTo(place, path))
    if (route) return route
    // Without a path for the callback, the description names only the provider that leads to it.
    const client = provider === undefined ? undefined : find(`providers.${provider}`)
    if (client) return client
  }
  return session
}

/** Reads the paths of a story, the last one first, relative to the application. */
function readRequests(
  trace: readonly string[],
  target: string,
): { readonly path: string; readonly provider: string | undefined; readonly hasQuery: boolean }[] {
  const base = URL.canParse(target) ? new URL(target).pathname.replace(/\/$/, '') : ''
  return trace.toReversed().flatMap((line) => {
    const [, says = '', path, query] = /^(.*?): [A-Z]+ ([^\s?]+)(\?\S)?/.exec(line) ?? []
    if (path === undefined) return []
    const [, provider] = / returns from (\w+)$/.exec(says) ?? []
    return [
      {
        path: path.startsWith(base) ? path.slice(base.length) : path,
        provider,
        hasQuery: query !== undefined,
      },
    ]
  })
}

/** Returns whether a path is one that the description names, such as `/callback/{provider}`. */
function leadsTo({ member, value }: DescribedPlace, path: string): boolean {
  const [template = ''] = value.split('?')
  if (member === 'mail.link') return path.startsWith(template)
  const parts = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^/]+')}$`).test(path)
}
