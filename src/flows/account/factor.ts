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
    return isStored ? { type: 'codes.renewed', recoveryCodes } : { type: 'codes.kept' }
  },
})

/** Removes the second factor. Sign-ins that wait for it, and browsers that were remembered, end with it. */
export const removeFactor = step({
  needs: ['currentUser', 'heldFactor'],
  says: { 'factor.removed': [] },
  async run({ currentUser, heldFactor }, world) {
    if (heldFactor) await demandStore(world).deleteFactor(currentUser.id)
    return { type: 'factor.removed' }
  },
})
