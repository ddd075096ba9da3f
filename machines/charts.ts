import { accountChart } from './account.ts'
import { backchannelLogoutChart } from './backchannel-logout.ts'
import { callbackChart } from './callback.ts'
import { credentialsChart } from './credentials.ts'
import { emailChangeChart, emailChangeConfirmChart } from './email-change.ts'
import { emailRequestChart } from './email-request.ts'
import { emailVerificationChart } from './email-verification.ts'
import { factorChart, factorEnrolmentChart } from './factor.ts'
import { passwordChangeChart, passwordRequestChart, passwordResetChart } from './password.ts'
import { refreshChart } from './refresh.ts'
import { sessionChart } from './session.ts'
import { signInChart } from './sign-in.ts'
import { signOutChart } from './sign-out.ts'
import { webauthnOptionsChart } from './webauthn-options.ts'
import { webauthnChart } from './webauthn.ts'

/** The types by name: inferred, the declaration file would repeat every chart. */
type Charts = {
  readonly 'sign-in': typeof signInChart
  readonly callback: typeof callbackChart
  readonly 'email-request': typeof emailRequestChart
  readonly 'email-verification': typeof emailVerificationChart
  readonly credentials: typeof credentialsChart
  readonly 'password-request': typeof passwordRequestChart
  readonly 'password-reset': typeof passwordResetChart
  readonly 'password-change': typeof passwordChangeChart
  readonly 'webauthn-options': typeof webauthnOptionsChart
  readonly webauthn: typeof webauthnChart
  readonly factor: typeof factorChart
  readonly 'factor-enrolment': typeof factorEnrolmentChart
  readonly session: typeof sessionChart
  readonly 'sign-out': typeof signOutChart
  readonly account: typeof accountChart
  readonly 'email-change': typeof emailChangeChart
  readonly 'email-change-confirm': typeof emailChangeConfirmChart
  readonly 'backchannel-logout': typeof backchannelLogoutChart
  readonly refresh: typeof refreshChart
}

/** All charts that drive a handler, by id. */
export const charts: Charts = {
  'sign-in': signInChart,
  callback: callbackChart,
  'email-request': emailRequestChart,
  'email-verification': emailVerificationChart,
  credentials: credentialsChart,
  'password-request': passwordRequestChart,
  'password-reset': passwordResetChart,
  'password-change': passwordChangeChart,
  'webauthn-options': webauthnOptionsChart,
  webauthn: webauthnChart,
  factor: factorChart,
  'factor-enrolment': factorEnrolmentChart,
  session: sessionChart,
  'sign-out': signOutChart,
  account: accountChart,
  'email-change': emailChangeChart,
  'email-change-confirm': emailChangeConfirmChart,
  'backchannel-logout': backchannelLogoutChart,
  refresh: refreshChart,
}
