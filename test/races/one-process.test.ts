import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { Auth } from '../../src/index.ts'
import { locationOf } from '../flows/expectations.ts'
import {
  csrfOf,
  openApp,
  sessionOf,
  signIn,
  visitProvider,
  type App,
  type AppOptions,
} from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { copyCookies } from '../support/follow-link.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../support/mail.ts'
import { orderedStore } from '../support/ordered-store.ts'
import { until } from '../support/turns.ts'
import { twoStatementStore } from '../support/two-statement-store.ts'
import { createPerson, withPasskeys, askOptions, postAnswer, register } from '../support/webauthn/app.ts'

vi.setConfig({ testTimeout: 20_000 })

const home = 'https://app.test/'
const isIn = (response: Response) => locationOf(response).href === home

/** Opens an application on a store whose methods take two statements each. */
function openOn(options: AppOptions = {}) {
  const { adapter, rows } = twoStatementStore()
  return { app: openApp({ strategy: 'database', wrap: () => adapter, ...options }), stored: rows }
}

const browsers = (app: App, count = 6) => Array.from({ length: count }, () => app.agent())

/** Sends all browsers through the provider's callback concurrently. */
async function signInAtOnce(app: App, agents: readonly Agent[]): Promise<Response[]> {
  const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
  return Promise.all(agents.map((agent, n) => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)))
}

describe('concurrent requests in one process, on a store without unique keys or atomic operations', () => {
  it.each([
    ['with an address', { email: 'ada@example.com' }],
    ['without an address', {}],
  ])('DEC-47a CC-01 create one user and one account in first sign-ins, %s', async (_name, claims) => {
    const { app, stored } = openOn({ idp: { users: [{ sub: 'ada', claims }] } })
    const agents = browsers(app)
    const responses = await signInAtOnce(app, agents)
    expect(stored.users).toHaveLength(1)
    expect(stored.accounts).toMatchObject([{ userId: stored.users[0]?.id, providerAccountId: 'ada' }])
    expect(responses.map(isIn)).toEqual(agents.map(() => true))
    expect(stored.sessions).toHaveLength(6)
    expect(app.events.filter(({ event }) => event === 'createUser')).toHaveLength(1)
    expect(app.errors).toEqual([])
  })

  it.each(['a new user', 'a known user'])(
    'DEC-47a CC-01 DEC-39c keep the sessions of all sign-ins that link one account by its verified address, %s',
    async (whose) => {
      const { adapter, rows } = twoStatementStore()
      const email = 'ada@example.com'
      if (whose === 'a known user') {
        rows.users.push({ id: 'ada', email, emailVerified: null })
        rows.accounts.push({ userId: 'ada', type: 'oauth', provider: 'other', providerAccountId: 'ada' })
      }
      let lookups = 0
      const getUserByEmail: typeof adapter.getUserByEmail = async (address) => {
        await setTimeout(20 * lookups++)
        return adapter.getUserByEmail(address)
      }
      const app = openApp({
        strategy: 'database',
        wrap: () => ({ ...adapter, getUserByEmail }),
        provider: { allowDangerousEmailAccountLinking: true },
        idp: { users: [{ sub: 'ada', claims: { email, email_verified: true } }] },
      })
      const agents = browsers(app, 3)
      const responses = await signInAtOnce(app, agents)
      expect(responses.map(isIn)).toEqual(agents.map(() => true))
      expect(rows.users).toHaveLength(1)
      expect(rows.sessions).toHaveLength(3)
    },
  )

  it('DEC-47a DEC-20a wait in first sign-ins for the one that stores the account, however slow the store is', async () => {
    const { adapter, rows } = twoStatementStore()
    const linkAccount: typeof adapter.linkAccount = async (account) => {
      await setTimeout(2_000)
      return adapter.linkAccount(account)
    }
    const app = openApp({ strategy: 'database', wrap: () => ({ ...adapter, linkAccount }) })
    const agents = browsers(app)
    const responses = await signInAtOnce(app, agents)
    expect(responses.map(isIn)).toEqual(agents.map(() => true))
    expect(rows.users).toHaveLength(1)
    expect(rows.accounts).toHaveLength(1)
  })

  it.each(['createUser', 'linkAccount'] as const)(
    'DEC-47c do not wait for a first sign-in after its %s has failed',
    async (operation) => {
      // Without deleteUser the address stays taken, so that the second sign-in has to look up its owner.
      const { deleteUser: _, ...adapter } = twoStatementStore().adapter
      let calls = 0
      const failOnce = async (row: never) => {
        const stored = operation === 'createUser' || calls > 0 ? await adapter[operation](row) : undefined
        if (calls++ === 0) throw new Error('the store is busy')
        return stored
      }
      const getUser = () => null
      const wrap = () => ({ ...adapter, getUser, [operation]: failOnce })
      const app = openApp({ strategy: 'database', wrap })
      expect(isIn(await signIn(app, app.agent()))).toBe(false)
      expect(locationOf(await signIn(app, app.agent())).search).toBe('?error=OAuthAccountNotLinked')
    },
  )

  it('DEC-47a SU-01 sign in once with one mailed link', async () => {
    const { adapter, rows } = twoStatementStore()
    const app = openMailApp(openApp, { wrap: () => adapter })
    const asker = app.agent()
    await askForLink(asker, 'ada@example.com')
    const [mail] = app.mails
    if (!mail) throw new Error('no e-mail was sent')
    const agents = browsers(app).map((tab) => copyCookies(asker, tab))
    const responses = await Promise.all(agents.map((agent) => agent.send(pathOf(mail))))
    expect(responses.filter(isIn)).toHaveLength(1)
    expect(rows.sessions).toHaveLength(1)
    expect(rows.users).toHaveLength(1)
    for (const response of responses)
      if (!isIn(response)) expect(locationOf(response).href).toBe(`${home}auth/error?error=Verification`)
  })

  it('DEC-47a CC-02 create one user for links to one new address', async () => {
    const { adapter, rows } = twoStatementStore()
    const app = openMailApp(openApp, { wrap: () => adapter })
    const agents = browsers(app)
    for (const agent of agents) await askForLink(agent, 'ada@example.com')
    const responses = await Promise.all(
      app.mails.map((mail, n) => (agents[n] ?? app.agent()).send(pathOf(mail))),
    )
    expect(responses.map(isIn)).toEqual(agents.map(() => true))
    expect(rows.users).toHaveLength(1)
  })

  it('DEC-47a DEC-39e CC-02 do not add one address both to a user and to a new user', async () => {
    const { adapter, rows } = twoStatementStore()
    const mails: Mail[] = []
    const wrap = () => adapter
    const app = openApp({ ...withPasskeys({ providers: [mailProvider(mails)] }), wrap })
    const { agent } = await register(app)
    const agents = [agent, ...browsers(app)]
    const email = 'ada@mail.example'
    for (const each of agents) await askForLink(each, email, { link: 'true' })
    const responses = await Promise.all(mails.map((mail, n) => (agents[n] ?? agent).send(pathOf(mail))))
    expect(responses.map(isIn)).toEqual(agents.map(() => true))
    expect(rows.users.filter((user) => user.email === email)).toHaveLength(1)
  })

  it('DEC-47a CC-04 never restore a signed-out session by an extension', async () => {
    // The sign-out starts a few statements later each time, so that it interleaves with every statement of the extension.
    for (const delay of Array.from({ length: 10 }, (_, statements) => statements)) {
      const { app, stored } = openOn({ config: { session: { maxAge: 1000, updateAge: 0 } } })
      const agent = app.agent()
      await signIn(app, agent)
      const csrfToken = await csrfOf(agent)
      app.clock.advance(5)
      const tab = copyCookies(agent, app.agent())
      const reading = tab.send('/auth/session')
      for (let turn = 0; turn < delay; turn++) await new Promise(setImmediate)
      await agent.send('/auth/signout', { form: { csrfToken } })
      await reading
      expect(stored.sessions).toEqual([])
      expect(await sessionOf(tab)).toBeNull()
    }
  })

  it('DEC-47a WA-05 sign in once with one passkey signature with a counter', async () => {
    const { app, stored } = openOn(withPasskeys())
    const person = await register(app)
    const before = stored.sessions.length
    const visitor = createPerson(app, person.device)
    const { action = '', options } = await askOptions(visitor.agent)
    const answer = visitor.device.get(options)
    const copies = browsers(app).map((copy) => copyCookies(visitor.agent, copy))
    const responses = await Promise.all(copies.map((copy) => postAnswer(copy, action, answer)))
    expect(responses.filter(isIn)).toHaveLength(1)
    expect(stored.sessions).toHaveLength(before + 1)
  })

  it('DEC-47a WA-06 store one credential once, even if its account is not looked up', async () => {
    const { adapter, rows } = twoStatementStore()
    const { store } = settingsOf({ secret: 'one secret of thirty-two characters', providers: [], adapter })
    const row = {
      credentialID: 'AAAA',
      providerAccountId: 'AAAA',
      credentialPublicKey: 'AAAA',
      counter: 0,
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
    }
    const stored = await Promise.allSettled(
      ['ada', 'eve'].map(async (userId) => store?.createAuthenticator({ ...row, userId })),
    )
    expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(rows.authenticators).toMatchObject([{ userId: 'ada' }])
  })

  it('WA-05 sign in once with one signature, also across processes whose store compares and sets', async () => {
    // Each request reads the counter twice. No request stores a counter before all have read the old value.
    const wrap = orderedStore({
      'updateAuthenticatorCounter#1': 'getAuthenticator#8',
      'updateAuthenticatorCounter#2': 'getAuthenticator#8',
      'updateAuthenticatorCounter#3': 'getAuthenticator#8',
    })
    const app = openApp({ strategy: 'database', apart: true, wrap, ...withPasskeys() })
    const person = await register(app)
    const before = app.rows.sessions().length
    const visitor = createPerson(app, person.device)
    const { action = '', options } = await askOptions(visitor.agent)
    const answer = visitor.device.get(options)
    const copies = browsers(app, 3).map((copy) => copyCookies(visitor.agent, copy))
    const responses = await Promise.all(copies.map((copy) => postAnswer(copy, action, answer)))
    expect(responses.filter(isIn)).toHaveLength(1)
    expect(app.rows.sessions()).toHaveLength(before + 1)
    expect(app.errors.map(({ name }) => name)).toEqual(Array(2).fill('WebAuthnVerificationError'))
  })

  it('DEC-47a SU-01 are coordinated even if configuration and adapter are created for each request', async () => {
    const { adapter, rows } = twoStatementStore()
    const app = openMailApp(openApp, { wrap: () => adapter })
    const asker = app.agent()
    await askForLink(asker, 'ada@example.com')
    const [mail] = app.mails
    if (!mail) throw new Error('no e-mail was sent')
    const cookie = asker.jar.getCookieStringSync(mail.url)
    const answers = await Promise.all(
      browsers(app).map(() =>
        Auth(new Request(mail.url, { headers: { cookie } }), {
          ...app.config,
          adapter: { ...adapter },
          providers: [...app.config.providers],
        }),
      ),
    )
    expect(answers.filter(isIn)).toHaveLength(1)
    expect(rows.sessions).toHaveLength(1)
  })

  it('DEC-47a look up an account by its key only, since some adapters reject other members', async () => {
    const { adapter } = twoStatementStore()
    const keys: object[] = []
    const getUserByAccount: typeof adapter.getUserByAccount = (key) => {
      keys.push(key)
      return adapter.getUserByAccount(key)
    }
    const app = openApp({ strategy: 'database', wrap: () => ({ ...adapter, getUserByAccount }) })
    await signIn(app, app.agent())
    expect(keys).toEqual([1, 2].map(() => ({ provider: 'idp', providerAccountId: 'ada' })))
  })

  it("DEC-47b do not wait for another request's callbacks, e-mail or provider", async () => {
    const { adapter, rows } = twoStatementStore()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let calls = 0
    const wait = () => (calls++ === 0 ? held.then(() => true) : true)
    const app = openApp({
      strategy: 'database',
      wrap: () => adapter,
      config: { callbacks: { signIn: wait } },
    })
    const agents = browsers(app, 2)
    const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
    const slow = agents[0]?.send(`/auth/callback/idp?${asked[0]?.parameters}`)
    await until(() => calls > 0)
    const fast = await agents[1]?.send(`/auth/callback/idp?${asked[1]?.parameters}`)
    expect(fast && isIn(fast)).toBe(true)
    release()
    const late = await slow
    expect(late && isIn(late)).toBe(true)
    expect(rows.users).toHaveLength(1)
  })

  it('DEC-47c DEC-34 time out by the deadline of their step if they wait for a hanging store call', async () => {
    const { adapter, rows } = twoStatementStore()
    let calls = 0
    const useVerificationToken: typeof adapter.useVerificationToken = (key) =>
      calls++ === 0 ? new Promise(() => {}) : adapter.useVerificationToken(key)
    const app = openMailApp(openApp, { wrap: () => ({ ...adapter, useVerificationToken }) })
    const asker = app.agent()
    await askForLink(asker, 'ada@example.com')
    const [mail] = app.mails
    if (!mail) throw new Error('no e-mail was sent')
    const agents = browsers(app, 3).map((tab) => copyCookies(asker, tab))
    const [first, second] = agents.map((agent) => agent.send(pathOf(mail)))
    await until(() => calls === 1)
    app.clock.advance(30)
    for (const response of [await first, await second])
      expect(response && locationOf(response).href).toBe(`${home}auth/error?error=Configuration`)
    expect(app.errors.map(({ message }) => message).join()).toContain('took longer than 30000 milliseconds')
    expect(calls).toBe(1)
    const third = await agents[2]?.send(pathOf(mail))
    expect(third && isIn(third)).toBe(true)
    expect(rows.sessions).toHaveLength(1)
  })
})
