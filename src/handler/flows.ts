import { callbackFlow } from '../flows/callback.ts'
import { credentialsFlow } from '../flows/credentials.ts'
import { emailRequestFlow, emailVerificationFlow } from '../flows/email.ts'
import { refreshFlow } from '../flows/refresh.ts'
import { sessionFlow } from '../flows/session.ts'
import { signInFlow } from '../flows/sign-in.ts'
import { signOutFlow } from '../flows/sign-out.ts'
import { webauthnFlow, webauthnOptionsFlow } from '../flows/webauthn.ts'
import type { Flows } from './find-flow.ts'

/** The flows of the library, as they are drawn, all at once: for whoever looks at them. */
export const flows: Flows = {
  'sign-in': signInFlow,
  callback: callbackFlow,
  'email-request': emailRequestFlow,
  'email-verification': emailVerificationFlow,
  credentials: credentialsFlow,
  'webauthn-options': webauthnOptionsFlow,
  webauthn: webauthnFlow,
  session: sessionFlow,
  'sign-out': signOutFlow,
  refresh: refreshFlow,
}
