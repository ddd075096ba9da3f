import fc from 'fast-check'
import { openRace } from '../world/race.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { throughCallback } from './support/callbacks.ts'
import { isSignedIn, readWith, sessionOf } from './support/sessions.ts'
import { count, scheduler, tabsOf } from './support/races.ts'

export const sessionRaceProperties: readonly Property[] = [
  property({
    proves: ['CC-06'],
    name: 'no update of a stored session that was acknowledged is lost',
    story: 'Two tabs change settings at once; both are told that it is done, and one is lost.',
    advice: 'Hand each update to the session callback before it is acknowledged.',
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
      const told = world.told.callbacks.map(({ params }) => params.newSession)
      for (const [n, status] of statuses.entries())
        world.hold(
          'CC-06',
          status !== 200 || told.includes(`news ${n}`),
          'an update was acknowledged that no callback saw',
        )
      world.demand(statuses.includes(200), 'no update was acknowledged')
      world.hold(
        'CC-06',
        isSignedIn(await browser.readSession()),
        'after updates at once the session is gone',
      )
    },
  }),

  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['CC-03', 'CC-04'],
      name: `once a sign-out has answered, nothing brings the session back (${strategy})`,
      story: 'A slow request of another tab, answered after the sign-out, signs the user in again.',
      advice: 'Extend a row only where it is; set the cookie only from what the store says it did.',
      needs: ['setup'],
      setups: { [strategy]: { strategy, config: { session: { updateAge: 0 } } } },
      runs: 40,
      reaches: { 'beside others': 10 },
      input: fc.record({
        acts: fc.array(fc.constantFrom('read', 'update', 'csrf'), { minLength: 1, maxLength: 3 }),
        scheduler,
      }),
      async run(world, input) {
        const { ada } = world.people
        const browser = world.browser('ada')
        await browser.signIn('alpha', ada)
        const csrfToken = await browser.csrfToken()
        if (world.features.has('clock')) world.pass(5)
        const held = sessionOf(browser.cookies())
        const tabs = tabsOf(world, browser, input.acts.length)
        const isFinal = strategy === 'database' || world.capabilities.has('jwt-revocation')
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([
          () => browser.send(`${world.basePath}/signout`, { form: { csrfToken }, says: 'signs out' }),
          ...input.acts.map((act, n) => () => {
            const tab = tabs[n] ?? browser
            if (act === 'update')
              return tab.send(`${world.basePath}/session`, {
                json: { csrfToken, data: 'news' },
                says: 'updates its session',
              })
            return act === 'read' ? tab.readSession() : tab.send(`${world.basePath}/csrf`)
          }),
        ])
        world.reach('beside others')
        world.hold(
          'CC-03',
          !isSignedIn(await browser.readSession()),
          'the browser is signed in after its sign-out',
        )
        if (!isFinal) return
        for (const tab of [browser, ...tabs])
          world.hold('CC-03', !isSignedIn(await tab.readSession()), 'a tab is signed in after the sign-out')
        world.hold(
          'CC-03',
          !isSignedIn(await readWith(world, held)),
          'the old cookie is a session after the sign-out',
        )
        if (world.features.has('store'))
          world.hold(
            'CC-04',
            world.rows.sessions.length === 0,
            'the row of the session is there after the sign-out',
          )
      },
    }),
  ),

  property({
    proves: ['CC-05'],
    name: 'extensions at once take no expiry back, and one of them is enough',
    story: 'Two tabs that load at once shorten the session, or write to the store without end.',
    advice: 'Count the next extension from the expiry that is stored.',
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
      world.pass(input.gap)
      const tabs = tabsOf(world, browser, input.count)
      const stored = () => world.rows.sessions[0]?.expires.getTime() ?? 0
      const before = stored()
      const race = openRace(input.scheduler)
      world.enter(race)
      world.plan.arm('store.updateSession')
      const replies = await race.run(tabs.map((tab) => () => tab.readSession()))
      for (const reply of replies)
        world.hold('CC-05', isSignedIn(reply), 'an extension beside others ended the session')
      world.hold('CC-05', stored() >= before, 'extensions at once took the expiry back')
      world.hold(
        'CC-05',
        stored() === world.clock.now() + 1_000_000,
        'after extensions at once the row is of another length',
      )
      const written = world.plan.calls.length
      world.hold('CC-05', isSignedIn(await browser.readSession()), 'the session is gone')
      world.hold('CC-05', world.plan.calls.length === written, 'one more access in the same time wrote again')
    },
  }),

  property({
    proves: ['CC-06'],
    name: 'of updates at once none that was acknowledged is lost, or the last one stays whole',
    story: 'Two tabs change settings at once, and what is stored is of neither.',
    advice: 'Hand each update to the callbacks; let the last response win as a whole.',
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
      const answered: number[] = []
      const race = openRace(input.scheduler)
      world.enter(race)
      await race.run(
        Array.from({ length: input.count }, (_, n) => async () => {
          const { json, status } = await browser.send(`${world.basePath}/session`, {
            json: { csrfToken, data: { left: n, right: n } },
            says: 'updates its session',
          })
          world.hold(
            'CC-06',
            status === 200 && member(json, 'left') === n,
            'an update is not acknowledged with what it says',
          )
          answered.push(n)
        }),
      )
      const { json } = await browser.readSession()
      const [left, right] = [member(json, 'left'), member(json, 'right')]
      world.hold(
        'CC-06',
        left === right,
        `the session has parts of two updates: ${String(left)} and ${String(right)}`,
      )
      world.hold('CC-06', left === answered.at(-1), 'the update whose answer came last is lost')
    },
  }),
]
