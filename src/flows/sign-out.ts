import { signOutChart } from '../../machines/sign-out.ts'
import { SignOutError } from '../errors.ts'
import type { Announcement } from '../steps/outbox.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import { askEndSession, locateLogout } from '../steps/end-session.ts'
import { openLeavingToken, readSessionCookie } from '../steps/recognise.ts'
import { resolveTarget } from '../steps/resolve-callback-url.ts'
import { clearSessionCookies, revokeSession } from '../steps/sign-out.ts'
import { failed } from './endings.ts'
import { flow, outcome } from './flow.ts'

export const signOutFlow = flow({
  chart: signOutChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    clearSessionCookies,
    readSessionCookie,
    openToken: openLeavingToken,
    revokeSession,
    askEndSession,
    locateLogout,
  },
  outcomes: {
    signedOut: outcome({
      needs: ['callbackUrl'],
      may: ['token', 'revoked', 'elsewhere'],
      answer({ callbackUrl, token, revoked, elsewhere }) {
        const message = revoked ?? (token && { token })
        const announces: Announcement[] = message ? [{ event: 'signOut', message }] : []
        return { kind: 'redirect', location: elsewhere ?? callbackUrl, announces }
      },
    }),
    refused: failed,
    faulted: outcome({
      needs: ['fault'],
      answer({ fault }) {
        const error = new SignOutError(fault)
        return { kind: 'error', error, throws: error }
      },
    }),
  },
})
