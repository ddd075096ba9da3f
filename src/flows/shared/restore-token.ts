import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'

/**
 * Stores the token of a link again. If what the link is bound to was already stored, the link no longer works, and the
 * token expires.
 */
export const restoreToken = step({
  needs: ['consumedToken'],
  says: { 'token.restored': [] },
  async run({ consumedToken }, world) {
    await demandStore(world).createVerificationToken(consumedToken)
    return { type: 'token.restored' }
  },
})
