import { signOutChart } from '../../machines/sign-out.ts'
import { SignOutError } from '../errors.ts'
import type { Announcement } from '../steps/outbox.ts'
import { checkCsrf } from '../steps/check-csrf.ts'
import { openToken, readSessionCookie } from '../steps/recognise.ts'
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
    openToken,
    revokeSession,
  },
  outcomes: {
    signedOut: outcome({
      needs: ['callbackUrl'],
      may: ['token', 'revoked'],
      answer({ callbackUrl, token, revoked }) {
        const message = revoked ?? (token && { token })
        const announces: Announcement[] = message ? [{ event: 'signOut', message }] : []
        return { kind: 'redirect', location: callbackUrl, announces }
      },
    }),
    refused: failed,
    faulted: outcome({
      needs: ['fault'],
      answer: ({ fault }) => ({ kind: 'error', error: new SignOutError(fault) }),
    }),
  },
})
