import type { CookieSerializeOptions } from '../types/cookies.ts'

/** The attributes that distinguish cookies of one name. */
export type CookieScope = Pick<CookieSerializeOptions, 'domain' | 'path' | 'partitioned'>

/** The scope of a cookie with the path `/` and none of the other attributes. */
export const defaultScope = 'Path=/'

/**
 * Names the attributes that distinguish cookies of one name. A browser keeps cookies with different scopes side by
 * side, and clears only the cookie whose scope the header repeats (RFC 6265bis 5.7).
 */
export function nameScope({ domain, path = '/', partitioned }: CookieScope): string {
  const host = domain?.toLowerCase().replace(/^\./, '')
  return `${host ? `Domain=${host}; ` : ''}Path=${path}${partitioned ? '; Partitioned' : ''}`
}

const named = /^(?:Domain=([\w.-]+); )?Path=(\/[^;,\s]*)(; Partitioned)?$/

/** Reads the name of a scope. Anything else is the default scope. */
export function parseScope(name: unknown): CookieScope {
  const [, domain, path = '/', partitioned] = named.exec(typeof name === 'string' ? name : '') ?? []
  return { domain, path, partitioned: partitioned !== undefined }
}

/** Returns whether two scopes are the same. */
export function isSameScope(a: CookieScope, b: CookieScope): boolean {
  return nameScope(a) === nameScope(b)
}
