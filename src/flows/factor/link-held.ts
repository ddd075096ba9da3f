import { AccountNotLinked } from '../../errors/classes.ts'
import { tell } from '../../policy/tell.ts'
import { isSameId, withoutPlaceholder } from '../../session/stored.ts'
import { respondInTime } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'
import { readOwner } from '../shared/link-account.ts'

/** Stores the account that the sign-in still had to link. Meanwhile, another request may have linked it. */
export const linkHeld = step({
  needs: ['visit', 'member', 'heldLink'],
  says: { 'account.linked': [], 'account.taken': ['failure'] },
  async run({ visit, member, heldLink: { change, row, candidate } }, world) {
    const store = requireStore(world)
    const linked = { ...row, userId: member.id }
    const owner = await readOwner(row, store)
    if (!owner) {
      const link = async () => store.linkAccount(linked as Parameters<typeof store.linkAccount>[0])
      await respondInTime(link(), 'linkAccount', world.platform)
      const message = { user: member, account: linked, profile: withoutPlaceholder(candidate) }
      tell(change, { event: 'linkAccount', message }, { user: member, visit }, world.out)
    }
    if (!owner || isSameId(owner.id, member.id)) return { type: 'account.linked' }
    return { type: 'account.taken', failure: new AccountNotLinked('The account is linked to another user') }
  },
})
