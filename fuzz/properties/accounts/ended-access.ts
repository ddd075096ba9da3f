import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { RequirementId } from 'authmachine/spec'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  address,
  changeableSetups,
  type EndingChange,
  endingChangeNames,
  endingChanges,
  enterBoth,
  enterFirst,
  finishReset,
  isIn,
  type Member,
  openMember,
} from '../support/account-changes.ts'
import { enterCode as enterMailedCode } from '../support/codes.ts'
import { confirmChange, receiveChange } from '../support/email-changes.ts'
import { outdatedBy } from '../support/faults.ts'
import { enter, receiveReset } from '../support/passwords.ts'
import { enterCode } from '../support/second-factor.ts'

/**
 * Kinds of access that somebody may have prepared before a change. Each function returns another one, which checks
 * whether the access still works.
 */
const preparations = {
  async 'a session'(world: World, member: Member) {
    const browser = await enterBoth(world, member)
    return () => isIn(browser)
  },
  async 'a session that has ended the others'(world: World, member: Member) {
    const browser = await enterBoth(world, member)
    await endingChanges['the end of the other sessions'](world, { ...member, owner: browser })
    world.clock.advance(1)
    member.owner = await enterBoth(world, member)
    return () => isIn(browser)
  },
  async 'a mailed link or code'(world: World, member: Member) {
    const browser = world.browser()
    const mail = await browser.requestLink(address)
    return async () => {
      const { token = '' } = mail
      await (isCode(token) ? enterMailedCode(world, browser, token) : browser.followLink(mail))
      if (!(await isIn(browser))) await enterCode(world, browser, member.code())
      return isIn(browser)
    }
  },
  async 'a link that sets a password'(world: World, member: Member) {
    const browser = world.browser()
    const mail = await receiveReset(world, browser, address)
    return async () => {
      await finishReset(world, browser, mail, member)
      return isIn(browser)
    }
  },
  async 'a link to another address'(world: World, member: Member) {
    const taken = 'eve@other.example'
    const browser = await enterBoth(world, member)
    const mail = await receiveChange(world, browser, taken)
    return async () => {
      // Its browser signs in again, if the user can.
      await enterFirst(world, browser, member)
      if (!(await isIn(browser))) await enterCode(world, browser, member.code())
      await confirmChange(browser, mail)
      return world.rows.users.some(({ email }) => email === taken)
    }
  },
  async 'a sign-in that waits for the second factor'(world: World, member: Member) {
    const browser = world.browser()
    await enterFirst(world, browser, member)
    return async () => {
      await enterCode(world, browser, member.code())
      return isIn(browser)
    }
  },
  async 'a remembered browser'(world: World, member: Member) {
    const browser = await enterBoth(world, member, { remember: 'true' })
    await browser.signOut()
    return async () => {
      await enterFirst(world, browser, member)
      return isIn(browser)
    }
  },
} as const satisfies Record<string, (world: World, member: Member) => Promise<() => Promise<boolean>>>
type Preparation = keyof typeof preparations
const preparationNames = Object.keys(preparations) as Preparation[]

const isCode = (token: string) => /^\d+$/.test(token)

/** The rows that say that it ends. */
const rowOf: Readonly<Record<Preparation, RequirementId>> = {
  'a session': 'POL-03',
  'a session that has ended the others': 'POL-03',
  'a mailed link or code': 'STM-02',
  'a link that sets a password': 'STM-02',
  'a link to another address': 'STM-02',
  'a sign-in that waits for the second factor': 'SF-10',
  'a remembered browser': 'SF-09',
}

/** Returns whether the combination makes sense: without a second factor, there is no remembered browser. */
function isSensible(change: EndingChange | 'nothing', prepared: Preparation): boolean {
  return change !== 'the removal of the second factor' || prepared !== 'a remembered browser'
}

/** Properties of the access that a change of the account ends, however the change is made. */
export const endedAccessProperties: readonly Property[] = [
  property({
    proves: ['POL-03', 'STM-02', 'STM-03', 'SF-09', 'SF-10'],
    name: 'ends sessions, links, sign-ins and remembered browsers from before a change of the account, and nothing without one',
    story:
      'Ada resets her password because someone knows it, and that person signs in with a link from the day before.',
    advice:
      'Bind everything that is pending or trusted to a value of the account, and renew it with each such change.',
    needs: ['setup', 'store', 'clock'],
    setups: {
      ...changeableSetups,
      'mailed codes': { ...changeableSetups.database, provider: { mail: { method: 'code' } } },
    },
    runs: 100,
    reaches: {
      ...Object.fromEntries(endingChangeNames.map((change) => [change, 2])),
      ...Object.fromEntries(preparationNames.map((prepared) => [prepared, 4])),
      nothing: 5,
    },
    parts: [
      ...[...endingChangeNames, 'nothing' as const].map((change) => ({ change })),
      ...preparationNames.map((prepared) =>
        prepared === 'a remembered browser'
          ? { prepared, change: 'a reset of the password' as const }
          : { prepared },
      ),
    ],
    input: fc.record({
      change: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...endingChangeNames) },
        { weight: 1, arbitrary: fc.constant('nothing' as const) },
      ),
      prepared: fc.constantFrom(...preparationNames),
    }),
    async run(world, { change, prepared: wanted }) {
      const prepared = isSensible(change, wanted) ? wanted : 'a session'
      const member = await openMember(world)
      const works = await preparations[prepared](world, member)
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      if (change !== 'nothing') await endingChanges[change](world, member)
      world.clock.advance(1)
      world.reach(change)
      world.reach(prepared)
      const isLeft = await works()
      if (change === 'nothing') world.check(rowOf[prepared], isLeft, `${prepared} does not work`)
      else
        for (const row of [rowOf[prepared], 'STM-03'] as const)
          world.check(row, !isLeft, `${prepared} works after ${change}`)
      const other = world.browser()
      await enterFirst(world, other, member)
      if (!(await isIn(other))) await enterCode(world, other, member.code())
      world.assume((await isIn(other)) || change === 'another second factor', 'the user cannot sign in again')
    },
  }),

  property({
    proves: ['STM-01'],
    name: 'opens no session for a sign-in that began before a change of the password and ends after it',
    story: 'Eve enters the old password, Ada resets it at the same moment, and Eve stays signed in.',
    advice:
      'Read a value of the account before the credential is checked, and compare it after the session is stored.',
    needs: ['setup', 'store', 'clock', 'faults'],
    setups: changeableSetups,
    runs: 50,
    reaches: { 'a password': 8, 'a code': 8 },
    parts: everyOf({ call: [0, 1, 2, 3, 4, 5], by: ['a password', 'a code'] }).cases,
    input: fc.record({
      call: fc.nat({ max: 12 }),
      change: fc.constantFrom('a reset of the password', 'a change of the password'),
      by: fc.constantFrom('a password', 'a code'),
    }),
    async run(world, { call, change, by }) {
      const member = await openMember(world)
      const { email, password } = member
      const thief = world.browser()
      // With the second factor, the session is opened by the code.
      if (by === 'a code') await enterFirst(world, thief, member)
      else await endingChanges['the removal of the second factor'](world, member)
      await thief.csrfToken()
      const code = by === 'a code' ? member.code() : ''
      let isChanged = false
      const overtake = async () => {
        await endingChanges[change](world, member)
        isChanged = true
      }
      world.plan.arm('store', call, outdatedBy(overtake))
      if (by === 'a code') await enterCode(world, thief, code)
      else await enter(world, thief, email, password)
      world.plan.arm('none')
      if (!isChanged) return
      world.reach(by)
      world.check('STM-01', !(await isIn(thief)), `${by} opens a session although ${change} came before it`)
    },
  }),
]
