import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApp, sessionOf, signIn, visitProvider } from '../support/app.ts'
import { interleavedStore } from '../support/interleaved-store.ts'
import { spread } from '../support/spread.ts'
import { locationOf } from './expectations.ts'

const choices = fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 30 })

describe('concurrent first sign-ins of one account', () => {
  it.each([
    ['without an address', {}],
    ['with an address', { email: 'ada@example.com' }],
  ])(
    'CC-01 AL-02 AL-11 DEC-20a end with one user and one account, %s',
    async (name, claims) => {
      const cases = spread(`concurrent first sign-ins, ${name}`)
      await fc.assert(
        fc.asyncProperty(choices, fc.integer({ min: 2, max: 4 }), async (order, count) => {
          const store = interleavedStore()
          const app = openApp({
            strategy: 'database',
            wrap: store.wrap,
            apart: true,
            idp: { users: [{ sub: 'ada', claims }] },
          })
          const agents = Array.from({ length: count }, () => app.agent())
          const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
          const arrivals = agents.map(
            (agent, n) => () => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`),
          )
          const responses = await store.run(arrivals, order)

          const [user, ...others] = app.rows.users()
          expect(others).toEqual([])
          expect(app.rows.accounts()).toMatchObject([{ userId: user?.id, providerAccountId: 'ada' }])
          const landings = responses.map((response) => locationOf(response).href)
          const isIn = (href: string | undefined) => href === 'https://app.test/'
          for (const href of landings)
            expect(isIn(href) || href === 'https://app.test/auth/signin?error=OAuthAccountNotLinked').toBe(
              true,
            )
          expect(landings.some(isIn)).toBe(true)
          if (!('email' in claims)) expect(landings.every(isIn)).toBe(true)
          expect(app.rows.sessions().map(({ userId }) => userId)).toEqual(
            landings.filter(isIn).map(() => user?.id),
          )
          for (const [n, agent] of agents.entries())
            expect((await sessionOf(agent)) !== null).toBe(isIn(landings[n]))

          const again = await Promise.all(agents.map((agent) => signIn(app, agent)))
          expect(again.map((response) => locationOf(response).href).every(isIn)).toBe(true)
          expect(app.rows.users()).toHaveLength(1)
          const taken = new Set(app.hops.map(({ event }) => event))
          for (const event of ['user.conflicting', 'user.orphaned']) if (taken.has(event)) cases.count(event)
          cases.count(landings.every(isIn) ? 'all signed in' : 'some asked to try again')
        }),
        { numRuns: 40 },
      )
      cases.report()
      cases.atLeast('email' in claims ? 'user.conflicting' : 'user.orphaned', 5)
      cases.atLeast('all signed in', 10)
    },
    60_000,
  )
})
