import { eachOf } from '../../arbitraries/every-of.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { formsFor, sendForm } from '../support/account.ts'
import {
  changeableSetups,
  endingChanges,
  enterFirst,
  type Member,
  openMember,
} from '../support/account-changes.ts'
import { toldOf } from '../support/email-changes.ts'
import { enterCode } from '../support/second-factor.ts'

const sendNotice = () => {}

/** Sends a form of the account page. */
async function submit(world: World, { owner, email }: Member, name: string): Promise<void> {
  const [form] = await formsFor(world, owner, name)
  world.assume(form !== undefined, `the page has no form for ${name}`)
  if (form) await sendForm(world, owner, form, { confirmation: email })
}

/** Changes of an account, by the name in the notice. */
const changes = {
  'reset-password': endingChanges['a reset of the password'],
  'change-password': endingChanges['a change of the password'],
  'enrol-factor': endingChanges['another second factor'],
  'remove-factor': endingChanges['the removal of the second factor'],
  unlink: endingChanges['the removal of an account'],
  async 'link-account'(world: World, { owner }: Member) {
    await owner.arrive(await owner.visit('alpha', world.people.bob, { link: 'true' }))
  },
  'renew-recovery-codes': (world: World, member: Member) => submit(world, member, 'renew-recovery-codes'),
  'delete-user': (world: World, member: Member) => submit(world, member, 'delete-user'),
  async 'use-recovery-code'(world: World, member: Member) {
    const browser = world.browser()
    await enterFirst(world, browser, member)
    await enterCode(world, browser, member.app.recovery[0] ?? '')
  },
} as const satisfies Record<string, (world: World, member: Member) => Promise<unknown>>
type Change = keyof typeof changes
const names = Object.keys(changes) as Change[]

/** Who is told about a change of an account. */
export const toldChangeProperties: readonly Property[] = [
  property({
    proves: ['POL-07'],
    name: 'tells the address of the user about each change of the account, once',
    story: 'Eve links her account to that of Ada, and Ada never hears of it.',
    advice: 'Send the notice where the change is stored, for every change alike.',
    needs: ['setup', 'store', 'hooks'],
    setups: {
      database: { ...changeableSetups.database, config: { sendNotice } },
      jwt: { ...changeableSetups.jwt, config: { ...changeableSetups.jwt.config, sendNotice } },
    },
    runs: 2 * names.length,
    reaches: Object.fromEntries(names.map((name) => [name, 1])),
    ...eachOf(names),
    async run(world, name) {
      const member = await openMember(world)
      const from = toldOf(world, name).length
      await changes[name](world, member)
      const told = toldOf(world, name).slice(from)
      const says = `after ${name}, the application tells ${told.join(', ') || 'nobody'}`
      world.check('POL-07', told.length === 1 && told[0] === member.email, says)
      world.reach(name)
    },
  }),
]
