import { expect } from 'vitest'
import { sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import { orderedStore, type CallName } from '../../support/ordered-store.ts'
import type { Agent } from '../../support/browser-agent.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { eventsOf, expectError, locationOf } from '../told.ts'

interface Race {
  readonly waits: Partial<Record<CallName, CallName>>
  readonly claims?: Record<string, unknown>
  readonly allows?: boolean
}

/** Two browsers come back from the provider at once, both as Ada, who was never here. */
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

/** Where each event led; two flows ran at once. */
const takenBy = ({ hops }: App) => hops.map(({ state, event, next }) => `${state} ${event} ${next}`)

/** One user, one account, and both browsers are in as that user. */
async function expectOne(app: App, agents: readonly Agent[], responses: readonly Response[]): Promise<void> {
  for (const response of responses) expect(locationOf(response).href).toBe('https://app.test/')
  const [user, ...others] = app.rows.users()
  expect(others).toEqual([])
  expect(app.rows.accounts()).toMatchObject([{ provider: 'idp', providerAccountId: 'ada', userId: user?.id }])
  expect(app.rows.sessions().map(({ userId }) => userId)).toEqual([user?.id, user?.id])
  for (const agent of agents) expect(await sessionOf(agent)).not.toBeNull()
}

const address = { email: 'ada@example.com' }

/** Several first sign-ins of one account, at once. */
export const firstSignInScenarios = [
  scenario(
    'CC-01 DEC-20a DEC-20b AL-02 AL-07 who is second to link takes back the user it made',
    async ({ open }) => {
      const { app, agents, responses } = await race(open, { waits: { 'linkAccount#1': 'createUser#2' } })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.linkingAccount user.orphaned admitting.removingUser')
      expect(taken).toContain('admitting.removingUser user.removed admitting.rereading')
      expect(taken).toContain('admitting.rereading owner.returning admitting.updatingAccount')
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

  scenario('CC-01 DEC-20a who is second to take the address reads again, and comes in', async ({ open }) => {
    const waits = { 'createUser#1': 'getUserByEmail#4', 'getUserByAccount#4': 'linkAccount#1' } as const
    const { app, agents, responses } = await race(open, { waits, claims: address })
    const taken = takenBy(app)
    expect(taken).toContain('admitting.creatingUser user.conflicting admitting.rereading')
    expect(taken).toContain('admitting.rereading owner.returning admitting.updatingAccount')
    await expectOne(app, agents, responses)
  }),

  scenario(
    'CC-01 AL-02 AL-11 before the account is there, its address admits nobody, and afterwards its owner',
    async ({ open }) => {
      const waits = { 'createUser#1': 'getUserByEmail#4', 'linkAccount#1': 'getUserByAccount#9' } as const
      const { app, agents, responses } = await race(open, { waits, claims: address })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.rereading address.owned admitting.decidingLink')
      expect(taken).toContain('admitting.decidingLink account.taken notLinked')
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

  scenario(
    'CC-01 AL-02 FI-02 a user whose address linked the account meanwhile is not taken back',
    async ({ open }) => {
      const waits = { 'createUser#1': 'getUserByEmail#4', 'linkAccount#1': 'linkAccount#2' } as const
      const { app, agents, responses } = await race(open, { waits, claims: address, allows: true })
      const taken = takenBy(app)
      expect(taken).toContain('admitting.rereading address.owned admitting.decidingLink')
      expect(taken).toContain('admitting.decidingLink link.allowed admitting.linkingAccount')
      expect(taken).not.toContain('admitting.linkingAccount user.orphaned admitting.removingUser')
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

  scenario('AL-02 DEC-20a an account that two users link at once goes to one of them', async ({ open }) => {
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
    expect(taken).toContain('admitting.linkingAccount account.conflicting admitting.rereading')
    expect(taken).toContain('admitting.rereading account.taken notLinked')
    expect(app.rows.accounts()).toHaveLength(3)
    expect(app.rows.users()).toHaveLength(2)
  }),
]
