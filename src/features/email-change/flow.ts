import { emailChangeChart, emailChangeConfirmChart } from '../../../machines/email-change.ts'
import { toolsOf } from '../../extend/tools.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
import { checkChange } from '../../policy/check-change.ts'
import { failed, faulted, notStarted, returningTo } from '../../flows/shared/endings.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import { refreshSession } from '../../flows/shared/refresh-session.ts'
import { restoreToken } from '../../flows/shared/mailed-proof.ts'
import { releaseAddress } from '../../flows/shared/store-user.ts'
import {
  changeAddress,
  endSessions,
  findHolder,
  findTypedHolder,
  rereadHolder,
  sendNotice,
} from './change.ts'
import { consumeToken, openLink, readToken, storeToken, withdrawToken } from './link.ts'
import { readAddress, sendLink, warnOwner } from './request.ts'
import type { Objection, Shown } from './pages.ts'
import { checkLinkRateLimit, checkRequestRateLimit } from './rate-limit.ts'

/** The facts that only the steps below provide. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** Why a new address of the user is refused. */
    readonly addressObjection: Objection
  }
}

export const emailChangeFlow = flow({
  chart: emailChangeChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    ...recognitionSteps,
    checkSession: checkChange('request-address'),
    readAddress,
    checkRateLimit: checkRequestRateLimit,
    storeToken,
    findHolder: findTypedHolder,
    sendLink,
    warnOwner,
    withdrawToken,
  },
  outcomes: {
    linkMailed: outcome({
      needs: ['visit', 'identifier'],
      answer: ({ visit, identifier }, world) => toolsOf(visit, world).show('sent', { email: identifier }),
    }),
    awaitingAddress: outcome({
      needs: ['visit', 'currentUser'],
      may: ['addressObjection'],
      answer: ({ visit, currentUser, addressObjection: objection }, world) => {
        const { email } = visit.body
        const typed = typeof email === 'string' ? { email } : {}
        const shown: Shown = { ...addressOf(currentUser), ...(objection && { ...typed, objection }) }
        return toolsOf(visit, world).show('request', shown, objection ? 422 : 200)
      },
    }),
    ...returningTo(({ base }) => `${base}/email-change`),
    refused: failed,
    denied: failed,
    failed: notStarted,
    faulted,
  },
})

export const emailChangeConfirmFlow = flow({
  chart: emailChangeConfirmChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    ...recognitionSteps,
    checkSession: checkChange('confirm-address'),
    openLink,
    checkRateLimit: checkLinkRateLimit,
    consumeToken,
    findHolder,
    releaseAddress,
    changeAddress,
    rereadHolder,
    restoreToken,
    sendNotice,
    endSessions,
    refreshSession,
  },
  outcomes: {
    changed: outcome({
      needs: ['visit', 'identifier'],
      answer: ({ visit, identifier }, world) => toolsOf(visit, world).show('changed', { email: identifier }),
    }),
    awaitingConfirmation: outcome({
      needs: ['visit', 'currentUser', 'identifier', 'linkToken'],
      answer: ({ visit, currentUser, identifier: email, linkToken: token }, world) =>
        toolsOf(visit, world).show('confirm', { ...addressOf(currentUser), email, token }),
    }),
    ...returningTo(
      (visit) =>
        `${visit.base}/email-change-confirm?${new URLSearchParams({ token: readToken(visit) ?? '' })}`,
    ),
    invalid: outcome({
      needs: ['visit', 'addressObjection', 'failure'],
      answer: ({ visit, addressObjection: objection, failure }, world) => {
        const shown: Shown = { objection, again: `${visit.base}/email-change` }
        return { ...toolsOf(visit, world).show('stopped', shown, 403), logs: failure }
      },
    }),
    refused: failed,
    denied: failed,
    restored: faulted,
    faulted,
  },
})

/** An empty address counts as none. */
function addressOf({ email }: AdapterUser): Shown {
  return email ? { current: email } : {}
}
