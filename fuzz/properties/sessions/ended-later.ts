import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  changeableSetups,
  type EndingChange,
  endingChangeNames,
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
import { isSignedIn } from '../support/sessions.ts'

/** Seconds from the end of a session to the use of a copy. The last one is just before a cookie of 30 days expires. */
const later = [3600, 90_000, 15 * 86_400, 30 * 86_400 - 60] as const

const endedLater = {
  story: 'Eve copies the cookie of Ada, who signs out everywhere. A day later, the copy works again.',
  advice: 'Store that a token is revoked for as long as the token could live, and never for less.',
} as const

/** Changes that leave the session with which they are made. */
const sparing: readonly EndingChange[] = [
  'a change of the password',
  'the end of the other sessions',
  'the removal of the second factor',
  'the removal of an account',
  'another second factor',
  'another address',
]

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
    proves: ['SE-10'],
    name: 'keeps a session ended after a sign-out for as long as its cookie could live',
    needs: ['clock'],
    setups: { database: { strategy: 'database' }, ...revocable() },
    runs: 16,
    ...everyOf({ method: ['alpha', 'plain'], seconds: later }),
    async run(world, { method, seconds }) {
      const browser = world.browser('ada')
      await browser.signIn(method, world.people.ada)
      const copy = browser.save()
      await browser.signOut()
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      browser.restore(copy)
      const isBack = isSignedIn(await browser.readSession())
      const says = `a copy of the cookie is a session again ${seconds} s after the sign-out`
      world.check('SE-10', !isBack, says, { observed: 'a session' })
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
    parts: endingChangeNames.map((change) => ({ change, days: 20, seconds: 15 * 86_400 })),
    reaches: Object.fromEntries(endingChangeNames.map((change) => [change, 1])),
    input: fc.record({
      change: fc.constantFrom(...endingChangeNames),
      days: fc.constantFrom<number>(0, 20),
      seconds: fc.constantFrom(...later),
    }),
    async run(world, { change, days, seconds }) {
      const member = await openMember(world)
      // What earlier changes of the account have stored must not hide that this one stores nothing.
      world.advance(days * 86_400)
      const browser = await enterBoth(world, member)
      member.owner = await enterBoth(world, member)
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      await endingChanges[change](world, member)
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      const says = `a session works again ${seconds} s after ${change}`
      world.check('POL-03', !(await isIn(browser)), says, { observed: 'a session' })
      await demandWitness()
      const isSpared = sparing.includes(change) && seconds < 20 * 86_400
      const ends = `the session that made ${change} ends ${seconds} s later`
      world.check('POL-03', !isSpared || (await isIn(member.owner)), ends, { observed: 'a sign-out' })
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
    ...everyOf({ names: ['sid', 'sub'], seconds: later }),
    async run(world, { names, seconds }) {
      const { ada } = world.people
      const held = await enter(world, ada, { device: 'phone' })
      world.advance(2)
      const claims = claimsFor(world, ada, names === 'sid' ? { sid: 'phone' } : {})
      await postLogout(world, await world.idps.alpha.sign(claims))
      world.assume(!(await isLive(world, held)), 'the logout does not end the session')
      const demandWitness = await openWitness(world)
      world.advance(seconds)
      const says = `a copy of the cookie is a session again ${seconds} s after a logout at the provider`
      world.check('BCL-03', !(await isLive(world, held)), says, { observed: 'a session' })
      await demandWitness()
    },
  }),
]

/** The application that can revoke its tokens. */
function revocable() {
  const { 'jwt with revocations': setup = {} } = withRevocations('jwt')
  return { 'jwt with revocations': setup }
}
