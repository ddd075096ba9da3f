import type { Settings } from '../../config/settings.ts'
import { writeChunked } from '../../cookies/chunks.ts'
import type { Visit } from '../../http/visit.ts'
import { settle, whenReady } from '../../maybe-promise.ts'
import {
  keepLifetime,
  readAnswer,
  rowLifetime,
  sealSessionToken,
  tokenExpiry,
} from '../../session/session-token.ts'
import { demandSession, readSessionAndUser } from '../../session/stored.ts'
import type { AdapterSession, AdapterUser } from '../../types/adapter.ts'
import type { CallbacksOptions } from '../../types/config.ts'
import type { JWT } from '../../types/jwt.ts'
import type { Session } from '../../types/records.ts'
import { step } from '../engine/step.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Returns the parameters that a client's update adds to a callback. */
function updateOf(visit: Visit): { readonly trigger: 'update'; readonly data: unknown } | undefined {
  return visit.method === 'POST' ? { trigger: 'update', data: visit.body.data } : undefined
}

/** Calls the jwt callback, which may change the token. Null ends the session. */
export const renewToken = step({
  needs: ['visit', 'token'],
  says: { 'token.renewed': ['token'], 'token.revoked': [] },
  run({ visit, token }, { settings }) {
    const update = updateOf(visit)
    const params = update ? { token, trigger: update.trigger, session: update.data } : { token }
    const renewed = settings.callbacks.jwt(params as Parameters<CallbacksOptions['jwt']>[0])
    return whenReady(settle(renewed), (answer) => {
      const claims = readAnswer(answer)
      if (claims === null) return { type: 'token.revoked' }
      return { type: 'token.renewed', token: keepLifetime(token, claims, settings) }
    })
  },
})

/**
 * Writes what the session callback returned as the body of the response. Here rather than with the response, so that a value
 * that JSON cannot hold fails as a callback that throws does. Raw mode returns objects as they are.
 *
 * @throws TypeError for a BigInt, a cycle, or a function
 */
function writeBody(presented: unknown, { raw }: Settings): string | object | null {
  if (raw && typeof presented === 'object') return presented
  const text = JSON.stringify(presented) as string | undefined
  if (text === undefined) throw new TypeError(`The session callback returned a ${typeof presented}`)
  return text
}

/** Calls the session callback, which selects what the client sees of the token. */
export const presentToken = step({
  needs: ['visit', 'token'],
  says: { 'session.presented': ['presented', 'body', 'expires'] },
  run({ visit, token }, { settings, platform }) {
    const expires = tokenExpiry(token, platform.now(), settings)
    const update = updateOf(visit)
    const params: object = {
      session: {
        user: { name: token.name, email: token.email, image: token.picture },
        expires: expires.toISOString(),
      },
      token,
      ...(update && { trigger: update.trigger, newSession: update.data }),
    }
    const shown = settings.callbacks.session(params as Parameters<CallbacksOptions['session']>[0])
    return whenReady(settle(shown), (presented) => {
      const body = writeBody(presented ?? null, settings)
      return { type: 'session.presented', presented, body, expires }
    })
  },
})

/** Encrypts the token again with a new expiry. */
export const sealToken = step({
  needs: ['visit', 'token', 'presented', 'expires'],
  says: { 'token.sealed': [] },
  run({ visit, token, presented, expires }, { settings, keys, platform, out }) {
    const cookie = visit.cookieTable.sessionToken
    const sealed = sealSessionToken(token, cookie.name, settings, keys, platform.now())
    return whenReady(sealed, (value) => {
      out.setCookies(writeChunked(visit.cookies, cookie, value, expires))
      out.announce({ event: 'session', message: { session: presented as Session, token } })
      return { type: 'token.sealed' }
    })
  },
})

/** Decides whether to extend the session: if an extension is due, or the row lives longer than now allowed. */
export const judgeAge = step({
  needs: ['session', 'heldCookie'],
  says: { 'session.fresh': [], 'session.due': [] },
  run({ session, heldCookie }, { settings, platform }) {
    const lifetime = rowLifetime(heldCookie, settings)
    // Whole milliseconds, like dates: fractions of a second do not add up exactly.
    const maxAge = Math.round(lifetime.maxAge * 1000)
    const updateAge = Math.round(lifetime.updateAge * 1000)
    const left = session.expires.getTime() - platform.now()
    const isDue = left > maxAge || left <= maxAge - updateAge
    return { type: isDue ? 'session.due' : 'session.fresh' }
  },
})

/**
 * Adapters whose `updateSession` returns nothing even on success. For them, only the next read tells whether the row
 * still exists.
 */
const silent = new WeakSet<object>()

/** Extends the session in the store and the cookie. */
export const extendSession = step({
  needs: ['visit', 'session', 'heldCookie'],
  says: { 'session.extended': ['session'], 'extension.unconfirmed': ['extension'] },
  async run({ visit, session, heldCookie }, world) {
    const store = demandStore(world)
    const { maxAge } = rowLifetime(heldCookie, world.settings)
    const expires = new Date(world.platform.now() + maxAge * 1000)
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
    const store = demandStore(world)
    const stored = readSessionAndUser(await store.getSessionAndUser(heldCookie))?.session
    if (!stored) return { type: 'session.gone' }
    const isMoved = stored.expires.getTime() !== session.expires.getTime()
    if (isMoved) silent.add(store.adapter)
    // Null means that the row no longer exists, unless the expiry changed.
    if (!isMoved && extension.saysGone) return { type: 'session.gone' }
    return finishExtension({ ...extension.asked, ...stored }, heldCookie, visit, world)
  },
})

/** Sets the cookie by the stored expiry: another extension may have overtaken this one. */
function finishExtension(stored: AdapterSession, held: string, visit: Visit, { out }: World) {
  const session = demandSession(stored, 'updateSession')
  const { name, options } = visit.cookieTable.sessionToken
  out.setCookies([{ name, value: held, options: { ...options, expires: session.expires } }])
  return { type: 'session.extended', session } as const
}

/** Calls the session callback, which selects what the client sees. The session token stays in its cookie. */
export const presentSession = step({
  needs: ['visit', 'session', 'currentUser'],
  says: { 'session.presented': ['body'] },
  run({ visit, session, currentUser: user }, { settings, out }) {
    const { sessionToken: _hidden, ...row } = session
    const update = updateOf(visit)
    const params: object = {
      session: { ...row, user: narrow(user) },
      user,
      ...(update && { trigger: update.trigger, newSession: update.data }),
    }
    const shown = settings.callbacks.session(params as Parameters<CallbacksOptions['session']>[0])
    return whenReady(settle(shown), (presented) => {
      const body = writeBody(presented ?? null, settings)
      out.announce({
        event: 'session',
        message: { session: presented as Session } as { session: Session; token: JWT },
      })
      return { type: 'session.presented', body }
    })
  },
})

/** Callbacks often return the session unchanged, so it must not contain the application's own user columns. */
function narrow({ id, name, email, image }: AdapterUser) {
  return { id, name, email, image }
}

/** Removes an expired session from the store. */
export const removeSession = step({
  needs: ['heldCookie'],
  says: { 'session.removed': [] },
  async run({ heldCookie }, world) {
    await demandStore(world).deleteSession(heldCookie)
    return { type: 'session.removed' }
  },
})
