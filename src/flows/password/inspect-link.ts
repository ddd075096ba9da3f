import { restoreToken } from '../shared/mailed-proof.ts'
import { step } from '../engine/step.ts'
import { consumeToken, readHash } from './link.ts'

/**
 * Finds the user of a link that was opened, so that a second factor is demanded before the form is shown. Does this
 * only for a valid link, because anybody can type an address into an invalid one. Nothing is used up.
 */
export const inspectLink = step({
  needs: ['visit', 'identifier', 'linkToken', 'passwordProvider', 'mailProvider'],
  says: {
    'link.uninspected': [],
    'link.inspected': ['member', 'candidate', 'account', 'callbackUrl', 'stamp'],
  },
  async run(facts, world) {
    const { visit, identifier, mailProvider } = facts
    const unknown = { type: 'link.uninspected' } as const
    if (!world.settings.secondFactor) return unknown
    const { heldHash, stamp, addressed } = await readHash.run(facts, world)
    const taken = await consumeToken.run({ ...facts, heldHash, stamp }, world)
    if (taken.type !== 'token.consumed') return unknown
    await restoreToken.run(taken, world)
    const { addressee: member } = addressed
    if (!member) return unknown
    const account = {
      provider: mailProvider.id,
      providerAccountId: identifier,
      type: 'email' as const,
      userId: member.id,
    }
    const callbackUrl = visit.query.get('callbackUrl') ?? visit.origin
    return { type: 'link.inspected', member, candidate: member, account, callbackUrl, stamp }
  },
})
