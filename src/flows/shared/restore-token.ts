import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'

/**
 * Stores the token of a link again. If the value that the link is bound to has changed since, the link does not work, and
 * the token expires.
 */
export const restoreToken = step({
  needs: ['consumedToken'],
  says: { 'token.restored': [] },
  async run({ consumedToken }, world) {
    await demandStore(world).createVerificationToken(consumedToken)
    return { type: 'token.restored' }
  },
})
