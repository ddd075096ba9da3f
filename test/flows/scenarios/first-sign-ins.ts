import { expect } from 'vitest'
import { sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import { orderedStore, type CallName } from '../../support/ordered-store.ts'
import type { Agent } from '../../support/browser-agent.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { eventsOf, expectError, locationOf } from '../expectations.ts'

interface Race {
  readonly waits: Partial<Record<CallName, CallName>>
  readonly claims?: Record<string, unknown>
  readonly allows?: boolean
}

/** Two browsers return from the provider at once, both as Ada, who has no user yet. */
async function race(open: Stage['open'], { waits, claims = {}, allows }: Race) {
  const app = open({
    strategy: 'database',
    wrap: orderedStore(waits),
    apart: true,
    idp: { users: [{ sub: 'ada', claims }] },
    provider: { allowDangerousEmailAccountLinking: allows },
  })
  const agents = [app.agent(), app.agent()] as const
  const asked = [await visitProvider(app, agents[0]), await visitProvider(app, agents[1])] as const
  const responses = await Promise.all(
    agents.map((agent, index) => agent.send(`/auth/callback/idp?${asked[index]?.parameters}`)),
  )
  return { app, agents, responses }
}

/** The target of each event in the two concurrent flows. */
const takenBy = ({ hops }: App) => hops.map(({ state, event, next }) => `${state} ${event} ${next}`)

/** Expects one user and one account, and both browsers signed in as that user. */
async function expectOne(app: App, agents: readonly Agent[], responses: readonly Response[]): Promise<void> {
  for (const response of responses) expect(locationOf(response).href).toBe('https://app.test/')
  const [user, ...others] = app.rows.users()
  expect(others).toEqual([])
  expect(app.rows.accounts()).toMatchObject([{ provider: 'idp', providerAccountId: 'ada', userId: user?.id }])
  expect(app.rows.sessions().map(({ userId }) => userId)).toEqual([user?.id, user?.id])
  for (const agent of agents) expect(await sessionOf(agent)).not.toBeNull()
}

const address = { email: 'ada@example.com' }

/** Concurrent first sign-ins of one account. */
export const firstSignInScenarios = [
  scenario(
    'CC-01 DEC-20a DEC-20b AL-02 AL-07 the sign-in that links second removes the user it created',
    async ({ open }) => {
      const { app, agents, responses } = await race(open, { waits: { 'linkAccount#1': 'createUser#2' } })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.confirmingAccount user.orphaned admitting.removingUser')
      expect(taken).toContain('admitting.removingUser user.removed admitting.rereading')
      expect(taken).toContain('admitting.rereading owner.returning admitting.checkingFactorOfOwner')
      await expectOne(app, agents, responses)
      expect(eventsOf(app).toSorted()).toEqual([
        'createUser',
        'linkAccount',
        'session',
        'session',
        'signIn',
        'signIn',
      ])
      expect(
        app.events
          .flatMap(({ event, message }) => (event === 'signIn' ? [String(message.isNewUser)] : []))
          .toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(['false', 'true'])
    },
  ),

  scenario(
    'CC-01 DEC-20a a sign-in that cannot create its user because the address is taken reads the account again',
    async ({ open }) => {
      const waits = { 'createUser#1': 'getUserByEmail#4', 'getUserByAccount#4': 'linkAccount#1' } as const
      const { app, agents, responses } = await race(open, { waits, claims: address })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.confirmingUser user.conflicting admitting.rereading')
      expect(taken).toContain('admitting.rereading owner.returning admitting.checkingFactorOfOwner')
      await expectOne(app, agents, responses)
    },
  ),

  scenario(
    'CC-01 AL-02 AL-11 an address signs in only its owner, and only once the account is stored',
    async ({ open }) => {
      const waits = { 'createUser#1': 'getUserByEmail#4', 'linkAccount#1': 'getUserByAccount#9' } as const
      const { app, agents, responses } = await race(open, { waits, claims: address })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.rereading address.owned admitting.decidingLink')
      expect(taken).toContain('admitting.decidingLink address.taken admitting.awaitingTurn')
      expect(taken).toContain('admitting.pausing pauses.exhausted admitting.recheckingAddress')
      expect(taken).toContain('admitting.recheckingAddress account.taken notLinked')
      const [refused, ...others] = responses.filter(({ headers }) =>
        headers.get('location')?.includes('error'),
      )
      expect(others).toEqual([])
      expectError(refused as Response, 'OAuthAccountNotLinked', '/auth/signin')
      expect(app.rows.sessions()).toHaveLength(1)
      const again = await Promise.all(agents.map((agent) => signIn(app, agent)))
      await expectOne(app, agents, again)
    },
  ),

  ...(['verified address', 'another account', 'nothing', 'an adapter that lists no accounts'] as const).map(
    (has) =>
      scenario(
        `CC-01 AL-01 a refusal waits for other processes only if its user may be new: ${has}`,
        async ({ open }) => {
          const wrap = (store: Adapter): Adapter =>
            has === 'an adapter that lists no accounts'
              ? { ...store, listAccountsByUserId: undefined }
              : store
          const app = open({ strategy: 'database', wrap, idp: { users: [{ sub: 'ada', claims: address }] } })
          const emailVerified = has === 'verified address' ? new Date(app.clock.now()) : null
          await app.store.createUser({ id: 'first', ...address, emailVerified })
          if (has !== 'verified address' && has !== 'nothing')
            await app.store.linkAccount({
              userId: 'first',
              type: 'oidc',
              provider: 'other',
              providerAccountId: 'a',
            })
          const agent = app.agent()
          const { parameters } = await visitProvider(app, agent)
          expectError(
            await agent.send(`/auth/callback/idp?${parameters}`),
            'OAuthAccountNotLinked',
            '/auth/signin',
          )
          const waits = takenBy(app).filter((hop) => hop.startsWith('admitting.pausing pause.over'))
          expect(waits).toHaveLength(has === 'verified address' || has === 'another account' ? 0 : 4)
        },
      ),
  ),

  scenario('CC-01 DEC-20b creates a user if the address becomes free during the wait', async ({ open }) => {
    let reads = 0
    const wrap = (store: Adapter): Adapter => ({
      ...store,
      async getUserByAccount(key) {
        if (++reads === 4) await store.deleteUser?.('first')
        return store.getUserByAccount?.(key) ?? null
      },
    })
    const app = open({ strategy: 'database', wrap, idp: { users: [{ sub: 'ada', claims: address }] } })
    await app.store.createUser({ id: 'first', ...address, emailVerified: null })
    const agent = app.agent()
    await signIn(app, agent)
    expect(takenBy(app)).toContain('admitting.recheckingAddress user.new admitting.creatingUser')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([address])
    expect(app.rows.users()[0]?.id).not.toBe('first')
    expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
    // No sign-in holds the account now, so a second one does not wait.
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'CC-01 AL-02 FI-02 a user is not removed if a concurrent sign-in linked the account to it by address',
    async ({ open }) => {
      const waits = { 'createUser#1': 'getUserByEmail#4', 'linkAccount#1': 'linkAccount#2' } as const
      const { app, agents, responses } = await race(open, { waits, claims: address, allows: true })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.rereading address.owned admitting.decidingLink')
      expect(taken).toContain('admitting.decidingLink link.allowed admitting.checkingFactorOfAddressee')
      expect(taken).not.toContain('admitting.confirmingAccount user.orphaned admitting.removingUser')
      await expectOne(app, agents, responses)
      expect(eventsOf(app).toSorted()).toEqual([
        'createUser',
        'linkAccount',
        'session',
        'session',
        'signIn',
        'signIn',
      ])
    },
  ),

  scenario(
    'AL-02 DEC-20a only one of two users who link an account concurrently gets it',
    async ({ open }) => {
      const app = open({
        strategy: 'database',
        wrap: orderedStore({ 'linkAccount#3': 'getUserByAccount#7' }),
        idp: { users: [{ sub: 'ada', claims: address }, { sub: 'eve' }, { sub: 'bob' }] },
      })
      const [ada, eve] = [app.agent(), app.agent()]
      await signIn(app, ada)
      app.idp.choose('eve')
      await signIn(app, eve)
      app.idp.choose('bob')
      const asked = [await visitProvider(app, ada), await visitProvider(app, eve)] as const
      const responses = await Promise.all([
        ada.send(`/auth/callback/idp?${asked[0].parameters}`),
        eve.send(`/auth/callback/idp?${asked[1].parameters}`),
      ])
      const refused = responses.filter(({ headers }) => headers.get('location')?.includes('error'))
      expect(refused).toHaveLength(1)
      expectError(refused[0] as Response, 'OAuthAccountNotLinked', '/auth/signin')
      const taken = takenBy(app)
      expect(taken).toContain('admitting.confirmingAccount account.conflicting admitting.rereading')
      expect(taken).toContain('admitting.rereading account.taken notLinked')
      expect(app.rows.accounts()).toHaveLength(3)
      expect(app.rows.users()).toHaveLength(2)
    },
  ),
]
