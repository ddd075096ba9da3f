import { sessionChart } from '../../../machines/session.ts'
import { clearChunked } from '../../cookies/chunks.ts'
import { JWTSessionError, SessionTokenError } from '../../errors/classes.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { confirmExtension, extendSession, checkAge } from './extend.ts'
import { presentSession, presentToken, removeSession, renewToken, sealToken } from './present.ts'
import { findSession, openToken, readSessionCookie } from '../shared/recognition.ts'
import { flow, outcome } from '../engine/flow.ts'
import { json } from '../engine/result.ts'
import type { EventCallbacks } from '../../types/callbacks.ts'
import type { AdapterSession } from '../../types/adapter.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** An extension of the session for which the store returned no row; `saysGone` if it returned null. */
    readonly extension: { readonly asked: AdapterSession; readonly saysGone: boolean }
    /** The value that the session callback returned. */
    readonly presented: unknown
  }
}

type SessionMessage = Parameters<EventCallbacks['session']>[0]

export const sessionFlow = flow({
  chart: sessionChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    readSessionCookie,
    openToken,
    renewToken,
    presentToken,
    sealToken,
    findSession,
    checkAge,
    extendSession,
    confirmExtension,
    presentSession,
    removeSession,
  },
  outcomes: {
    presented: outcome({
      needs: ['presented', 'body'],
      may: ['token', 'authentication'],
      answer({ presented, body, token, authentication }) {
        const message = { session: presented, ...(token && { token }) } as SessionMessage
        return { ...json(), body, announces: [{ event: 'session', message }], authentication }
      },
    }),
    anonymous: outcome({ answer: () => json() }),
    ended: outcome({
      needs: ['visit'],
      answer: ({ visit }) => ({
        ...json(),
        cookies: clearChunked(visit.cookies, visit.cookieTable.sessionToken),
      }),
    }),
    refused: outcome({
      needs: ['failure'],
      answer: ({ failure }) => ({ ...json(null, 400), logs: failure, throws: failure }),
    }),
    unavailable: outcome({
      needs: ['fault'],
      answer({ fault }, { settings }) {
        const isToken = settings.session.strategy === 'jwt'
        const logs = isToken ? new JWTSessionError(fault) : new SessionTokenError(fault)
        return { ...json(null, 503), logs }
      },
    }),
  },
})
