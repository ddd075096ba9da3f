import { accountChart } from './account.ts'
import { backchannelLogoutChart } from './backchannel-logout.ts'
import { callbackChart } from './callback.ts'
import { toMachine } from './chart.ts'
import { credentialsChart } from './credentials.ts'
import { emailChangeChart, emailChangeConfirmChart } from './email-change.ts'
import { emailRequestChart } from './email-request.ts'
import { emailVerificationChart } from './email-verification.ts'
import { factorChart, factorEnrolmentChart } from './factor.ts'
import { journeyChart } from './journey.ts'
import { passwordChangeChart, passwordRequestChart, passwordResetChart } from './password.ts'
import { refreshChart } from './refresh.ts'
import { sessionChart } from './session.ts'
import { signInChart } from './sign-in.ts'
import { signOutChart } from './sign-out.ts'
import { webauthnOptionsChart } from './webauthn-options.ts'
import { webauthnChart } from './webauthn.ts'

export type {
  AnyChart,
  Chart,
  CompoundState,
  Edges,
  FinalState,
  ParallelChart,
  RestingState,
  WorkingState,
} from './chart.ts'
export { toMachine } from './chart.ts'
export { charts } from './charts.ts'
export type { Ending } from './endings.ts'
export type { FlowEdge, FlowGraph, FlowNode } from './graph.ts'
export { graphOf } from './graph.ts'
export { beginJourney, continueJourney, journeyEventsOf, type JourneyPlace } from './journey-run.ts'
export { replayRun, type ReplayableRun } from './replay.ts'
export {
  accountChart,
  backchannelLogoutChart,
  callbackChart,
  credentialsChart,
  emailChangeChart,
  emailChangeConfirmChart,
  emailRequestChart,
  emailVerificationChart,
  factorChart,
  factorEnrolmentChart,
  journeyChart,
  passwordChangeChart,
  passwordRequestChart,
  passwordResetChart,
  refreshChart,
  sessionChart,
  signInChart,
  signOutChart,
  webauthnChart,
  webauthnOptionsChart,
}

/** The charts as XState machines. `provide({ actors })` replaces the placeholder steps. */
export const machines = {
  'sign-in': toMachine(signInChart),
  callback: toMachine(callbackChart),
  'email-request': toMachine(emailRequestChart),
  'email-verification': toMachine(emailVerificationChart),
  credentials: toMachine(credentialsChart),
  'password-request': toMachine(passwordRequestChart),
  'password-reset': toMachine(passwordResetChart),
  'password-change': toMachine(passwordChangeChart),
  'webauthn-options': toMachine(webauthnOptionsChart),
  webauthn: toMachine(webauthnChart),
  factor: toMachine(factorChart),
  'factor-enrolment': toMachine(factorEnrolmentChart),
  session: toMachine(sessionChart),
  'sign-out': toMachine(signOutChart),
  account: toMachine(accountChart),
  'email-change': toMachine(emailChangeChart),
  'email-change-confirm': toMachine(emailChangeConfirmChart),
  'backchannel-logout': toMachine(backchannelLogoutChart),
  refresh: toMachine(refreshChart),
  journey: toMachine(journeyChart),
}
