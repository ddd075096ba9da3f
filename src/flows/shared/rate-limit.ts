import { canonicaliseAddress } from '../../text/email-address.ts'
import { RateLimited } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { settle, whenReady } from '../../async/maybe-promise.ts'
import type { RateLimitParams } from '../../types/rate-limit.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** The events of a step that asks the application. */
export const says = { 'attempt.allowed': [], 'attempt.excessive': ['failure'] } as const

/** Asks whether a link may be sent to this address. */
export const checkMailRateLimit = step({
  needs: ['visit', 'mailProvider', 'identifier'],
  says,
  run: ({ visit, mailProvider, identifier }, world) =>
    ask(visit, () => ({ type: 'email', provider: mailProvider.id, identifier }), world),
})

/** Asks whether the token of a link may be looked up. A short token could be guessed. */
export const checkVerificationRateLimit = step({
  needs: ['visit', 'mailProvider', 'identifier'],
  says,
  run: ({ visit, mailProvider, identifier }, world) =>
    ask(visit, () => ({ type: 'verification', provider: mailProvider.id, identifier }), world),
})

/** Asks whether the submitted credentials may be checked. */
export const checkCredentialsRateLimit = step({
  needs: ['visit', 'credentialsProvider'],
  says,
  run: ({ visit, credentialsProvider }, world) =>
    ask(
      visit,
      () => ({
        type: 'credentials',
        provider: credentialsProvider.id,
        credentials: { ...visit.body },
        ...(credentialsProvider.kind === 'password' && { account: nameAccount(visit.body.email) }),
      }),
      world,
    ),
})

/** Asks the rateLimit callback about the attempt of a feature. */
export const checkFeatureRateLimit = step({
  needs: ['visit', 'attempt'],
  says,
  run: ({ visit, attempt: { kind, identifier } }, world) =>
    ask(
      visit,
      () => ({ type: 'feature', provider: world.feature?.name ?? '', attempt: kind, identifier }),
      world,
    ),
})

/** Text that is not an address is not looked up, so it counts unchanged. */
export function nameAccount(email: unknown): string {
  return canonicaliseAddress(email) ?? (typeof email === 'string' ? email : '')
}

type Attempt = RateLimitParams extends infer P ? (P extends unknown ? Omit<P, 'request'> : never) : never

/** Frozen, because a promise of the application with its own `then` gets what `readDecision` returns. */
const allowed = Object.freeze({ type: 'attempt.allowed' } as const)

/** Calls the callback, if the site has one. Without a callback, the description of the attempt is not created. */
export function ask(visit: Visit, describe: () => Attempt, { settings }: World) {
  const { rateLimit } = settings.callbacks
  if (!rateLimit) return allowed
  return whenReady(settle(rateLimit(withRequest(describe(), visit))), readDecision)
}

function readDecision(decision: unknown) {
  if (decision === true) return allowed
  const failure = new RateLimited('The rateLimit callback refused the attempt')
  const retryAfter = readRetryAfter(decision)
  if (retryAfter !== undefined) failure.retryAfter = retryAfter
  return { type: 'attempt.excessive', failure } as const
}

/** Returns whole seconds, which `Retry-After` consists of (RFC 9110 10.2.3). Any other result refuses without a time. */
function readRetryAfter(decision: unknown): number | undefined {
  if (typeof decision !== 'object' || decision === null || !('retryAfter' in decision)) return undefined
  const seconds = typeof decision.retryAfter === 'number' ? Math.ceil(decision.retryAfter) : 0
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined
}
