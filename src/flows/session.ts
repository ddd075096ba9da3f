import { sessionChart } from '../../machines/session.ts'
import { clearChunked } from '../cookies/chunks.ts'
import { JWTSessionError, SessionTokenError } from '../errors.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import { extendSession, judgeAge, presentSession, removeSession } from '../steps/present-session.ts'
import { presentToken, renewToken, sealToken } from '../steps/present-token.ts'
import { findSession, openToken, readSessionCookie } from '../steps/recognise.ts'
import { flow, outcome } from './flow.ts'

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
    judgeAge,
    extendSession,
    presentSession,
    removeSession,
  },
  outcomes: {
    presented: outcome({
      needs: ['body'],
      answer: ({ body }) => ({ kind: 'json', status: 200, body }),
    }),
    anonymous: outcome({ answer: () => ({ kind: 'json', status: 200, body: null }) }),
    ended: outcome({
      needs: ['visit'],
      answer: ({ visit }) => ({
        kind: 'json',
        status: 200,
        body: null,
        cookies: clearChunked(visit.cookies, visit.cookieTable.sessionToken),
      }),
    }),
    refused: outcome({
      needs: ['failure'],
      answer: ({ failure }) => ({ kind: 'json', status: 400, body: null, logs: failure, throws: failure }),
    }),
    unavailable: outcome({
      needs: ['fault'],
      answer({ fault }, { settings }) {
        const isToken = settings.session.strategy === 'jwt'
        const logs = isToken ? new JWTSessionError(fault) : new SessionTokenError(fault)
        return { kind: 'json', status: 503, body: null, logs }
      },
    }),
  },
})
