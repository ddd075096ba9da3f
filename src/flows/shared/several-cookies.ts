import { clearChunked, readCandidates } from '../../cookies/chunks.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import { type CookieScope, defaultScope, isSameScope, parseScope } from '../../cookies/scope.ts'
import type { Visit } from '../../http/visit.ts'
import type { MaybePromise } from '../../async/maybe-promise.ts'
import { rowLifetime } from '../../session/lifetime.ts'
import { parseRow } from '../../session/row-id.ts'
import { openSessionToken } from '../../session/session-token.ts'
import { readSessionAndUser } from '../../session/stored.ts'
import type { Claims } from '../../token/decrypt-token.ts'
import type { CookieOption } from '../../types/cookies.ts'
import { requireStore, type World } from '../engine/world.ts'

/** Refuses a token that is otherwise valid. */
type IsRevoked = (claims: Claims, settings: World['settings']) => MaybePromise<boolean>

/**
 * Chooses among several session cookies of a request: the first token that opens and is not revoked, or the first id of a
 * live session. Browsers send the older cookie first, whether or not its scope is the configured one (RFC 6265bis 5.8.3).
 */
export async function chooseSessionCookie(
  visit: Visit,
  world: World,
  isRevoked: IsRevoked,
): Promise<string | undefined> {
  const { name } = visit.cookieTable.sessionToken
  const candidates = readCandidates(visit.cookies, name)
  for (const value of candidates) {
    const claims = await readHeld(value, name, world)
    if (claims && !(await isRevoked(claims, world.settings))) return value
  }
  return candidates[0]
}

/** Returns the claims of a valid token, or no claims for the id of a live session. Returns undefined for others. */
async function readHeld(value: string, name: string, world: World): Promise<Claims | undefined> {
  const { settings, keys, platform } = world
  if (settings.session.strategy === 'jwt') {
    const opened = await openSessionToken(value, name, settings, keys, platform.now())
    return 'claims' in opened ? opened.claims : undefined
  }
  const expires = await requireStore(world).readSession(value, (row) =>
    readSessionAndUser(row)?.session.expires.getTime(),
  )
  return Math.min(expires ?? 0, rowLifetime(value, settings).end) > platform.now() ? {} : undefined
}

/**
 * Clears the session cookies of a request that an earlier configuration set with another scope or prefix. It does not
 * clear the cookies of other applications, which may use the name on a parent domain. Send these changes before the
 * cookie that is set or cleared.
 */
export async function clearFormerCookies(visit: Visit, world: World): Promise<CookieChange[]> {
  const { cookies, cookieTable } = visit
  const { name, options } = cookieTable.sessionToken
  const former: CookieOption[] = []
  for (const value of readCandidates(cookies, name)) {
    const scope = await findScope(value, name, world)
    if (scope && !isSameScope(scope, options)) former.push({ name, options: { ...options, ...scope } })
  }
  for (const other of otherPrefixes(name))
    for (const value of readCandidates(cookies, other)) {
      const claims = await readHeld(value, other, world)
      if (claims) former.push(withPrefix(other, options, claims))
    }
  return former.flatMap((each) => clearChunked(cookies, each))
}

/** Returns where the browser keeps one of our session cookies. Returns undefined for that of another application. */
async function findScope(value: string, name: string, world: World): Promise<CookieScope | undefined> {
  if (world.settings.session.strategy === 'jwt') {
    const claims = await readHeld(value, name, world)
    return claims && parseScope(claims['cookieScope'])
  }
  const named = parseRow(value).scope
  // No other host can set a cookie with the default scope here.
  if (!named) return parseScope(defaultScope)
  return (await readHeld(value, name, world)) && named
}

function otherPrefixes(name: string): string[] {
  const bare = name.replace(/^__(?:Secure|Host)-/, '')
  return ['', '__Secure-', '__Host-'].map((prefix) => prefix + bare).filter((other) => other !== name)
}

/** A browser rejects a prefixed cookie that is not Secure, even if the header would only clear it. */
function withPrefix(name: string, options: CookieOption['options'], claims: Claims): CookieOption {
  const secure = name.startsWith('__') || options.secure === true
  const scope = parseScope(name.startsWith('__Host-') ? defaultScope : claims['cookieScope'])
  return { name, options: { ...options, ...scope, secure } }
}
