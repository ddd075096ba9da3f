import { settle, whenReady } from '../crypto/maybe-promise.ts'
import { RateLimited } from '../errors.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import type { RateLimitParams } from '../types/config.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

const says = { 'attempt.allowed': [], 'attempt.excessive': ['failure'] } as const

/** Asks whether a link may be mailed to this address now. */
export const askMailRateLimit = step({
  needs: ['visit', 'mailProvider', 'identifier'],
  says,
  run: ({ visit, mailProvider, identifier }, world) =>
    ask(visit, { type: 'email', provider: mailProvider.id, identifier }, world),
})

/** Asks whether the token of a link may be looked up now; a short one could be guessed. */
export const askVerificationRateLimit = step({
  needs: ['visit', 'mailProvider', 'identifier'],
  says,
  run: ({ visit, mailProvider, identifier }, world) =>
    ask(visit, { type: 'verification', provider: mailProvider.id, identifier }, world),
})

/** Asks whether what was typed may be looked at now. */
export const askCredentialsRateLimit = step({
  needs: ['visit', 'credentialsProvider'],
  says,
  run: ({ visit, credentialsProvider }, world) =>
    ask(
      visit,
      { type: 'credentials', provider: credentialsProvider.id, credentials: { ...visit.body } },
      world,
    ),
})

type Attempt = RateLimitParams extends infer P ? (P extends unknown ? Omit<P, 'request'> : never) : never

const allowed = { type: 'attempt.allowed' } as const

function ask(visit: Visit, attempt: Attempt, { settings }: World) {
  const { rateLimit } = settings.callbacks
  if (!rateLimit) return allowed
  const answer: unknown = rateLimit({ ...attempt, request: rebuildRequest(visit) })
  return whenReady(settle(answer), (decision) => {
    if (decision === true) return allowed
    const failure = new RateLimited('The rateLimit callback refused')
    return { type: 'attempt.excessive', failure } as const
  })
}
