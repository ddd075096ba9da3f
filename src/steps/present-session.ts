import type { Store } from '../config/settings.ts'
import { settle, whenReady } from '../crypto/maybe-promise.ts'
import { rowLifetime } from '../session/lifetime.ts'
import { demandSession, readSessionAndUser } from '../session/stored.ts'
import type { AdapterSession, AdapterUser } from '../types/adapter.ts'
import type { CallbacksOptions } from '../types/config.ts'
import type { JWT } from '../types/jwt.ts'
import type { Session } from '../types/records.ts'
import { demandStore } from './demand-store.ts'
import { updateOf } from './present-token.ts'
import { step } from './step.ts'

/** Is an extension due, or does the row outlive what a session may live now? */
export const judgeAge = step({
  needs: ['session', 'heldCookie'],
  says: { 'session.fresh': [], 'session.due': [], 'session.overlong': [] },
  run({ session, heldCookie }, { settings, platform }) {
    const lifetime = rowLifetime(heldCookie, settings)
    // Whole milliseconds, as dates have them: fractions of a second do not add up exactly.
    const maxAge = Math.round(lifetime.maxAge * 1000)
    const updateAge = Math.round(lifetime.updateAge * 1000)
    const left = session.expires.getTime() - platform.now()
    if (left > maxAge) return { type: 'session.overlong' }
    return { type: left <= maxAge - updateAge ? 'session.due' : 'session.fresh' }
  },
})

/** Moves the expiry to as long again from now, in the store and in the cookie. */
export const extendSession = step({
  needs: ['visit', 'session', 'heldCookie'],
  says: { 'session.extended': ['session'], 'session.gone': [] },
  async run({ visit, session, heldCookie }, world) {
    const { settings, platform, out } = world
    const store = demandStore(world)
    const expires = new Date(platform.now() + rowLifetime(heldCookie, settings).maxAge * 1000)
    const asked = { ...session, expires }
    const answer = await store.updateSession({ sessionToken: heldCookie, expires })
    const stored =
      answer ?? (silent.has(store.adapter) ? asked : await readExtended(session, answer, heldCookie, store))
    if (!stored) return { type: 'session.gone' }
    // What is stored counts: another extension may have overtaken this one.
    const extended = demandSession({ ...asked, ...stored }, 'updateSession')
    const { name, options } = visit.cookieTable.sessionToken
    out.setCookies([{ name, value: heldCookie, options: { ...options, expires: extended.expires } }])
    return { type: 'session.extended', session: extended }
  },
})

/**
 * Adapters whose `updateSession` returns nothing although it has moved the expiry. With them "nothing" does not tell
 * whether the row is gone, and the next read of the session does.
 */
const silent = new WeakSet<object>()

/** Reads the session after `updateSession` returned nothing; null when it is gone. */
async function readExtended(
  before: AdapterSession,
  answer: null | undefined,
  sessionToken: string,
  store: Store,
): Promise<AdapterSession | null> {
  const stored = readSessionAndUser(await store.getSessionAndUser(sessionToken))?.session
  if (!stored) return null
  const isMoved = stored.expires.getTime() !== before.expires.getTime()
  if (isMoved) silent.add(store.adapter)
  // Null says that the row is gone, unless the expiry moved.
  return isMoved || answer === undefined ? stored : null
}

/** Lets the session callback choose what the client sees; the session token stays in its cookie. */
export const presentSession = step({
  needs: ['visit', 'session', 'currentUser'],
  says: { 'session.presented': ['body'] },
  run({ visit, session, currentUser: user }, { settings, out }) {
    const { sessionToken: _hidden, ...row } = session
    const update = updateOf(visit)
    const params = {
      session: { ...row, user: narrow(user) },
      user,
      ...(update && { trigger: update.trigger, newSession: update.data }),
    }
    const shown = settings.callbacks.session(params as unknown as Parameters<CallbacksOptions['session']>[0])
    return whenReady(settle(shown), (body) => {
      out.announce({
        event: 'session',
        message: { session: body as Session } as { session: Session; token: JWT },
      })
      return { type: 'session.presented', body: body ?? null }
    })
  },
})

/** Callbacks return the session as they got it, so it must not have what only the application adds to its users. */
function narrow({ id, name, email, image }: AdapterUser) {
  return { id, name, email, image }
}

/** Takes an expired session out of the store. */
export const removeSession = step({
  needs: ['heldCookie'],
  says: { 'session.removed': [] },
  async run({ heldCookie }, world) {
    await demandStore(world).deleteSession(heldCookie)
    return { type: 'session.removed' }
  },
})
