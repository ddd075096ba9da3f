import type { Visit } from '../../http/visit.ts'
import { rowLifetime } from '../../session/lifetime.ts'
import { requireLiveSession, readSessionAndUser } from '../../session/stored.ts'
import type { AdapterSession } from '../../types/adapter.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'

/**
 * Decides whether to write the expiry of the session: if an extension is due, or if the row expires later than is now
 * allowed. An extension waits for a request whose cookies are sent, because the cookie and the row must expire
 * together.
 */
export const checkAge = step({
  needs: ['visit', 'session', 'heldCookie'],
  says: { 'session.fresh': [], 'session.due': [] },
  run({ visit, session, heldCookie }, { settings, platform }) {
    const lifetime = rowLifetime(heldCookie, settings)
    // Whole milliseconds, like dates: fractions of a second do not add up exactly.
    const maxAge = Math.round(lifetime.maxAge * 1000)
    const updateAge = Math.round(lifetime.updateAge * 1000)
    const expires = session.expires.getTime()
    const left = expires - platform.now()
    const isTooLong = left > maxAge || expires > lifetime.end
    const isDue = left <= maxAge - updateAge && expires < lifetime.end
    return { type: isTooLong || (isDue && visit.sendsCookies) ? 'session.due' : 'session.fresh' }
  },
})

/**
 * Adapters whose `updateSession` returns nothing even on success. With these, only the next read shows whether the row
 * still exists.
 */
const silent = new WeakSet<object>()

/** Extends the session in the store and the cookie. */
export const extendSession = step({
  needs: ['visit', 'session', 'heldCookie'],
  says: { 'session.extended': ['session'], 'extension.unconfirmed': ['extension'] },
  async run({ visit, session, heldCookie }, world) {
    const store = requireStore(world)
    const { maxAge, end } = rowLifetime(heldCookie, world.settings)
    const expires = new Date(Math.min(world.platform.now() + maxAge * 1000, end))
    const asked = { ...session, expires }
    const answer = await store.updateSession({ sessionToken: heldCookie, expires })
    if (!answer && !silent.has(store.adapter))
      return { type: 'extension.unconfirmed', extension: { asked, saysGone: answer === null } }
    return finishExtension({ ...asked, ...answer }, heldCookie, visit, world)
  },
})

/** Reads the session after `updateSession` returned nothing. */
export const confirmExtension = step({
  needs: ['visit', 'session', 'heldCookie', 'extension'],
  says: { 'session.extended': ['session'], 'session.gone': [] },
  async run({ visit, session, heldCookie, extension }, world) {
    const store = requireStore(world)
    const stored = readSessionAndUser(await store.getSessionAndUser(heldCookie))?.session
    if (!stored) return { type: 'session.gone' }
    const isMoved = stored.expires.getTime() !== session.expires.getTime()
    if (isMoved) silent.add(store.adapter)
    // Null means that the row no longer exists, unless the expiry changed.
    if (!isMoved && extension.saysGone) return { type: 'session.gone' }
    return finishExtension({ ...extension.asked, ...stored }, heldCookie, visit, world)
  },
})

/** Gives the cookie the stored expiry, because another extension may have overtaken this one. */
function finishExtension(stored: AdapterSession, held: string, visit: Visit, { out }: World) {
  const session = requireLiveSession(stored, 'updateSession')
  const { name, options } = visit.cookieTable.sessionToken
  out.setCookies([{ name, value: held, options, expires: session.expires }])
  return { type: 'session.extended', session } as const
}
