import { deleteFactor, writeFactor } from './factor-record.ts'
import { mintRecoveryCodes } from './recovery-codes.ts'
import { tell } from '../../policy/tell.ts'
import { step } from '../../flows/engine/step.ts'

/** Replaces the recovery codes of the second factor that the session was checked against. */
export const renewCodes = step({
  needs: ['visit', 'currentUser', 'storedFactor'],
  says: { 'codes.renewed': ['recoveryCodes'], 'codes.kept': [] },
  async run({ visit, currentUser: user, storedFactor }, world) {
    if (!storedFactor) return { type: 'codes.kept' }
    const { recoveryCodes, recovery } = await mintRecoveryCodes(user.id, world.platform)
    const isStored = await writeFactor({ ...storedFactor.record, recovery }, storedFactor, world)
    if (!isStored) return { type: 'codes.kept' }
    const message = { user, change: 'codes-renewed' } as const
    tell('renew-recovery-codes', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
    return { type: 'codes.renewed', recoveryCodes }
  },
})

/** Checks whether the user has a second factor. */
export const findFactor = step({
  may: ['storedFactor'],
  says: { 'factor.found': ['storedFactor'], 'factor.absent': [] },
  run: ({ storedFactor }) =>
    storedFactor ? { type: 'factor.found', storedFactor } : { type: 'factor.absent' },
})

/** Removes the second factor that the session was checked against. */
export const removeFactor = step({
  needs: ['visit', 'currentUser', 'storedFactor'],
  says: { 'factor.removed': [], 'factor.outrun': ['notice'] },
  async run({ visit, currentUser: user, storedFactor }, world) {
    if (!storedFactor || !(await deleteFactor(storedFactor, world)))
      return { type: 'factor.outrun', notice: 'factor-changed' }
    const message = { user, change: 'removed' } as const
    tell('remove-factor', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
    return { type: 'factor.removed' }
  },
})
