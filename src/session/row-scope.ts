import { type CookieScope, defaultScope, isSameScope, nameScope } from '../cookies/scope.ts'

const inId = /\.in~([\w.-]*)~(\/[^~;,\s]*)~(p?)/i

/**
 * Adds the scope of its cookie to the id of a session row, as `nameLifetime` adds the lifetime, but before it. The default
 * scope adds nothing, nor does one that would make the id longer than the columns of common schemas.
 */
export function nameRowScope(sessionToken: string, scope: CookieScope): string {
  const { domain = '', path = '/', partitioned } = scope
  if (nameScope(scope) === defaultScope) return sessionToken
  const named = `${sessionToken}.in~${domain}~${path}~${partitioned ? 'p' : ''}`
  return named.length <= maxNamed && isSameScope(parseRowScope(named) ?? {}, scope) ? named : sessionToken
}

/** Characters that leave room for other endings in a column of 255. */
const maxNamed = 160

/** Returns the scope that the id of a session row names. */
export function parseRowScope(sessionToken: string): CookieScope | undefined {
  const [, domain, path, partitioned] = inId.exec(sessionToken) ?? []
  if (path === undefined) return undefined
  return { domain: domain || undefined, path, partitioned: partitioned !== '' }
}
