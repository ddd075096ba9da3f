import { eachOf } from '../../arbitraries/every-of.ts'
import type { RequirementId } from 'authmachine/spec'
import { Unreached } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  changeableSetups,
  type EndingChange,
  endingChanges,
  enterBoth,
  enterFirst,
  isIn,
  openMember,
} from '../support/account-changes.ts'
import { confirmChange, receiveChange, requestChange } from '../support/email-changes.ts'

/** Changes that a session makes. Their forms are sent by the browser that is signed in. */
const changes = [
  'a change of the password',
  'the removal of the second factor',
  'the removal of an account',
  'another second factor',
] as const satisfies readonly EndingChange[]

/** Everything that a session may try, with the row that refuses it. */
const rowOf = {
  'a change of the password': 'PW-10',
  'the removal of the second factor': 'ACP-13',
  'the removal of an account': 'ACP-13',
  'another second factor': 'SF-13',
  'a request for another address': 'EC-02',
  'the link to another address': 'EC-05',
  'another account': 'POL-02',
} as const satisfies Record<string, RequirementId>
type Attempt = keyof typeof rowOf
const attempts = Object.keys(rowOf) as Attempt[]

/** The data that a change must not alter. */
function snapshot({ rows }: World): string {
  const accounts = rows.accounts.map(({ userId, providerAccountId }) => [userId, providerAccountId])
  return JSON.stringify([rows.users, rows.passwords, accounts, rows.factors])
}

/** Properties of changes that a session without the second factor of its user may not make. */
export const weakSessionProperties: readonly Property[] = [
  property({
    proves: ['POL-02', 'EC-02', 'EC-05', 'PW-10', 'ACP-13', 'SF-13'],
    name: 'changes nothing of a user with a second factor from a session that lacks it',
    story:
      'Eve finds a remembered browser, changes the address and the password there, and Ada, who has the phone, is out.',
    advice: 'Judge every change by the same rule, and demand the second factor if the user has one.',
    needs: ['setup', 'store', 'clock'],
    setups: changeableSetups,
    runs: 40,
    reaches: Object.fromEntries(attempts.map((attempt) => [attempt, 2])),
    ...eachOf(attempts),
    async run(world, attempt) {
      const member = await openMember(world)
      const weak = await enterBoth(world, member, { remember: 'true' })
      await weak.signOut()
      await enterFirst(world, weak, member)
      world.assume(await isIn(weak), 'the browser is not remembered')
      // The link was requested by the session that has the second factor.
      const isConfirmation = attempt === 'the link to another address'
      const mail = isConfirmation && (await receiveChange(world, member.owner, 'eve@other.example'))
      const before = snapshot(world)
      const mails = world.mailbox.mails.length
      const change = changes.find((each) => each === attempt)
      if (change) await tryIt(() => endingChanges[change](world, { ...member, owner: weak }))
      else if (mail) await confirmChange(weak, mail)
      else if (attempt === 'another account')
        await weak.arrive(await weak.visit('alpha', world.people.eve, { link: 'true' }))
      else await requestChange(world, weak, 'eve@other.example')
      world.reach(attempt)
      const isMailed = world.mailbox.mails.length > mails
      const isRefused = snapshot(world) === before && !isMailed
      for (const row of [rowOf[attempt], 'POL-02'] as const)
        world.check(row, isRefused, `a session without the second factor makes ${attempt}`)
    },
  }),
]

/** A page may refuse the change before its form. */
async function tryIt(change: () => Promise<unknown>): Promise<void> {
  await change().catch((error: unknown) => {
    if (!(error instanceof Unreached)) throw error
  })
}
