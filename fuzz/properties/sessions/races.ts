import fc from 'fast-check'
import { openRace } from '../../world/race.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { withRevocations } from '../support/revocations.ts'
import { throughCallback } from '../support/callbacks.ts'
import { isSignedIn, readWith, sessionOf } from '../support/sessions.ts'
import { count, scheduler, tabsOf } from '../support/races.ts'

export const sessionRaceProperties: readonly Property[] = [
  property({
    proves: ['CC-06'],
    name: 'loses no acknowledged update of a database session',
    story: 'Two tabs change settings at once. Both report success, and one change is lost.',
    advice: 'Pass each update to the session callback before you acknowledge it.',
    needs: ['hooks', 'setup'],
    setups: {
      database: {
        config: throughCallback,
      },
    },
    runs: 25,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const race = openRace(input.scheduler)
      world.enter(race)
      const statuses = await race.run(
        Array.from({ length: input.count }, (_, n) => async () => {
          const sending = { json: { csrfToken, data: `news ${n}` }, says: 'updates its session' }
          return (await browser.send(`${world.basePath}/session`, sending)).status
        }),
      )
      const received = world.recorded.callbacks.map(({ params }) => params.newSession)
      for (const [n, status] of statuses.entries())
        world.check(
          'CC-06',
          status !== 200 || received.includes(`news ${n}`),
          'an acknowledged update reached no callback',
        )
      world.assume(statuses.includes(200), 'no update was acknowledged')
      world.check(
        'CC-06',
        isSignedIn(await browser.readSession()),
        'the session is gone after concurrent updates',
      )
    },
  }),

  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: strategy === 'database' ? ['CC-03', 'CC-04'] : ['CC-03'],
      name: `restores no session once a sign-out has completed (${strategy})`,
      story: 'A slow request of another tab completes after the sign-out, and signs the user in again.',
      advice: 'Extend only a row that exists, and set the cookie only from the store’s result.',
      needs: ['setup'],
      setups: withRevocations(strategy, { config: { session: { updateAge: 0 } } }),
      runs: 40,
      reaches: { 'with concurrent requests': 10 },
      input: fc.record({
        requests: fc.array(fc.constantFrom('read', 'update', 'csrf'), { minLength: 1, maxLength: 3 }),
        scheduler,
      }),
      async run(world, input) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn('alpha', ada)
        const csrfToken = await browser.csrfToken()
        if (world.features.has('clock')) world.advance(5)
        const held = sessionOf(browser.cookies())
        const tabs = tabsOf(world, browser, input.requests.length)
        const isFinal = strategy === 'database' || world.capabilities.has('jwt-revocation')
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([
          () => browser.send(`${world.basePath}/signout`, { form: { csrfToken }, says: 'signs out' }),
          ...input.requests.map((request, n) => () => {
            const tab = tabs[n] ?? browser
            if (request === 'update')
              return tab.send(`${world.basePath}/session`, {
                json: { csrfToken, data: 'news' },
                says: 'updates its session',
              })
            return request === 'read' ? tab.readSession() : tab.send(`${world.basePath}/csrf`)
          }),
        ])
        world.reach('with concurrent requests')
        world.check(
          'CC-03',
          !isSignedIn(await browser.readSession()),
          'the browser is signed in after its sign-out',
        )
        if (!isFinal) return
        for (const tab of [browser, ...tabs])
          world.check('CC-03', !isSignedIn(await tab.readSession()), 'a tab is signed in after the sign-out')
        world.check(
          'CC-03',
          !isSignedIn(await readWith(world, held)),
          'the old cookie is a session after the sign-out',
        )
        if (world.features.has('store'))
          world.check(
            'CC-04',
            world.rows.sessions.length === 0,
            'the session row still exists after the sign-out',
          )
      },
    }),
  ),

  property({
    proves: ['CC-05'],
    name: 'handles concurrent extensions with one write, and never shortens the expiry',
    story: 'Two tabs that load at once shorten the session, or write to the store repeatedly.',
    advice: 'Compute the next extension from the stored expiry.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: { config: { session: { maxAge: 1000, updateAge: 100 } } } },
    runs: 30,
    input: fc.record({
      count: fc.integer({ min: 2, max: 4 }),
      gap: fc.integer({ min: 100, max: 600 }),
      scheduler,
    }),
    async run(world, input) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      world.advance(input.gap)
      const tabs = tabsOf(world, browser, input.count)
      const stored = () => world.rows.sessions[0]?.expires.getTime() ?? 0
      const before = stored()
      const race = openRace(input.scheduler)
      world.enter(race)
      world.plan.arm('store.updateSession')
      const replies = await race.run(tabs.map((tab) => () => tab.readSession()))
      for (const reply of replies)
        world.check('CC-05', isSignedIn(reply), 'a concurrent extension ended the session')
      world.check('CC-05', stored() >= before, 'concurrent extensions shortened the expiry')
      world.check(
        'CC-05',
        stored() === world.clock.now() + 1_000_000,
        'after concurrent extensions, the row does not last maxAge',
      )
      const written = world.plan.calls.length
      world.check('CC-05', isSignedIn(await browser.readSession()), 'the session is gone')
      world.check(
        'CC-05',
        world.plan.calls.length === written,
        'another access in the same period wrote again',
      )
    },
  }),

  property({
    proves: ['CC-06'],
    name: 'keeps the last acknowledged update complete after concurrent ones',
    story: 'Two tabs change settings at once, and the stored result matches neither.',
    advice: 'Pass each update to the callbacks, and let the last response replace the whole session.',
    needs: ['setup'],
    setups: {
      jwt: {
        strategy: 'jwt',
        config: {
          callbacks: {
            jwt: ({ token, session }: { token: object; session?: object }) => ({ ...token, ...session }),
            session: ({ session, token }: { session: object; token: { left?: number; right?: number } }) => ({
              ...session,
              left: token.left,
              right: token.right,
            }),
          },
        },
      },
    },
    runs: 30,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      const acknowledged: number[] = []
      const race = openRace(input.scheduler)
      world.enter(race)
      await race.run(
        Array.from({ length: input.count }, (_, n) => async () => {
          const { json, status } = await browser.send(`${world.basePath}/session`, {
            json: { csrfToken, data: { left: n, right: n } },
            says: 'updates its session',
          })
          world.check(
            'CC-06',
            status === 200 && member(json, 'left') === n,
            'an update is acknowledged, but its data is missing',
          )
          acknowledged.push(n)
        }),
      )
      const { json } = await browser.readSession()
      const [left, right] = [member(json, 'left'), member(json, 'right')]
      world.check(
        'CC-06',
        left === right,
        `the session has parts of two updates: ${String(left)} and ${String(right)}`,
      )
      world.check('CC-06', left === acknowledged.at(-1), 'the last acknowledged update is lost')
    },
  }),
]
