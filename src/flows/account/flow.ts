import { accountChart } from '../../../machines/account.ts'
import { UnknownAction } from '../../errors/classes.ts'
import { flow, outcome } from '../engine/flow.ts'
import { redirect, show } from '../engine/result.ts'
import { checkCsrf } from '../shared/check-csrf.ts'
import { clearSessionCookies } from '../shared/clear-session-cookies.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { failed, faulted, returningTo } from '../shared/endings.ts'
import { recognitionSteps } from '../shared/recognition.ts'
import {
  checkPage,
  chooseChange,
  chooseSensitiveChange,
  confirmDeletion,
  deleteUser,
  endSession,
  checkSensitive,
} from './change.ts'
import { findFactor, removeFactor, renewCodes } from './factor.ts'
import { preparePage } from './page.ts'
import { endForRemoval, findWay, namePasskey, removeWay, type Way } from './ways.ts'
import type { AccountPage } from '../../pages/page.ts'

/** The facts that only the steps below provide. */
declare module '../engine/facts.ts' {
  interface Facts {
    /** The id in a form of the account page; empty if the form has none. */
    readonly chosen: string
    /** The change that needs a recent sign-in. */
    readonly sensitiveChange: 'unlink' | 'renew-recovery-codes' | 'remove-factor' | 'delete-user'
    /** The account or passkey to remove. */
    readonly way: Way
    /** Why the account page is shown again. */
    readonly notice: NonNullable<AccountPage['notice']>
    readonly accountPage: AccountPage
  }
}

export const accountFlow = flow({
  chart: accountChart,
  begins: ['visit'],
  steps: {
    checkPage,
    checkCsrf,
    ...recognitionSteps,
    chooseChange,
    checkSession: checkSensitive,
    chooseSensitiveChange,
    endSession,
    endSessions: endOthers('end-other-sessions'),
    findWay,
    removeWay,
    endForRemoval,
    namePasskey,
    renewCodes,
    findFactor,
    removeFactor,
    endForFactor: endOthers('remove-factor'),
    confirmDeletion,
    deleteUser,
    clearSessionCookies,
    preparePage,
  },
  outcomes: {
    shown: outcome({
      needs: ['accountPage'],
      answer: ({ accountPage }) => show(accountPage, accountPage.notice ? 422 : 200),
    }),
    // The page is requested again, so that reloading it does not repeat the change.
    changed: outcome({ needs: ['visit'], answer: ({ visit }) => redirect(`${visit.base}/account`) }),
    codesShown: outcome({
      needs: ['recoveryCodes', 'visit'],
      answer: ({ recoveryCodes, visit: { base, origin } }) =>
        show({ page: 'recovery-codes', origin, recoveryCodes, callbackUrl: `${base}/account` }),
    }),
    deleted: outcome({ needs: ['visit'], answer: ({ visit }) => redirect(visit.origin) }),
    ...returningTo(({ base }) => `${base}/account`),
    disabled: outcome({
      needs: ['visit'],
      answer: ({ visit }) => ({
        ...show(
          { page: 'error', isMissing: true, origin: visit.origin, signinUrl: `${visit.base}/signin` },
          404,
        ),
        logs: new UnknownAction('The account page is off. To use it, set `accountPage` to `true`'),
      }),
    }),
    refused: failed,
    faulted,
  },
})
