import { readCandidates } from '../../cookies/chunks.ts'
import { clearVariants } from '../../cookies/variants.ts'
import type { Visit } from '../../http/visit.ts'
import { openSessionToken } from '../../session/session-token.ts'
import { readSessionAndUser } from '../../session/stored.ts'
import { demandStore, type World } from '../engine/world.ts'

/**
 * Chooses among several session cookies. Browsers send the older cookie first, whether or not it is the one that the
 * configuration sets now. The newest valid token counts, and of equals the last. If several are valid, those
 * of an earlier configuration are cleared. An invalid one may be of another application, and stays.
 */
export async function chooseSessionCookie(visit: Visit, world: World): Promise<string | undefined> {
  const { sessionToken } = visit.cookieTable
  const candidates = readCandidates(visit.cookies, sessionToken.name)
  const valid: { readonly value: string; readonly issued: number }[] = []
  for (const value of candidates) {
    const issued = await readIssued(value, sessionToken.name, world)
    if (issued !== undefined) valid.push({ value, issued })
  }
  if (valid.length > 1) world.out.setCookies(clearVariants(visit.cookies, sessionToken, visit.base))
  const newest = Math.max(...valid.map(({ issued }) => issued))
  return (valid.findLast(({ issued }) => issued === newest)?.value ?? candidates[0]) || undefined
}

/** Returns when a token was issued, in seconds since 1970, or 0 for an id. Returns undefined for an invalid one. */
async function readIssued(value: string, salt: string, world: World): Promise<number | undefined> {
  const { settings, keys, platform } = world
  if (settings.session.strategy === 'jwt') {
    const opened = await openSessionToken(value, salt, settings, keys, platform.now())
    if (!('claims' in opened)) return undefined
    return typeof opened.claims.iat === 'number' ? opened.claims.iat : 0
  }
  const found = await demandStore(world).readSession(value, readSessionAndUser)
  return found && found.session.expires.getTime() > platform.now() ? 0 : undefined
}
