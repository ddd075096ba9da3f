import { hashRecoveryCode, mintRecoveryCodes } from '../../second-factor/recovery-codes.ts'
import { writeFactor } from '../../second-factor/factor-record.ts'
import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'

/** Replaces the recovery codes of the second factor that the session was judged by. */
export const renewCodes = step({
  needs: ['currentUser', 'heldFactor'],
  says: { 'codes.renewed': ['recoveryCodes'], 'codes.kept': [] },
  async run({ currentUser: user, heldFactor }, world) {
    if (!heldFactor) return { type: 'codes.kept' }
    const { settings, keys, platform } = world
    const recoveryCodes = mintRecoveryCodes(platform)
    const recovery = await Promise.all(recoveryCodes.map(async (code) => hashRecoveryCode(code, user.id)))
    const vault = { store: demandStore(world), keys, settings }
    const isStored = await writeFactor({ ...heldFactor.record, recovery }, heldFactor, vault)
    if (!isStored) return { type: 'codes.kept' }
    world.out.announce({ event: 'updateSecondFactor', message: { user, change: 'codes-renewed' } })
    return { type: 'codes.renewed', recoveryCodes }
  },
})

/** Removes the second factor. Sign-ins that wait for it, and browsers that were remembered, end with it. */
export const removeFactor = step({
  needs: ['currentUser', 'heldFactor'],
  says: { 'factor.removed': [] },
  async run({ currentUser: user, heldFactor }, world) {
    if (!heldFactor) return { type: 'factor.removed' }
    await demandStore(world).deleteFactor(user.id)
    world.out.announce({ event: 'updateSecondFactor', message: { user, change: 'removed' } })
    return { type: 'factor.removed' }
  },
})
