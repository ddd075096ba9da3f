import { expect } from 'vitest'
import { sessionOf, signIn, signOut, visitProvider, type App } from '../../support/app.ts'
import { heldSession, plant, sessionCookie } from '../../support/session-cookie.ts'
import { countOf, watching, type Call } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

const bob = { provider: 'idp', providerAccountId: 'bob' }
const ada = { provider: 'idp', providerAccountId: 'ada' }
const names = (app: App) => app.events.map(({ event }) => event)
const allows = { allowDangerousEmailAccountLinking: true }

/** Which user gets an account if the wire protocol does not define it. */
export const linkingDecisionScenarios = [
  scenario(
    'DEC-19a DEC-19d a user who is signed in when a sign-in starts and when it ends gets the account',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        await signIn(app, agent)
        app.idp.choose('bob')
        await signIn(app, agent)
        const owner = await app.store.getUserByAccount(bob)
        expect(owner?.email).toBe('ada@example.com')
        expect(await app.store.getUserByEmail('bob@example.com')).toBeNull()
        expect(names(app).slice(3)).toEqual(['linkAccount', 'signIn'])
        expect(app.events[3]?.message).toMatchObject({
          user: { id: owner?.id },
          account: { ...bob, userId: owner?.id },
        })
        expect(app.ended()).toBe('signedIn')
      }
    },
  ),

  scenario(
    'DEC-19a a session planted while the user is at the provider gets no account',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = open({ strategy })
        const [attacker, victim] = [app.agent(), app.agent()]
        await signIn(app, attacker)
        app.idp.choose('bob')
        const { parameters } = await visitProvider(app, victim)
        plant(victim, heldSession(attacker))
        await victim.send(`/auth/callback/idp?${parameters}`)
        expect((await app.store.getUserByAccount(bob))?.email).toBe('bob@example.com')
        expect(await sessionOf(victim)).toMatchObject({ user: { name: 'Bob' } })
      }
    },
  ),

  scenario(
    'DEC-19a a session that was signed out or replaced in the meantime gets no account',
    async ({ open }) => {
      for (const isExchanged of [false, true]) {
        const app = open({ strategy: 'database' })
        const [agent, other] = [app.agent(), app.agent()]
        app.idp.choose('eve')
        await signIn(app, other)
        app.idp.choose('ada')
        await signIn(app, agent)
        app.idp.choose('bob')
        const { parameters } = await visitProvider(app, agent)
        if (isExchanged) plant(agent, heldSession(other))
        else await signOut(agent)
        await agent.send(`/auth/callback/idp?${parameters}`)
        expect((await app.store.getUserByAccount(bob))?.email).toBe('bob@example.com')
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Bob' } })
      }
    },
  ),

  scenario(
    'DEC-19b DEC-19c an address links an account if the provider allows it, and the user is not reported as new',
    async ({ open }) => {
      for (const verified of [undefined, true, false, 'false']) {
        const claims = { name: 'Bob', email: 'ada@example.com', email_verified: verified }
        const users = [
          { sub: 'ada', claims: { name: 'Ada', email: 'ada@example.com' } },
          { sub: 'bob', claims },
        ]
        const app = open({ strategy: 'database', provider: allows, idp: { users } })
        await signIn(app, app.agent())
        const user = await app.store.getUserByEmail('ada@example.com')
        const eventsBefore = app.events.length
        app.idp.choose('bob')
        const agent = app.agent()
        const response = await signIn(app, agent)
        const isLinked = verified === undefined || verified === true
        // A verified address is proven for the first time, which ends the session from before.
        const ended = verified === true ? ['signOut'] : []
        const expected = isLinked ? [...ended, 'linkAccount', 'signIn'] : []
        expect((await app.store.getUserByAccount(bob))?.id).toBe(isLinked ? user?.id : undefined)
        expect(names(app).slice(eventsBefore)).toEqual(expected)
        expect(app.ended()).toBe(isLinked ? 'signedIn' : 'notLinked')
        const refused = 'https://app.test/auth/signin?error=OAuthAccountNotLinked'
        expect(response.headers.get('location')).toBe(isLinked ? 'https://app.test' : refused)
        if (isLinked)
          expect(app.events.at(-1)?.message).toMatchObject({ isNewUser: false, user: { id: user?.id } })
      }
    },
  ),

  scenario('DEC-19b an address links no account unless the provider allows it', async ({ open }) => {
    const users = ['ada', 'bob'].map((sub) => ({
      sub,
      claims: { email: 'ada@example.com', email_verified: true },
    }))
    const app = open({ strategy: 'database', idp: { users } })
    await signIn(app, app.agent())
    app.idp.choose('bob')
    const agent = app.agent()
    await signIn(app, agent)
    expect(await app.store.getUserByAccount(bob)).toBeNull()
    expect(agent.cookies()).not.toHaveProperty(sessionCookie)
    expect(app.ended()).toBe('notLinked')
  }),

  scenario('DEC-20a concurrent first sign-ins end with one user and one account', async ({ open }) => {
    const calls: Call[] = []
    const [all, creating] = [meeting(5), meeting(5)]
    const wrap = watching(calls, (store) => ({
      async getUserByAccount(key) {
        const found = (await store.getUserByAccount?.(key)) ?? null
        await all()
        return found
      },
      async createUser(user) {
        await creating()
        return (await store.createUser?.(user)) ?? user
      },
    }))
    const app = open({ strategy: 'database', wrap, apart: true })
    const agents = Array.from({ length: 5 }, () => app.agent())
    const answers = await Promise.all(agents.map((agent) => signIn(app, agent)))
    expect(answers.map((response) => response.headers.get('location'))).toEqual(
      Array(5).fill('https://app.test'),
    )
    expect(countOf(calls, 'createUser')).toBeGreaterThan(1)
    const user = await app.store.getUserByEmail('ada@example.com')
    expect((await app.store.getUserByAccount(ada))?.id).toBe(user?.id)
    for (const agent of agents) {
      expect((await app.store.getSessionAndUser(heldSession(agent)))?.user.id).toBe(user?.id)
    }
    expect(names(app).toSorted()).toEqual(['createUser', 'linkAccount', ...Array(5).fill('signIn')])
    const isNew = app.events.filter(({ event }) => event === 'signIn').map(({ message }) => message.isNewUser)
    expect(isNew.filter((each) => each === true)).toHaveLength(1)
    expect(isNew.filter((each) => each === false)).toHaveLength(4)
  }),

  scenario(
    'DEC-20a a sign-in succeeds if another overtakes it between its reads of account and address',
    async ({ open }) => {
      let isOvertaken = false
      const first = { id: 'first', email: 'ada@example.com', emailVerified: null }
      const wrap = watching([], (store) => ({
        async getUserByEmail(email) {
          if (!isOvertaken) {
            await store.createUser?.(first)
            await store.linkAccount?.({ ...ada, type: 'oidc', userId: first.id })
          }
          isOvertaken = true
          return (await store.getUserByEmail?.(email)) ?? null
        },
      }))
      const app = open({ strategy: 'database', wrap })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test')
      expect((await app.store.getSessionAndUser(heldSession(agent)))?.user.id).toBe('first')
      expect(names(app)).toEqual(['signIn'])
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'DEC-20b DEC-20a a user created for an account that another request linked first is removed',
    async ({ open }) => {
      for (const removes of [true, false]) {
        const calls: Call[] = []
        const wrap = watching(calls, (store) => ({
          async linkAccount(account) {
            const first = { id: 'first', email: 'first@example.com', emailVerified: null }
            await store.createUser?.(first)
            await store.linkAccount?.({ ...account, userId: first.id })
            throw new Error('the account exists')
          },
          ...(removes ? {} : { deleteUser: undefined }),
        }))
        const app = open({ strategy: 'database', wrap })
        const agent = app.agent()
        await signIn(app, agent)
        expect(app.ended()).toBe('signedIn')
        expect((await app.store.getSessionAndUser(heldSession(agent)))?.user.id).toBe('first')
        const orphan = await app.store.getUserByEmail('ada@example.com')
        expect(orphan === null).toBe(removes)
        expect(countOf(calls, 'deleteUser')).toBe(removes ? 1 : 0)
        expect(names(app)).toEqual(['signIn'])
        expect(app.events[0]?.message).toMatchObject({ isNewUser: false, user: { id: 'first' } })
      }
    },
  ),

  scenario(
    'DEC-20b a user whose account cannot be stored is removed, and the next sign-in works',
    async ({ open }) => {
      let broken = true
      const wrap = watching([], (store) => ({
        async linkAccount(account) {
          if (broken) throw new Error('the store cannot be reached')
          return store.linkAccount?.(account)
        },
      }))
      const app = open({ strategy: 'database', wrap })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(app.ended()).toBe('faulted')
      expect(await app.store.getUserByEmail('ada@example.com')).toBeNull()
      expect(app.events).toEqual([])
      broken = false
      await signIn(app, agent)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),
]

/** Holds the first calls until there are enough of them. Later calls pass. */
function meeting(size: number): () => Promise<void> {
  let came = 0
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  return () => {
    came += 1
    if (came === size) begin()
    return begun
  }
}
