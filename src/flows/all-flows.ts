import { accountFlow } from './account/flow.ts'
import { backchannelLogoutFlow } from './backchannel-logout/flow.ts'
import { credentialsFlow } from './credentials/flow.ts'
import { emailChangeConfirmFlow, emailChangeFlow } from './email-change/flow.ts'
import { emailRequestFlow, emailVerificationFlow } from './email/flow.ts'
import { factorEnrolmentFlow, factorFlow } from './factor/flow.ts'
import type { Flows } from './flows.ts'
import { callbackFlow, signInFlow } from './oauth/flow.ts'
import { webauthnFlow, webauthnOptionsFlow } from './passkey/flow.ts'
import { passwordChangeFlow, passwordRequestFlow, passwordResetFlow } from './password/flow.ts'
import { refreshFlow } from './refresh/flow.ts'
import { sessionFlow } from './session/flow.ts'
import { signOutFlow } from './sign-out/flow.ts'

/** All flows. They are imported here, not awaited, because some bundle formats have no top-level await. */
export const flows: Flows = {
  'sign-in': signInFlow,
  callback: callbackFlow,
  'email-request': emailRequestFlow,
  'email-verification': emailVerificationFlow,
  credentials: credentialsFlow,
  'password-request': passwordRequestFlow,
  'password-reset': passwordResetFlow,
  'password-change': passwordChangeFlow,
  'webauthn-options': webauthnOptionsFlow,
  webauthn: webauthnFlow,
  factor: factorFlow,
  'factor-enrolment': factorEnrolmentFlow,
  session: sessionFlow,
  'sign-out': signOutFlow,
  account: accountFlow,
  'email-change': emailChangeFlow,
  'email-change-confirm': emailChangeConfirmFlow,
  'backchannel-logout': backchannelLogoutFlow,
  refresh: refreshFlow,
}
