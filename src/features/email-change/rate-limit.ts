import { ask, says } from '../../flows/shared/rate-limit.ts'
import { step } from '../../flows/engine/step.ts'

const provider = 'email-change'

/** Asks whether a link may be sent to the new address. */
export const checkRequestRateLimit = step({
  needs: ['visit', 'identifier'],
  says,
  run: ({ visit, identifier }, world) => ask(visit, () => ({ type: 'email', provider, identifier }), world),
})

/** Asks whether a link may be used. */
export const checkLinkRateLimit = step({
  needs: ['visit', 'identifier'],
  says,
  run: ({ visit, identifier }, world) =>
    ask(visit, () => ({ type: 'verification', provider, identifier }), world),
})
