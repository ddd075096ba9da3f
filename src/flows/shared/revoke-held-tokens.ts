import { readCandidates } from '../../cookies/chunks.ts'
import type { Visit } from '../../http/visit.ts'
import { loadRevocations } from '../../session/load-revocations.ts'
import { openSessionToken } from '../../session/session-token.ts'
import type { World } from '../engine/world.ts'

/** Revokes all copies of every session token that the browser has sent. */
export async function revokeHeldTokens(
  { cookies, cookieTable }: Visit,
  { settings, keys, platform }: World,
): Promise<void> {
  const { name } = cookieTable.sessionToken
  for (const held of readCandidates(cookies, name)) {
    const opened = await openSessionToken(held, name, settings, keys, platform.now())
    if ('claims' in opened) await (await loadRevocations()).revokeToken(opened.claims, settings)
  }
}
