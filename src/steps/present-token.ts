import { writeChunked } from '../cookies/chunks.ts'
import { settle, whenReady } from '../crypto/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import { keepLifetime } from '../session/lifetime.ts'
import { readAnswer, sealSessionToken, tokenExpiry } from '../session/session-token.ts'
import type { CallbacksOptions } from '../types/config.ts'
import type { Session } from '../types/records.ts'
import { step } from './step.ts'

/** What a client's update adds to the parameters of a callback. */
export function updateOf(visit: Visit): { readonly trigger: 'update'; readonly data: unknown } | undefined {
  return visit.method === 'POST' ? { trigger: 'update', data: visit.body.data } : undefined
}

/** Lets the jwt callback look at the token, and change it; null ends the session. */
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

/** Lets the session callback choose what the client sees of the token. */
export const presentToken = step({
  needs: ['visit', 'token'],
  says: { 'session.presented': ['body', 'expires'] },
  run({ visit, token }, { settings, platform }) {
    const expires = tokenExpiry(token, platform.now(), settings)
    const update = updateOf(visit)
    const params = {
      session: {
        user: { name: token.name, email: token.email, image: token.picture },
        expires: expires.toISOString(),
      },
      token,
      ...(update && { trigger: update.trigger, newSession: update.data }),
    }
    const shown = settings.callbacks.session(params as unknown as Parameters<CallbacksOptions['session']>[0])
    return whenReady(settle(shown), (body) => ({ type: 'session.presented', body: body ?? null, expires }))
  },
})

/** Seals the token anew, for as long again. */
export const sealToken = step({
  needs: ['visit', 'token', 'body', 'expires'],
  says: { 'token.sealed': [] },
  run({ visit, token, body, expires }, { settings, keys, platform, out }) {
    const cookie = visit.cookieTable.sessionToken
    const sealed = sealSessionToken(token, cookie.name, settings, keys, platform.now())
    return whenReady(sealed, (value) => {
      out.setCookies(writeChunked(visit.cookies, cookie, value, expires))
      out.announce({ event: 'session', message: { session: body as Session, token } })
      return { type: 'token.sealed' }
    })
  },
})
