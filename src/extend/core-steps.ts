import { step } from '../flows/engine/step.ts'
import { checkCsrf } from '../flows/shared/check-csrf.ts'
import { failed, faulted, returningTo } from '../flows/shared/endings.ts'
import { recognitionSteps } from '../flows/shared/recognition.ts'
import { resolveTarget } from '../flows/shared/resolve-callback-url.ts'
import { openHeld } from './held-sign-in.ts'

/** Opens the sign-in that the gate of this feature holds in this browser. */
const openHeldSignIn = step({
  needs: ['visit'],
  says: { 'sign-in.held': [], 'sign-in.absent': [] },
  async run({ visit }, world) {
    const held = world.feature && (await openHeld(world.feature.name, visit, world))
    return { type: held ? 'sign-in.held' : 'sign-in.absent' }
  },
})

/** The steps of the pieces that `authmachine/extend` exports. A flow of a feature does not list them. */
export const coreSteps = {
  checkCsrf,
  resolveCallbackUrl: resolveTarget,
  ...recognitionSteps,
  openHeldSignIn,
}

/** The outcomes of the final states that `authmachine/extend` exports. */
export const coreOutcomes = {
  refused: failed,
  faulted,
  anonymous: returningTo(({ base, action }) => `${base}/${action}`).anonymous,
}
