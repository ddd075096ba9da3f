import { accountChart } from '../../../machines/account-page.ts'
import { toolsOf } from '../../extend/tools.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { redirect } from '../../flows/engine/result.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
import { clearSessionCookies } from '../../flows/shared/clear-session-cookies.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { failed, faulted, returningTo } from '../../flows/shared/endings.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import {
  chooseChange,
  chooseSensitiveChange,
  confirmDeletion,
  deleteUser,
  endSession,
  checkSensitive,
} from './change.ts'
import { findFactor, removeFactor, renewCodes } from '../second-factor/change.ts'
import { secondFactor } from '../second-factor/feature.ts'
import { preparePage } from './page-data.ts'
import { endForRemoval, findWay, namePasskey, removeWay, type Way } from './ways.ts'
import type { Notice, ShownAccount } from './pages.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The id in a form of the account page; empty if the form has none. */
    readonly chosen: string
    /** The change that needs a recent sign-in. */
    readonly sensitiveChange: 'unlink' | 'renew-recovery-codes' | 'remove-factor' | 'delete-user'
    /** The account or passkey to remove. */
    readonly way: Way
    /** Why the account page is shown again. */
    readonly notice: Notice
    readonly shownAccount: ShownAccount
  }
}

export const accountFlow = flow({
  chart: accountChart,
  begins: ['visit'],
  steps: {
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
      needs: ['visit', 'shownAccount'],
      answer: ({ visit, shownAccount }, world) =>
        toolsOf(visit, world).show('account', shownAccount, shownAccount.notice ? 422 : 200),
    }),
    // The page is requested again, so that reloading it does not repeat the change.
    changed: outcome({ needs: ['visit'], answer: ({ visit }) => redirect(`${visit.base}/account`) }),
    codesShown: outcome({
      needs: ['recoveryCodes', 'visit'],
      answer({ recoveryCodes, visit }, world) {
        const tools = toolsOf(visit, { ...world, feature: secondFactor(world.settings) })
        return tools.show('recovery-codes', { recoveryCodes, callbackUrl: `${visit.base}/account` })
      },
    }),
    deleted: outcome({ needs: ['visit'], answer: ({ visit }) => redirect(visit.origin) }),
    ...returningTo(({ base }) => `${base}/account`),
    refused: failed,
    faulted,
  },
})
