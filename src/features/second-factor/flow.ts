import type { Ending } from '../../../machines/endings.ts'
import { factorChart, factorEnrolmentChart } from '../../../machines/second-factor.ts'
import { flow, outcome } from '../../flows/engine/flow.ts'
import { toolsOf } from '../../extend/tools.ts'
import { json, redirect } from '../../flows/engine/result.ts'
import { checkCsrf } from '../../flows/shared/check-csrf.ts'
import { failed, faulted, withParameter } from '../../flows/shared/endings.ts'
import { issuanceSteps } from '../../flows/shared/issue-session.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { checkChange } from '../../policy/check-change.ts'
import {
  advanceCounter,
  buildAuthenticationOptions,
  checkOptionsRateLimit,
  findAuthenticator,
  findCredentialOwner,
  verifyAuthentication,
} from '../../flows/shared/prove-passkey.ts'
import { recognitionSteps } from '../../flows/shared/recognition.ts'
import type { OpenedSignIn } from '../../flows/shared/hold-sign-in.ts'
import { resolveTarget } from '../../flows/shared/resolve-callback-url.ts'
import {
  checkRateLimit,
  compareCode,
  compareRecoveryCode,
  countGuess,
  findFactor,
  limitGuesses,
  openWaiting,
  readAnswer,
  rememberDevice,
  restoreCode,
  useCode,
} from './challenge.ts'
import { chooseKind, resealToken, setSessionCookies, storeElevated } from './elevate.ts'
import { compareFirstCode, mintSetup, openSetup, storeFactor } from './enrol.ts'
import { prepareForm } from './form.ts'
import { findPasskeys, openFactorChallenge, sealFactorChallenge } from './passkey.ts'
import { resume } from './resume.ts'
import type { ShownForm } from './pages.ts'
import { writeFactor } from './factor-record.ts'
import type { FactorRecord, StoredFactor } from './types.ts'
import type { FactorSetup } from './seal-totp-secret.ts'
import type { FactorMethod } from '../../types/authentication.ts'

/** The facts of the second factor. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The sign-in of this browser that waits for the second factor. */
    readonly heldSignIn: OpenedSignIn
    /** The stored second factor of the user. */
    readonly factor: StoredFactor
    /** The recovery codes of a new second factor. Only the page has them. */
    readonly recoveryCodes: readonly string[]
    /** The second factor after this code or passkey. */
    readonly nextFactor: FactorRecord
    /** The same, as this run stored it. */
    readonly usedFactor: StoredFactor
    /** How the user passes it. */
    readonly factorMethod: FactorMethod
    /** The secret of an enrolment, before the user has confirmed it. */
    readonly setup: FactorSetup
    /** The data of the form for a code. */
    readonly factorForm: ShownForm
  }
}

const elevationSteps = {
  chooseKind,
  resealToken,
  storeElevated,
  revokePreviousSession: issuanceSteps.revokePreviousSession,
  setSessionCookies,
}

/**
 * Shows the form, with status 422 if the code or passkey was refused. Only the log says why a passkey was refused.
 */
const awaitingCode = outcome({
  needs: ['visit', 'factorForm', 'callbackUrl'],
  may: ['failure'],
  answer: ({ visit, factorForm, callbackUrl, failure }, world) => ({
    ...toolsOf(visit, world, callbackUrl).show('code', factorForm, factorForm.refused ? 422 : 200),
    ...(failure && { logs: failure }),
  }),
})

/** Redirects to a route of the library, and from there to the page of this request. */
function redirectVia(action: string, parameters: Readonly<Record<string, string>> = {}) {
  return outcome({
    needs: ['visit', 'callbackUrl'],
    answer({ visit, callbackUrl }) {
      const back = withParameter(`${visit.base}/${visit.action}`, visit, 'callbackUrl', callbackUrl)
      const query = new URLSearchParams({ ...parameters, callbackUrl: back })
      return redirect(`${visit.base}/${action}?${query}`)
    },
  })
}

const anonymous = redirectVia('signin', { error: 'SessionRequired' })

/** The code is used up, and the sign-in continues. If that fails on the server, the code works again (FI-09). */
const passed = outcome({
  needs: ['factor', 'usedFactor', 'factorMethod'],
  answer({ factor, usedFactor, factorMethod: method }, world) {
    const at = world.platform.now()
    const undo = async (ending: Ending) => {
      if (ending === 'fault') await writeFactor(factor.record, usedFactor, world)
    }
    const { binding } = factor.record
    return { status: 302, passes: { gate: 'factor', learnt: { factor: { binding, method, at } }, undo } }
  },
})

export const factorFlow = flow({
  chart: factorChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    openWaiting,
    ...recognitionSteps,
    findFactor,
    readAnswer,
    findPasskeys,
    checkOptionsRateLimit,
    buildAuthenticationOptions,
    sealFactorChallenge,
    checkRateLimit,
    limitGuesses,
    openFactorChallenge,
    findAuthenticator,
    verifyAuthentication,
    advanceCounter,
    findCredentialOwner,
    compareCode,
    compareRecoveryCode,
    useCode,
    restoreCode,
    countGuess,
    rememberDevice,
    resume,
    ...elevationSteps,
    prepareForm,
  },
  outcomes: {
    passed,
    steppedUp: outcome({ needs: ['callbackUrl'], answer: ({ callbackUrl }) => redirect(callbackUrl) }),
    awaitingCode,
    offered: outcome({ needs: ['ceremony'], answer: ({ ceremony }) => json(ceremony) }),
    unavailable: outcome({ answer: () => json({ error: 'No passkey can be the second factor' }, 400) }),
    unenrolled: redirectVia('factor-enrolment'),
    anonymous,
    refused: failed,
    denied: failed,
    restored: faulted,
    faulted,
  },
})

export const factorEnrolmentFlow = flow({
  chart: factorEnrolmentChart,
  begins: ['visit'],
  steps: {
    checkCsrf,
    resolveCallbackUrl: resolveTarget,
    ...recognitionSteps,
    checkSession: checkChange('enrol-factor'),
    openSetup,
    mintSetup,
    compareFirstCode,
    storeFactor,
    endSessions: endOthers('enrol-factor'),
    ...elevationSteps,
    prepareForm,
  },
  outcomes: {
    enrolled: outcome({
      needs: ['visit', 'recoveryCodes', 'callbackUrl'],
      answer: ({ visit, recoveryCodes, callbackUrl }, world) =>
        toolsOf(visit, world).show('recovery-codes', { recoveryCodes, callbackUrl }),
    }),
    awaitingCode,
    challenged: redirectVia('factor'),
    anonymous,
    refused: failed,
    faulted,
  },
})
