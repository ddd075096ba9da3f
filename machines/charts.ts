import { callbackChart } from './callback.ts'
import { credentialsChart } from './credentials.ts'
import { emailRequestChart } from './email-request.ts'
import { emailVerificationChart } from './email-verification.ts'
import { refreshChart } from './refresh.ts'
import { sessionChart } from './session.ts'
import { signInChart } from './sign-in.ts'
import { signOutChart } from './sign-out.ts'
import { webauthnOptionsChart } from './webauthn-options.ts'
import { webauthnChart } from './webauthn.ts'

/** Every chart that drives a handler, by its id. */
export const charts = {
  'sign-in': signInChart,
  callback: callbackChart,
  'email-request': emailRequestChart,
  'email-verification': emailVerificationChart,
  credentials: credentialsChart,
  'webauthn-options': webauthnOptionsChart,
  webauthn: webauthnChart,
  session: sessionChart,
  'sign-out': signOutChart,
  refresh: refreshChart,
} as const
