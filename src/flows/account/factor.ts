import { removeFactor as removeRecord, writeFactor } from '../../second-factor/factor-record.ts'
import { mintRecoveryCodes } from '../../second-factor/recovery-codes.ts'
import { step } from '../engine/step.ts'
import { vaultOf } from '../shared/vault.ts'

/** Replaces the recovery codes of the second factor that the session was checked against. */
export const renewCodes = step({
  needs: ['currentUser', 'heldFactor'],
  says: { 'codes.renewed': ['recoveryCodes'], 'codes.kept': [] },
  async run({ currentUser: user, heldFactor }, world) {
    if (!heldFactor) return { type: 'codes.kept' }
    const { recoveryCodes, recovery } = await mintRecoveryCodes(user.id, world.platform)
    const isStored = await writeFactor({ ...heldFactor.record, recovery }, heldFactor, vaultOf(world))
    if (!isStored) return { type: 'codes.kept' }
    world.out.announce({ event: 'updateSecondFactor', message: { user, change: 'codes-renewed' } })
    return { type: 'codes.renewed', recoveryCodes }
  },
})

/**
 * Removes the second factor that the session was checked against. Sign-ins that wait for it, and browsers that were
 * remembered, end with it.
 */
export const removeFactor = step({
  needs: ['currentUser', 'heldFactor'],
  says: { 'factor.removed': [], 'factor.outrun': ['notice'] },
  async run({ currentUser: user, heldFactor }, world) {
    if (!heldFactor) return { type: 'factor.removed' }
    if (!(await removeRecord(heldFactor, vaultOf(world))))
      return { type: 'factor.outrun', notice: 'factor-changed' }
    world.out.announce({ event: 'updateSecondFactor', message: { user, change: 'removed' } })
    return { type: 'factor.removed' }
  },
})
