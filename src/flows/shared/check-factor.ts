import { once } from '../../once.ts'
import { step } from '../engine/step.ts'

/** Loads the code that only sites need whose sessions record how users authenticated. */
const loadDemand = once(() => import('./demand-factor.ts'))

/** Decides whether the user must enter the second factor before there is a session. */
export const checkFactor = step({
  needs: ['visit', 'candidate', 'account', 'callbackUrl'],
  may: ['member', 'holder', 'profile', 'provider', 'grant'],
  says: { 'factor.unneeded': ['authentication'], 'factor.demanded': [] },
  run(facts, world) {
    if (!world.settings.recordsAuthentication) return { type: 'factor.unneeded', authentication: undefined }
    return loadDemand().then(({ demandFactor }) => demandFactor(facts, world))
  },
})
