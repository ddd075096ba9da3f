import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { Flow } from '../flows/flow.ts'
import { sessionFlow } from '../flows/session.ts'
import type { FlowName } from '../routes/routes.ts'

/** The flow behind each route, and the one that refreshes access tokens. */
export type Flows = Readonly<Record<FlowName | 'refresh', Flow>>
export type FindFlow = (name: keyof Flows) => MaybePromise<Flow>

/** Most requests read a session. Every other flow is loaded by the first request that runs it, and kept. */
const known: Record<keyof Flows, Flow | (() => Promise<Flow>)> = {
  'sign-in': async () => (await import('../flows/sign-in.ts')).signInFlow,
  callback: async () => (await import('../flows/callback.ts')).callbackFlow,
  'email-request': async () => (await import('../flows/email.ts')).emailRequestFlow,
  'email-verification': async () => (await import('../flows/email.ts')).emailVerificationFlow,
  credentials: async () => (await import('../flows/credentials.ts')).credentialsFlow,
  'webauthn-options': async () => (await import('../flows/webauthn.ts')).webauthnOptionsFlow,
  webauthn: async () => (await import('../flows/webauthn.ts')).webauthnFlow,
  session: sessionFlow,
  'sign-out': async () => (await import('../flows/sign-out.ts')).signOutFlow,
  refresh: async () => (await import('../flows/refresh.ts')).refreshFlow,
}

/** A flow of the library: at once when it is loaded. */
export function findFlow(name: keyof Flows): MaybePromise<Flow> {
  const flow = known[name]
  return typeof flow === 'function' ? flow().then((loaded) => (known[name] = loaded)) : flow
}
