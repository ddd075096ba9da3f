import type { Settings } from '../../config/settings.ts'
import type { Visit } from '../../http/visit.ts'
import { settle, whenReady } from '../../async/maybe-promise.ts'
import { ownClaims, readAnswer, setOwnClaims, tokenExpiry } from '../../session/session-token.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { Authentication } from '../../types/authentication.ts'
import type { CallbacksOptions } from '../../types/callbacks.ts'
import { clearFormerScope, sealIntoCookies } from '../shared/seal-into-cookies.ts'
import { parseRow } from '../../session/row-id.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'

/** Returns the parameters that a client's update adds to a callback. */
function updateOf(visit: Visit): { readonly trigger: 'update'; readonly data: unknown } | undefined {
  return visit.method === 'POST' ? { trigger: 'update', data: visit.body.data } : undefined
}

/** Calls the jwt callback, which may change the token. Null ends the session. */
export const renewToken = step({
  needs: ['visit', 'token'],
  says: { 'token.renewed': ['token'], 'token.revoked': [] },
  run({ visit, token }, { settings }) {
    const own = ownClaims(token, settings)
    const update = updateOf(visit)
    const params = update ? { token, trigger: update.trigger, session: update.data } : { token }
    const renewed = settings.callbacks.jwt(params as Parameters<CallbacksOptions['jwt']>[0])
    return whenReady(settle(renewed), (answer) => {
      const claims = readAnswer(answer)
      if (claims === null) return { type: 'token.revoked' }
      return { type: 'token.renewed', token: setOwnClaims(claims, own) }
    })
  },
})

/**
 * Writes the result of the session callback as the body of the response. It does so before the response, so that a value
 * that JSON cannot represent fails like a callback that throws. Raw mode returns objects unchanged.
 *
 * @throws TypeError for a BigInt, a cycle, or a function
 */
function writeBody(presented: unknown, visit: Visit, { raw }: Settings): string | object | null {
  if (raw && typeof presented === 'object') return presented
  const text = JSON.stringify(presented) as string | undefined
  if (text === undefined) throw new TypeError(`The session callback returned a ${typeof presented}`)
  const value: unknown = visit.returnsValue ? JSON.parse(text) : undefined
  return typeof value === 'object' ? value : text
}

/** Calls the session callback, which selects the data of the token that the client sees. */
export const presentToken = step({
  needs: ['visit', 'token'],
  says: {
    'session.presented': ['token', 'presented', 'body', 'expires', 'authentication'],
    'session.read': ['presented', 'body', 'authentication'],
  },
  run({ visit, token }, { settings, platform }) {
    const own = ownClaims(token, settings)
    const expires = tokenExpiry(token, platform.now(), settings)
    const update = updateOf(visit)
    const params: object = {
      session: {
        user: { name: token.name, email: token.email, image: token.picture },
        expires: expires.toISOString(),
        ...own.authentication,
      },
      token,
      ...(update && { trigger: update.trigger, newSession: update.data }),
    }
    const shown = settings.callbacks.session(params as Parameters<CallbacksOptions['session']>[0])
    return whenReady(settle(shown), (presented) => {
      const body = writeBody(presented ?? null, visit, settings)
      // No response would carry the new token.
      const { authentication } = own
      if (!visit.sendsCookies) return { type: 'session.read', presented, body, authentication }
      return {
        type: 'session.presented',
        token: setOwnClaims(token, own),
        presented,
        body,
        expires,
        authentication,
      }
    })
  },
})

/** Encrypts the token again with a new expiry. */
export const sealToken = step({
  needs: ['visit', 'token', 'expires'],
  says: { 'token.sealed': [] },
  run({ visit, token, expires }, world) {
    return whenReady(sealIntoCookies(token, visit, world, expires), (changes) => {
      world.out.setCookies([...clearFormerScope(token, visit), ...changes])
      return { type: 'token.sealed' }
    })
  },
})

/**
 * Calls the session callback, which selects the data that the client sees. The callback gets neither the session token
 * nor the description.
 */
export const presentSession = step({
  needs: ['visit', 'session', 'currentUser'],
  says: { 'session.presented': ['presented', 'body', 'authentication'] },
  run({ visit, session, currentUser: user }, { settings }) {
    const { sessionToken, description: _, ...row } = session
    const update = updateOf(visit)
    const present = (authentication?: Authentication) => {
      const params: object = {
        session: { ...row, user: narrow(user), ...authentication },
        user,
        ...(update && { trigger: update.trigger, newSession: update.data }),
      }
      const shown = settings.callbacks.session(params as Parameters<CallbacksOptions['session']>[0])
      return whenReady(settle(shown), (presented) => {
        const body = writeBody(presented ?? null, visit, settings)
        return { type: 'session.presented', presented, body, authentication } as const
      })
    }
    return present(settings.recordsAuthentication ? (parseRow(sessionToken).authentication ?? {}) : undefined)
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
    await requireStore(world).deleteSession(heldCookie)
    return { type: 'session.removed' }
  },
})
