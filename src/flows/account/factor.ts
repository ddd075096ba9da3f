import { deleteFactor, writeFactor } from '../../second-factor/factor-record.ts'
import { mintRecoveryCodes } from '../../second-factor/recovery-codes.ts'
import { tell } from '../../policy/tell.ts'
import { step } from '../engine/step.ts'
import { vaultOf } from '../shared/vault.ts'

/** Replaces the recovery codes of the second factor that the session was checked against. */
export const renewCodes = step({
  needs: ['visit', 'currentUser', 'heldFactor'],
  says: { 'codes.renewed': ['recoveryCodes'], 'codes.kept': [] },
  async run({ visit, currentUser: user, heldFactor }, world) {
    if (!heldFactor) return { type: 'codes.kept' }
    const { recoveryCodes, recovery } = await mintRecoveryCodes(user.id, world.platform)
    const isStored = await writeFactor({ ...heldFactor.record, recovery }, heldFactor, vaultOf(world))
    if (!isStored) return { type: 'codes.kept' }
    const message = { user, change: 'codes-renewed' } as const
    tell('renew-recovery-codes', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
    return { type: 'codes.renewed', recoveryCodes }
  },
})

/** Checks whether the user has a second factor. */
export const findFactor = step({
  may: ['heldFactor'],
  says: { 'factor.found': ['heldFactor'], 'factor.absent': [] },
  run: ({ heldFactor }) => (heldFactor ? { type: 'factor.found', heldFactor } : { type: 'factor.absent' }),
})

/** Removes the second factor that the session was checked against. */
export const removeFactor = step({
  needs: ['visit', 'currentUser', 'heldFactor'],
  says: { 'factor.removed': [], 'factor.outrun': ['notice'] },
  async run({ visit, currentUser: user, heldFactor }, world) {
    if (!heldFactor || !(await deleteFactor(heldFactor, vaultOf(world))))
      return { type: 'factor.outrun', notice: 'factor-changed' }
    const message = { user, change: 'removed' } as const
    tell('remove-factor', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
    return { type: 'factor.removed' }
  },
})
