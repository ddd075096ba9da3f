import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { RequirementId } from 'authmachine/spec'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { address, isIn } from '../support/account-changes.ts'
import { confirmChange, receiveChange } from '../support/email-changes.ts'
import { outdatedBy } from '../support/faults.ts'
import {
  begin,
  enterAs,
  type FirstChange,
  firstChangeNames,
  firstChanges,
  type Newcomer,
  newcomerSetups,
  openNewcomer,
  passFactor,
  register,
  useMail,
} from '../support/first-changes.ts'
import { isAtGate } from '../support/gates.ts'
import { choose, receiveReset } from '../support/passwords.ts'

/**
 * Kinds of access that somebody may have prepared. Each function returns another one, which checks whether the access still
 * works.
 */
const preparations = {
  async 'a session'(world: World, newcomer: Newcomer) {
    const browser = world.browser()
    await enterAs(world, browser, newcomer)
    return () => isIn(browser)
  },
  async 'a mailed link or code'(world: World, newcomer: Newcomer) {
    const browser = world.browser()
    const mail = await browser.requestLink(address)
    return async () => {
      await useMail(world, browser, mail)
      return passFactor(world, browser, newcomer)
    }
  },
  async 'a link that sets a password'(world: World, newcomer: Newcomer) {
    const browser = world.browser()
    const mail = await receiveReset(world, browser, address)
    return async () => {
      await choose(world, browser, mail, 'the password of another person')
      return passFactor(world, browser, newcomer)
    }
  },
  async 'a link to another address'(world: World, newcomer: Newcomer) {
    const taken = 'eve@other.example'
    const browser = world.browser()
    await enterAs(world, browser, newcomer)
    const mail = await receiveChange(world, browser, taken)
    return async () => {
      // Its browser signs in again, if the user can.
      if (!(await isIn(browser))) await begin(world, browser, newcomer)
      await passFactor(world, browser, newcomer)
      await confirmChange(browser, mail)
      return world.rows.users.some(({ email }) => email === taken)
    }
  },
  async 'a sign-in at a gate'(world: World, newcomer: Newcomer) {
    const setup = newcomerSetups[world.strategy]
    const gated = await world.another({ ...setup, with: { ...setup.with, gate: true } }, 'same')
    const browser = gated.browser('ada', { staysAtGates: true })
    await begin(gated, browser, newcomer)
    world.assume(isAtGate(gated), 'no gate holds the sign-in')
    return async () => {
      await browser.resume()
      return passFactor(gated, browser, newcomer)
    }
  },
} as const satisfies Record<string, (world: World, newcomer: Newcomer) => Promise<() => Promise<boolean>>>
type Preparation = keyof typeof preparations
const preparationNames = Object.keys(preparations) as Preparation[]

/** Mails that anybody can request for an address that nobody has registered yet. */
const possibleEarly: readonly Preparation[] = ['a mailed link or code', 'a link that sets a password']

const rowOf = (prepared: Preparation): RequirementId => (prepared === 'a session' ? 'POL-03' : 'STM-02')

/** An address that has registered the user is proven already. */
function isSensible(change: FirstChange | 'nothing', registers: Newcomer['registers']): boolean {
  return change !== 'the first proof of the address' || registers === 'at a provider'
}

/** Changes that can come in the middle of a sign-in, because its own browser has no part in them. */
const overtaking = [
  'the end of all sessions by the application',
  'the first password',
  'the first second factor',
] as const satisfies readonly FirstChange[]

/** Properties of the first change of an account, before which it has nothing that a change could renew. */
export const firstChangeProperties: readonly Property[] = [
  property({
    proves: ['STM-02', 'POL-03', 'STM-03'],
    name: 'ends sessions, links, codes and held sign-ins at the first change of an account, and nothing without one',
    story:
      'Ada has never changed her account. She sets a password because someone reads her mail, and that person signs in with a code from before.',
    advice:
      'Compare the value of the account also if there was none at first: anything that was prepared without one ends as soon as there is one.',
    needs: ['setup', 'store', 'clock'],
    setups: {
      ...newcomerSetups,
      'mailed codes': { ...newcomerSetups.database, provider: { mail: { method: 'code' } } },
    },
    runs: 60,
    reaches: Object.fromEntries(
      [...firstChangeNames, ...preparationNames, 'nothing', 'a mail from before the registration'].map(
        (situation) => [situation, 1],
      ),
    ),
    parts: [
      ...firstChangeNames.map((change) => ({ change, registers: 'at a provider' as const })),
      ...preparationNames.map((prepared) => ({
        prepared,
        change: 'the end of all sessions by the application' as const,
        isEarly: false,
      })),
      { change: 'nothing' as const },
      {
        prepared: 'a mailed link or code' as const,
        change: 'the end of the other sessions' as const,
        isEarly: true,
      },
    ],
    input: fc.record({
      registers: fc.constantFrom<Newcomer['registers']>('by mail', 'at a provider'),
      change: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...firstChangeNames) },
        { weight: 1, arbitrary: fc.constant('nothing' as const) },
      ),
      prepared: fc.constantFrom(...preparationNames),
      isEarly: fc.boolean(),
    }),
    async run(world, { registers, change: wanted, prepared, isEarly }) {
      const change = isSensible(wanted, registers) ? wanted : 'the first password'
      const newcomer = openNewcomer(world, registers)
      const isFirst = isEarly && possibleEarly.includes(prepared)
      if (!isFirst) await register(world, newcomer)
      const works = await preparations[prepared](world, newcomer)
      if (isFirst) await register(world, newcomer)
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      if (change !== 'nothing') await firstChanges[change](world, newcomer)
      world.clock.advance(1)
      world.reach(change)
      world.reach(prepared)
      if (isFirst) world.reach('a mail from before the registration')
      const isLeft = await works()
      const row = rowOf(prepared)
      if (change === 'nothing') world.check(row, isLeft, `${prepared} does not work`)
      else
        for (const id of [row, 'STM-03'] as const)
          world.check(id, !isLeft, `${prepared} works after ${change}, the first change`)
    },
  }),

  property({
    proves: ['STM-01'],
    name: 'opens no session for a sign-in that began before the first change of an account and ends after it',
    story: 'Eve opens a mailed link, Ada ends all sessions at the same moment, and Eve stays signed in.',
    advice:
      'Compare the value of the account after the session is stored, also if there was none when the sign-in began.',
    needs: ['setup', 'store', 'clock', 'faults'],
    setups: newcomerSetups,
    runs: 40,
    reaches: Object.fromEntries(overtaking.map((change) => [change, 1])),
    parts: everyOf({ call: [1, 3, 4], change: overtaking }).cases,
    input: fc.record({
      call: fc.nat({ max: 12 }),
      change: fc.constantFrom(...overtaking),
    }),
    async run(world, { call, change }) {
      // A link that proves the address for the first time would itself change the account.
      const newcomer = openNewcomer(world, 'by mail')
      await register(world, newcomer)
      const thief = world.browser()
      const mail = await thief.requestLink(address)
      let isChanged = false
      const overtake = async () => {
        // Tokens of the same millisecond stay valid.
        world.clock.advance(1)
        await firstChanges[change](world, newcomer)
        isChanged = true
      }
      world.plan.arm('store', call, outdatedBy(overtake))
      await useMail(world, thief, mail)
      world.plan.arm('none')
      if (!isChanged) return
      world.reach(change)
      const isOpen = await isIn(thief)
      world.check('STM-01', !isOpen, `a mailed link opens a session although ${change} came before it`)
    },
  }),
]
