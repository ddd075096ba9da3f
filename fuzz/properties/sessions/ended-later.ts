import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  changeableSetups,
  type EndingChange,
  endingChanges,
  enterBoth,
  isIn,
  openMember,
} from '../support/account-changes.ts'
import {
  claimsFor,
  enter,
  isLive,
  logoutNeeds,
  logoutSetups,
  postLogout,
} from '../support/provider-logouts.ts'
import { withRevocations } from '../support/revocations.ts'
import { type Cookies, isSignedIn, issuedBy, plant, readWith, sessionOf } from '../support/sessions.ts'

/** Seconds from the end of a session to the use of a copy. The last one is just before a cookie of 30 days expires. */
const later = [3600, 90_000, 15 * 86_400, 30 * 86_400 - 60] as const

const endedLater = {
  story: 'Eve copies the cookie of Ada, who signs out everywhere. A day later, the copy works again.',
  advice:
    'Store that a token is revoked for as long as any copy of it could live, however late it was renewed, and never for less.',
} as const

/** Days after its start on which a session is used, which renews its cookie. The first cookie is still alive on each. */
const usedOn: fc.Arbitrary<readonly number[]> = fc.subarray([1, 10, 20, 29])

/** Changes that leave the session with which they are made. */
const sparing: readonly (EndingChange | Deletion)[] = [
  'a change of the password',
  'the end of the other sessions',
  'the removal of the second factor',
  'the removal of an account',
  'another second factor',
  'another address',
]

/** Changes that a session can make long after its user has signed in, or that need no session. */
const withoutFreshness: readonly (EndingChange | Deletion)[] = [
  'a reset of the password',
  'a change of the password',
  'the end of the other sessions',
  'the end of all sessions by the application',
  'the deletion of the user by the application',
]

/** What ends all sessions of a user. After a deletion, there is no account that could be used for anything else. */
const endings = {
  ...endingChanges,
  async 'the deletion of the user by the application'({ operations, rows }: World) {
    await operations?.deleteUser?.(rows.users[0]?.id ?? '')
  },
} as const
type Deletion = Exclude<keyof typeof endings, EndingChange>
const endingNames = Object.keys(endings) as (keyof typeof endings)[]

/** Uses a session on some days. Returns its cookies of each day, the first ones included, on the last of these days. */
async function useOn(world: World, days: readonly number[], held: Cookies): Promise<readonly Cookies[]> {
  const copies = [held]
  let today = 0
  for (const day of days) {
    world.advance((day - today) * 86_400)
    today = day
    const renewed = issuedBy(await readWith(world, copies.at(-1) ?? held))
    copies.push(
      renewed.length === 0 ? held : Object.fromEntries(renewed.map(({ key, value }) => [key, value])),
    )
  }
  return copies
}

/** Returns which of these cookies are those of a session. */
async function findLive(world: World, copies: readonly Cookies[]): Promise<readonly number[]> {
  const live: number[] = []
  for (const [n, copy] of copies.entries()) if (await isLive(world, copy)) live.push(n)
  return live
}

/** Opens a session that nothing ends, and returns a function that demands that it is still alive. */
async function openWitness(world: World): Promise<() => Promise<void>> {
  const browser = world.browser('bob')
  await browser.signIn('alpha', world.people.bob)
  return async () => {
    const isAlive = isSignedIn(await browser.readSession())
    world.assume(isAlive, 'a session that nothing ended does not live that long')
  }
}

/** A session that ended stays ended, whatever time has passed. */
export const endedLaterProperties: readonly Property[] = [
  property({
    ...endedLater,
    proves: ['SE-10', 'SE-02'],
    name: 'keeps a session ended after a sign-out for as long as its cookie could live',
    needs: ['clock'],
    setups: { database: { strategy: 'database' }, ...revocable() },
    runs: 24,
    parts: everyOf({ days: [[29]], sent: ['the first', 'the last'], seconds: later }).cases,
    input: fc.record({
      method: fc.constantFrom('alpha', 'plain'),
      days: usedOn,
      sent: fc.constantFrom('the first', 'the last'),
      how: fc.constantFrom('a sign-out', 'a sign-in'),
      seconds: fc.constantFrom<number>(...later),
    }),
    async run(world, { method, days, sent, how, seconds }) {
      const browser = world.browser('ada')
      await browser.signIn(method, world.people.ada)
      const first = browser.save()
      const copies = await useOn(world, days, sessionOf(browser.cookies()))
      browser.restore(first)
      if (sent === 'the last') plant(browser, copies.at(-1) ?? {})
      if (how === 'a sign-out') await browser.signOut()
      else await browser.signIn(method, world.people.ada)
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      const live = await findLive(world, copies)
      const what = `copy ${live.join(', ')} of ${copies.length} is a session ${seconds} s after ${how} with ${sent} one`
      world.check(how === 'a sign-out' ? 'SE-10' : 'SE-02', live.length === 0, what, {
        observed: 'a session',
      })
      await demandWitness()
    },
  }),

  property({
    ...endedLater,
    proves: ['POL-03'],
    name: 'keeps a session ended after a change of the account for as long as its cookie could live',
    needs: ['setup', 'store', 'clock'],
    setups: changeableSetups,
    runs: 32,
    parts: endingNames.map((change) => ({ change, days: [20], isOld: true, seconds: 15 * 86_400 })),
    reaches: Object.fromEntries(endingNames.map((change) => [change, 1])),
    input: fc.record({
      change: fc.constantFrom(...endingNames),
      days: usedOn,
      isOld: fc.boolean(),
      seconds: fc.constantFrom(...later),
    }),
    async run(world, { change, days, isOld, seconds }) {
      const member = await openMember(world)
      // What earlier changes of the account have stored must not hide that this one stores nothing.
      world.advance(20 * 86_400)
      const browser = await enterBoth(world, member)
      member.owner = await enterBoth(world, member)
      const copies = await useOn(world, days, sessionOf(browser.cookies()))
      if (!isOld || !withoutFreshness.includes(change)) member.owner = await enterBoth(world, member)
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      await endings[change](world, member)
      // The session that makes the change may be as old as the first copy. Its next use renews it.
      const isSpared = sparing.includes(change) && (await isIn(member.owner))
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      const live = await findLive(world, copies)
      const says = `copy ${live.join(', ')} of ${copies.length} of a session works ${seconds} s after ${change}`
      world.check('POL-03', live.length === 0, says, { observed: 'a session' })
      await demandWitness()
      const isKept = !isSpared || seconds >= 20 * 86_400 || (await isIn(member.owner))
      world.check('POL-03', isKept, `the session that made ${change} ends ${seconds} s later`, {
        observed: 'a sign-out',
      })
      world.reach(change)
    },
  }),

  property({
    ...endedLater,
    proves: ['BCL-03'],
    name: 'keeps a session ended after a logout at the provider for as long as its cookie could live',
    story: 'Ada signs out at the provider everywhere. A day later, a copy of the cookie works again.',
    needs: logoutNeeds,
    setups: logoutSetups,
    runs: 16,
    parts: everyOf({ names: ['sid', 'sub'], days: [[29]], seconds: later }).cases,
    input: fc.record({
      names: fc.constantFrom('sid', 'sub'),
      days: usedOn,
      seconds: fc.constantFrom(...later),
    }),
    async run(world, { names, days, seconds }) {
      const { ada } = world.people
      const copies = await useOn(world, days, await enter(world, ada, { device: 'phone' }))
      world.advance(2)
      const claims = claimsFor(world, ada, names === 'sid' ? { sid: 'phone' } : {})
      await postLogout(world, await world.idps.alpha.sign(claims))
      const left = await findLive(world, copies)
      world.assume(left.length === 0, 'the logout does not end the session')
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      const live = await findLive(world, copies)
      const says = `copy ${live.join(', ')} of ${copies.length} is a session ${seconds} s after a logout at the provider`
      world.check('BCL-03', live.length === 0, says, { observed: 'a session' })
      await demandWitness()
    },
  }),
]

/** The application that can revoke its tokens. */
function revocable() {
  const { 'jwt with revocations': setup = {} } = withRevocations('jwt')
  return { 'jwt with revocations': setup }
}
