import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { openRace } from '../../world/race.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { scheduler, tabsOf } from '../support/races.ts'
import { isSignedIn, readWith, sessionOf } from '../support/sessions.ts'

const setups = {
  database: { strategy: 'database', config: { session: { updateAge: 0 } } },
  'jwt with revocations': {
    strategy: 'jwt',
    config: { adapter: true, session: { updateAge: 0 } },
    with: { 'jwt-revocation': true },
  },
} as const satisfies Record<string, Setup>

/** Ends all sessions of a user as an administrator does. */
async function disable(
  { operations, assume }: World,
  userId: string,
  how: 'deleted' | 'disabled',
): Promise<void> {
  const end = how === 'deleted' ? operations?.deleteUser : operations?.revokeSessions
  assume(end !== undefined, 'the target cannot end the sessions of a user')
  await end?.(userId)
}

export const disabledUserProperties: readonly Property[] = [
  property({
    proves: ['SE-14'],
    name: 'ends every session of a user who is deleted or disabled, and no other',
    story: 'An employee leaves, their account is deleted, and their browser stays signed in for a month.',
    advice: 'Remove the sessions with the user, or keep a list of revoked tokens.',
    needs: ['clock', 'setup', 'store'],
    setups,
    runs: 40,
    reaches: { deleted: 8, disabled: 8, 'with concurrent requests': 8 },
    input: fc.record({
      how: fc.constantFrom('deleted', 'disabled'),
      devices: fc.integer({ min: 1, max: 3 }),
      waits: fc.integer({ min: 1, max: 600 }),
      requests: fc.array(fc.constantFrom('read', 'csrf', 'update'), { maxLength: 2 }),
      scheduler,
    }),
    async run(world, input) {
      const { ada, bob } = world.people
      const browsers = Array.from({ length: input.devices }, () => world.browser('ada'))
      for (const browser of browsers) await browser.signIn('alpha', ada)
      const other = world.browser('bob')
      await other.signIn('alpha', bob)
      const user = world.rows.users.find(({ email }) => email === ada.address.alpha)
      const [first] = browsers
      if (!first || !user) return world.assume(false, 'the user is not in the store')
      const csrfToken = await first.csrfToken()
      world.advance(input.waits)
      const held = browsers.map((browser) => sessionOf(browser.cookies()))
      const tabs = tabsOf(world, first, input.requests.length)
      const race = openRace(input.scheduler)
      world.enter(race)
      await race.run([
        () => disable(world, user.id, input.how),
        ...input.requests.map((request, n) => async () => {
          const tab = tabs[n] ?? first
          if (request === 'read') await tab.readSession()
          else if (request === 'csrf') await tab.csrfToken()
          else await tab.send(`${world.basePath}/session`, { json: { csrfToken, data: {} }, says: 'updates' })
        }),
      ])
      world.advance(1)
      for (const cookies of [...held, ...tabs.map((tab) => sessionOf(tab.cookies()))])
        world.check('SE-14', !isSignedIn(await readWith(world, cookies)), `a ${input.how} user has a session`)
      const isIn = isSignedIn(await other.readSession())
      world.check('SE-14', isIn, `the session of another user ends when a user is ${input.how}`)
      world.reach(input.how)
      if (input.requests.length > 0) world.reach('with concurrent requests')
    },
  }),

  property({
    proves: ['SE-14'],
    name: 'keeps no tokens of a deleted user',
    story: 'An application continues to read the mailbox of a user who has left.',
    advice: 'Delete the accounts with the user.',
    needs: ['clock', 'setup', 'store'],
    setups: { database: setups.database },
    runs: 8,
    input: fc.record({ waits: fc.integer({ min: 0, max: 600 }) }),
    async run(world, { waits }) {
      const { ada } = world.people
      world.idps.alpha.addToTokens({ refresh_token: 'the token of ada', expires_in: 60 })
      await world.browser('ada').signIn('alpha', ada)
      const user = world.rows.users.find(({ email }) => email === ada.address.alpha)
      if (!user) return world.assume(false, 'the user is not in the store')
      world.advance(waits)
      await disable(world, user.id, 'deleted')
      const account = { provider: world.idOf('alpha') ?? '', providerAccountId: 'ada-at-alpha' }
      const token = await world.operations?.getAccessToken?.(account).catch(() => undefined)
      world.check(
        'SE-14',
        token === undefined,
        'the application still gets an access token of a deleted user',
      )
      const kept = JSON.stringify(world.rows).includes('the token of ada')
      world.check('SE-14', !kept, 'the refresh token of a deleted user is still stored')
    },
  }),
]
