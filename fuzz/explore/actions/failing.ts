import { losing, throwing } from '../../world/fault-plan.ts'
import type { Action } from '../action.ts'
import type { Scene } from '../scene.ts'

const faults = {
  'has no effect': throwing,
  'has an effect': losing,
} as const

/** An action during which a call of the store throws. It is the first of a sequence. */
export function failing(action: Action, call: number, effect: keyof typeof faults): Action {
  return {
    ...action,
    isFirst: true,
    says: `${action.says}; call ${call + 1} of the store ${effect}, and throws`,
    async run(scene) {
      const { plan } = scene.world
      plan.arm('store', call, faults[effect])
      const claim = await action.run(scene)
      const hasFailed = plan.calls.length > call
      plan.arm('none')
      if (!hasFailed) return claim
      if (claim.code) forgetCodes(scene)
      return { ...claim, hasFailed }
    },
  }
}

/** A code that was entered while the server failed may work again. */
function forgetCodes({ truth }: Scene): void {
  for (const { app } of Object.values(truth.users)) {
    delete app?.lastCode
    delete app?.usedRecovery
  }
}
