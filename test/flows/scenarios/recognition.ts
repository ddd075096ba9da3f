import { expect } from 'vitest'
import { signIn, startSignIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { planFaults } from '../../support/faulty-adapter.ts'
import { reveal } from '../../support/sealed.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, sessionCookie } from '../expectations.ts'

type Strategy = 'database' | 'jwt-stored' | 'jwt'
const bob = { provider: 'idp', providerAccountId: 'bob' }

/** The ways in which Ada's session ends before it is read. */
interface Loss {
  readonly strategy: Strategy
  readonly lose: (app: App, agent: Agent) => Promise<unknown>
  /** The event that recognition reports. */
  readonly event: string
}

const plant = (agent: Agent, value: string) => agent.set(`${sessionCookie}=${value}; Path=/; Secure`)
const forget = async (_: App, agent: Agent) => agent.forget(sessionCookie)
const outlive = async (app: App) => app.clock.advance(600)
const garble = async (_: App, agent: Agent) => plant(agent, 'garbage')
const removeUser = async ({ store, rows }: App) => store.deleteUser(rows.users()[0]?.id ?? '')
const removeSession = async ({ store, rows }: App) =>
  store.deleteSession(rows.sessions()[0]?.sessionToken ?? '')

const losses: readonly Loss[] = [
  { strategy: 'jwt-stored', lose: forget, event: 'readingCookie cookie.absent' },
  { strategy: 'jwt-stored', lose: outlive, event: 'openingToken token.expired' },
  { strategy: 'jwt-stored', lose: garble, event: 'openingToken token.invalid' },
  { strategy: 'jwt-stored', lose: removeUser, event: 'findingUser user.unknown' },
  { strategy: 'jwt', lose: async () => {}, event: 'findingUser user.unknown' },
  { strategy: 'database', lose: forget, event: 'readingCookie cookie.absent' },
  { strategy: 'database', lose: outlive, event: 'findingSession session.expired' },
  { strategy: 'database', lose: garble, event: 'findingSession session.unknown' },
  { strategy: 'database', lose: removeSession, event: 'findingSession session.unknown' },
]

/** Signs Ada in for ten minutes. */
async function openSignedIn(open: Stage['open'], strategy: Strategy) {
  const store = planFaults()
  const app = open({ strategy, wrap: store.wrap, config: { session: { maxAge: 600, updateAge: 0 } } })
  const agent = app.agent()
  await signIn(app, agent)
  app.idp.choose('bob')
  return { app, agent, store, ada: app.rows.users()[0]?.id }
}

/** The user for whom the checks say that the sign-in was started. */
async function startedFor(app: App, agent: Agent): Promise<unknown> {
  const sealed = await reveal(app, agent.cookies()[checkCookies.pkce] ?? '', checkCookies.pkce)
  return (sealed as { readonly user?: unknown }).user
}

const taken = (app: App, inside: string) =>
  app.hops.map(({ state, event }) => `${state} ${event}`.replace(inside, ''))

/** Which user is signed in when a sign-in starts and when it ends. */
export const recognitionScenarios = [
  scenario('DEC-16a SE-04 DEC-19a a sign-in records the signed-in user when it starts', async ({ open }) => {
    for (const [strategy, way] of [
      ['jwt-stored', ['readingCookie token.held', 'openingToken token.opened', 'findingUser user.found']],
      ['database', ['readingCookie id.held', 'findingSession session.found']],
    ] as const) {
      const { app, agent, store, ada } = await openSignedIn(open, strategy)
      app.clock.advance(599)
      const before = [app.rows.sessions(), agent.cookies()[sessionCookie]]
      store.arm()
      await startSignIn(agent)
      expect(taken(app, 'recognising.').slice(-way.length - 3, -3)).toEqual(way)
      expect(app.ended()).toBe('sentToProvider')
      expect(await startedFor(app, agent)).toBe(ada)
      expect([app.rows.sessions(), agent.cookies()[sessionCookie]]).toEqual(before)
      expect(store.calls).toEqual([strategy === 'database' ? 'getSessionAndUser' : 'getUser'])
    }
  }),

  scenario('DEC-16a SE-04 only a live session counts when a sign-in starts', async ({ open }) => {
    for (const { strategy, lose, event } of losses) {
      const { app, agent } = await openSignedIn(open, strategy)
      await lose(app, agent)
      await startSignIn(agent)
      expect(taken(app, 'recognising.').at(-4)).toBe(event)
      expect(app.ended()).toBe('sentToProvider')
      expect(await startedFor(app, agent), event).toBeUndefined()
    }
  }),

  scenario(
    'DEC-16a SE-04 DEC-19a AL-03 a session that ends while the user is at the provider gets no account',
    async ({ open }) => {
      for (const { strategy, lose, event } of losses) {
        const { app, agent, ada } = await openSignedIn(open, strategy)
        const { parameters } = await visitProvider(app, agent)
        await lose(app, agent)
        await agent.send(`/auth/callback/idp?${parameters}`)
        const way = taken(app, 'admitting.recognising.')
        expect(way, event).toContain(event)
        expect(way[way.lastIndexOf(event) + 1], event).toMatch(
          /^admitting\.decidingLink user\.(?:new|unstored)$/,
        )
        expect(app.ended()).toBe('signedIn')
        const owner = await app.store.getUserByAccount(bob)
        if (strategy === 'jwt') expect(owner).toBeNull()
        else expect([owner?.email, owner?.id === ada]).toEqual(['bob@example.com', false])
      }
    },
  ),

  scenario(
    'DEC-16a SE-04 a live session at both ends gets the account, and is not extended by the check',
    async ({ open }) => {
      for (const [strategy, way] of [
        ['jwt-stored', ['readingCookie token.held', 'openingToken token.opened', 'findingUser user.found']],
        ['database', ['readingCookie id.held', 'findingSession session.found']],
      ] as const) {
        const { app, agent, store, ada } = await openSignedIn(open, strategy)
        const { parameters } = await visitProvider(app, agent)
        app.clock.advance(599)
        store.arm()
        await agent.send(`/auth/callback/idp?${parameters}`)
        const inside = app.hops.filter(({ state }) => state.startsWith('admitting.recognising.'))
        expect(
          inside.slice(-way.length).map(({ state, event }) => `${state.split('.')[2]} ${event}`),
        ).toEqual(way)
        expect(app.ended()).toBe('signedIn')
        expect((await app.store.getUserByAccount(bob))?.id).toBe(ada)
        expect(store.calls).not.toContain('updateSession')
      }
    },
  ),
]
