/**
 * Internals of the library, for `authmachine-conformance` only. Each version of one package needs the same version of
 * the other. Not covered by semantic versioning.
 */
import { accountFlow } from './flows/account/flow.ts'
import { backchannelLogoutFlow } from './flows/backchannel-logout/flow.ts'
import { credentialsFlow } from './flows/credentials/flow.ts'
import { emailChangeConfirmFlow, emailChangeFlow } from './flows/email-change/flow.ts'
import { emailRequestFlow, emailVerificationFlow } from './flows/email/flow.ts'
import { factorEnrolmentFlow, factorFlow } from './flows/factor/flow.ts'
import type { Flows } from './flows/flows.ts'
import { callbackFlow, signInFlow } from './flows/oauth/flow.ts'
import { webauthnFlow, webauthnOptionsFlow } from './flows/passkey/flow.ts'
import { passwordChangeFlow, passwordRequestFlow, passwordResetFlow } from './flows/password/flow.ts'
import { refreshFlow } from './flows/refresh/flow.ts'
import { sessionFlow } from './flows/session/flow.ts'
import { signOutFlow } from './flows/sign-out/flow.ts'
import { once } from './once.ts'

export { fetchLimited, readLimited } from './fetch-limited.ts'
export type { Frame, Participant, Recording, Stop } from './explorer/data.ts'
export { nameHop, readHop } from '../machines/hop.ts'
export { systemPlatform } from './clock.ts'
export { randomBytes, randomHex } from './crypto/random.ts'
export type { Flow } from './flows/engine/flow.ts'
export { routes, type Flows } from './flows/flows.ts'
export type { Hop } from './flows/engine/run.ts'
export { createHandler } from './handler/create-handler.ts'
export { createTokenReader } from './handler/get-access-token.ts'
export { deleteUser, revokeSessions } from './handler/manage-sessions.ts'
export { serveSessions } from './handler/serve-sessions.ts'
export { escapeControls, escapeLines } from './escape-controls.ts'
export { platform } from './symbols.ts'
export { createKeyring } from './token/keyring.ts'
export { requireSecrets } from './token/derive-keys.ts'
export type { Awaitable } from './types/records.ts'
export type { Platform } from './types/config.ts'
export { version } from './version.ts'

export { once }

/** Loads the flow explorer, which is large. */
export const loadExplorer = once(() => import('./explorer/write-explorer.ts'))

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
