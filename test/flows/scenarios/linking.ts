import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, startSignIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { planFaults } from '../../support/faulty-adapter.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, cookiesOf, eventsOf, expectError, sessionCookie } from '../expectations.ts'

type Strategy = 'database' | 'jwt-stored'

interface Situation {
  /** The user who is signed in in this browser. */
  readonly current?: 'ada' | 'eve'
  /** Whether Ada's account at the provider is linked already. */
  readonly isKnown: boolean
  /** Whether Ada's address belongs to a user who never signed in. */
  readonly isAddressKnown?: boolean
  readonly allows?: boolean
  readonly verified?: boolean | string
}

const tables = ['getUserByAccount', 'getUserByEmail', 'createUser', 'linkAccount', 'createSession']

/** Ada signs in in the given situation. @returns the result */
async function meet(open: Stage['open'], strategy: Strategy, type: 'oidc' | 'oauth', situation: Situation) {
  const { current, isKnown, isAddressKnown, allows, verified } = situation
  const store = planFaults()
  const claims = {
    name: 'Ada',
    email: 'ada@example.com',
    ...(verified !== undefined && { email_verified: verified }),
  }
  const app = open({
    strategy,
    wrap: store.wrap,
    idp: {
      users: [
        { sub: 'ada', claims },
        { sub: 'eve', claims: { email: 'eve@example.com' } },
      ],
    },
    provider: { type, allowDangerousEmailAccountLinking: allows },
  })
  const agent = app.agent()
  if (isKnown) await signIn(app, current === 'ada' ? agent : app.agent())
  if (isAddressKnown)
    await app.store.createUser({ id: 'known', email: 'ada@example.com', emailVerified: null })
  if (current === 'eve') {
    app.idp.choose('eve')
    await signIn(app, agent)
    app.idp.choose('ada')
  }
  const eve = (await app.store.getUserByEmail('eve@example.com'))?.id
  const before = { rows: rowsOf(app), cookies: { ...agent.cookies() } }
  const { parameters } = await visitProvider(app, agent)
  store.arm()
  app.events.length = 0
  const response = await agent.send(`/auth/callback/idp?${parameters}`)
  const calls = store.calls.filter((call) => tables.includes(call))
  return { app, agent, response, before, calls, eve, ended: app.ended(), events: eventsOf(app) }
}

function rowsOf({ rows }: App) {
  return { users: rows.users(), accounts: rows.accounts(), sessions: rows.sessions() }
}

/** The owners of the accounts, without their tokens. */
function linksOf({ accounts }: Pick<ReturnType<typeof rowsOf>, 'accounts'>) {
  return accounts.map(({ provider, providerAccountId, type, userId }) => ({
    provider,
    providerAccountId,
    type,
    userId,
  }))
}

const each = [
  ['database', 'oidc'],
  ['jwt-stored', 'oauth'],
] as const

const withSession = (strategy: Strategy, calls: string[]) =>
  strategy === 'database' ? [...calls, 'createSession'] : calls

/** Which user gets an account, row by row of the table. */
export const linkingScenarios = [
  scenario('WIR-043 AL-07 a known account signs in its owner', async ({ open }) => {
    for (const [strategy, type] of each) {
      const result = await meet(open, strategy, type, { isKnown: true })
      expect(result.ended).toBe('signedIn')
      expect(result.events).toEqual(['signIn'])
      expect(result.app.events[0]?.message.isNewUser).toBe(false)
      expect(result.calls).toEqual(withSession(strategy, ['getUserByAccount']))
      expect(linksOf(rowsOf(result.app))).toEqual(linksOf(result.before.rows))
      expect(rowsOf(result.app).users).toEqual(result.before.rows.users)
    }
  }),

  scenario(
    "WIR-043 AL-07 the signed-in user's own account changes only the session and the tokens",
    async ({ open }) => {
      for (const [strategy, type] of each) {
        const result = await meet(open, strategy, type, { isKnown: true, current: 'ada' })
        expect(result.ended).toBe('signedIn')
        expect(result.events).toEqual(['signIn'])
        expect(linksOf(rowsOf(result.app))).toEqual(linksOf(result.before.rows))
        expect(result.agent.cookies()[sessionCookie]).not.toBe(result.before.cookies[sessionCookie])
        expect(result.app.rows.sessions()).toHaveLength(strategy === 'database' ? 1 : 0)
      }
    },
  ),

  scenario(
    'WIR-043 WIR-044 AL-05 the account of another user is rejected, and nothing changes',
    async ({ open }) => {
      for (const [strategy, type] of each) {
        const result = await meet(open, strategy, type, { isKnown: true, current: 'eve' })
        expectError(result.response, 'OAuthAccountNotLinked', '/auth/signin')
        expect(result.ended).toBe('notLinked')
        expect(result.app.hops.at(-1)).toMatchObject({
          state: 'admitting.decidingLink',
          event: 'account.taken',
        })
        expect(result.events).toEqual([])
        expect(rowsOf(result.app)).toEqual(result.before.rows)
        const checks: string[] = Object.values(checkCookies)
        expect([...cookiesOf(result.response).keys()].filter((name) => !checks.includes(name))).toEqual([])
        expect(result.agent.cookies()).toEqual(result.before.cookies)
        expect(await sessionOf(result.agent)).toMatchObject({ user: { email: 'eve@example.com' } })
      }
    },
  ),

  scenario(
    'WIR-043 AL-03 AL-07 a new account goes to the signed-in user, whatever its address',
    async ({ open }) => {
      for (const [strategy, type] of each) {
        for (const isAddressKnown of [false, true]) {
          const result = await meet(open, strategy, type, { isKnown: false, current: 'eve', isAddressKnown })
          expect(result.ended).toBe('signedIn')
          expect(result.events).toEqual(['linkAccount', 'signIn'])
          expect(result.app.events[1]?.message.isNewUser).toBe(false)
          const looks = ['getUserByAccount', 'getUserByAccount', 'linkAccount']
          expect(result.calls).toEqual(withSession(strategy, looks))
          expect(result.app.rows.users()).toEqual(result.before.rows.users)
          expect(result.app.rows.accounts()).toMatchObject([{ userId: result.eve }, { userId: result.eve }])
          expect(await sessionOf(result.agent)).toMatchObject({ user: { email: 'eve@example.com' } })
        }
      }
    },
  ),

  scenario('WIR-043 WIR-044 AL-01 the address of another user is rejected', async ({ open }) => {
    for (const [strategy, type] of each) {
      const result = await meet(open, strategy, type, { isKnown: false, isAddressKnown: true })
      expectError(result.response, 'OAuthAccountNotLinked', '/auth/signin')
      expect(result.ended).toBe('notLinked')
      expect(result.events).toEqual([])
      expect(rowsOf(result.app)).toEqual(result.before.rows)
      expect(await sessionOf(result.agent)).toBeNull()
    }
  }),

  scenario(
    'WIR-043 AL-01 AL-09 an address links an account only if the provider allows it, and never if it is unverified',
    async ({ open }) => {
      for (const [strategy, type] of each) {
        for (const verified of [undefined, true]) {
          const result = await meet(open, strategy, type, {
            isKnown: false,
            isAddressKnown: true,
            allows: true,
            verified,
          })
          expect(result.ended).toBe('signedIn')
          expect(result.events).toEqual(['linkAccount', 'signIn'])
          expect(result.app.events[1]?.message.isNewUser).toBe(false)
          expect(result.app.rows.users()).toMatchObject([{ id: 'known', emailVerified: null }])
          expect(result.app.rows.accounts()).toMatchObject([{ userId: 'known' }])
        }
      }
      for (const verified of [false, 'false']) {
        const result = await meet(open, 'database', 'oidc', {
          isKnown: false,
          isAddressKnown: true,
          allows: true,
          verified,
        })
        expect(result.ended).toBe('notLinked')
        expect(rowsOf(result.app)).toEqual(result.before.rows)
      }
    },
  ),

  scenario('WIR-043 AL-07 AL-11 a new identity becomes a user, who can sign in again', async ({ open }) => {
    for (const [strategy, type] of each) {
      const result = await meet(open, strategy, type, { isKnown: false })
      expect(result.ended).toBe('signedIn')
      expect(result.events).toEqual(['createUser', 'linkAccount', 'signIn'])
      expect(result.app.events[2]?.message.isNewUser).toBe(true)
      const creating = ['getUserByEmail', 'createUser', 'getUserByAccount', 'linkAccount']
      const looks = ['getUserByAccount', 'getUserByEmail', ...creating]
      expect(result.calls).toEqual(withSession(strategy, looks))
      const [user] = result.app.rows.users()
      expect(result.app.rows.accounts()).toMatchObject([{ userId: user?.id }])
      await signIn(result.app, result.app.agent())
      expect(result.app.ended()).toBe('signedIn')
      expect(result.app.rows.users()).toHaveLength(1)
    }
  }),

  scenario('WIR-043 without a store there is no user to link to', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    app.idp.choose('eve')
    await signIn(app, agent)
    const taken = app.hops.map(({ state, event }) => `${state} ${event}`)
    expect(taken).toContain('admitting.findingOwner owner.sought')
    expect(taken).toContain('admitting.decidingLink user.unstored')
    expect(app.ended()).toBe('signedIn')
    expect(eventsOf(app)).toEqual(['signIn', 'signIn'])
    expect(app.events[1]?.message.isNewUser).toBeUndefined()
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Eve' } })
  }),

  scenario(
    'DEC-38 with accountLinking: "explicit", only a sign-in that requests linking links to the signed-in user',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = open({ strategy, config: { accountLinking: 'explicit' } })
        const agent = await signedInAs(app, 'eve')
        app.idp.choose('ada')
        await signIn(app, agent, 'idp', { link: 'false' })
        expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
        app.idp.choose('eve')
        await signIn(app, agent)
        expect(await sessionOf(agent)).toMatchObject({ user: { email: 'eve@example.com' } })
        app.idp.choose('bob')
        await signIn(app, agent, 'idp', { link: 'true' })
        expect(await sessionOf(agent)).toMatchObject({ user: { email: 'eve@example.com' } })
        const owner = await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'bob' })
        expect(owner?.email).toBe('eve@example.com')
        app.idp.choose('ada')
        expectError(
          await signIn(app, agent, 'idp', { link: 'true' }),
          'OAuthAccountNotLinked',
          '/auth/signin',
        )
      }
    },
  ),

  scenario(
    'DEC-38 SE-03 with accountLinking: "explicit", nothing is linked to a planted session',
    async ({ open }) => {
      const app = open({ strategy: 'database', config: { accountLinking: 'explicit' } })
      const attacker = await signedInAs(app, 'eve')
      const victim = app.agent()
      victim.set(`${sessionCookie}=${attacker.cookies()[sessionCookie]}; Path=/; Secure`)
      app.idp.choose('ada')
      await signIn(app, victim)
      const owner = await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'ada' })
      expect(owner?.email).toBe('ada@example.com')
      expect(await sessionOf(victim)).toMatchObject({ user: { email: 'ada@example.com' } })
    },
  ),

  scenario('AL-03 a page of another site cannot start linking', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const agent = await signedInAs(app, 'eve')
    await csrfOf(agent)
    const response = await agent.send('/auth/signin/idp', { form: { csrfToken: 'f'.repeat(64) } })
    expectError(response, 'MissingCSRF', '/auth/signin')
    expect(app.ended()).toBe('refused')
    expect(app.rows.accounts()).toHaveLength(1)
  }),

  scenario(
    'AL-10 DEC-19a a sign-in started for one user in one browser links to no other user',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const attacker = await signedInAs(app, 'eve')
      const victim = await signedInAs(app, 'ada')
      app.idp.choose('bob')
      const { parameters } = await visitProvider(app, attacker)
      await startSignIn(victim)
      for (const name of Object.values(checkCookies)) {
        const planted = attacker.cookies()[name]
        if (planted) victim.set(`${name}=${planted}; Path=/; Secure`)
      }
      await victim.send(`/auth/callback/idp?${parameters}`)
      const owner = await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'bob' })
      expect(owner?.email).toBe('bob@example.com')
      expect(app.ended()).toBe('signedIn')
      expect(app.hops.map(({ event }) => event).slice(-8)).not.toContain('link.allowed')
    },
  ),
]

async function signedInAs(app: App, sub: string): Promise<Agent> {
  app.idp.choose(sub)
  const agent = app.agent()
  await signIn(app, agent)
  return agent
}
