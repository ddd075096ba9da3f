import { expect } from 'vitest'
import type { Adapter, AdapterUser } from '../../../src/types/adapter.ts'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import {
  authenticatorsOf,
  breakable,
  perform,
  createPerson,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'
import { eventsOf, expectError } from '../expectations.ts'

const address = 'ada@example.com'
const placeholder = /^[\da-f-]{36}@unproven\.invalid$/
const signInMethods = ['link', 'provider'] as const

interface Site {
  readonly app: App
  readonly mails: Mail[]
}

/** An application where Ada can sign in with a link, and with a provider that says this about her address. */
function openSite(
  open: Stage['open'],
  verified?: boolean | string,
  wrap?: (store: Adapter) => Adapter,
): Site {
  const mails: Mail[] = []
  const claims = { name: 'Ada', email: address, ...(verified !== undefined && { email_verified: verified }) }
  const idp = { users: [{ sub: 'ada', claims }] }
  return { app: open(withPasskeys({ idp, wrap, providers: [mailProvider(mails)] })), mails }
}

/** Eve registers a passkey with Ada's address, which an earlier version has stored with her user. */
async function prepare({ app }: Site) {
  const eve = createPerson(app)
  await perform(eve, { fields: { action: 'register', email: address } })
  const { id } = await userAt(app, 0)
  await app.store.updateUser({ id, email: address })
  app.events.length = 0
  return { ...eve, id }
}

async function signInBy({ app, mails }: Site, by: (typeof signInMethods)[number]) {
  const agent = app.agent()
  if (by === 'provider') await signIn(app, agent)
  else {
    await askForLink(agent, address)
    await agent.send(pathOf(mails.at(-1) as Mail))
  }
  return agent
}

async function userAt(app: App, index: number): Promise<AdapterUser> {
  const user = app.rows.users()[index]
  if (!user) throw new Error('unknown user')
  return user
}

/** An address typed to register a passkey, which its owner verifies later. */
export const unprovenAddressScenarios = [
  ...signInMethods.map((by) =>
    scenario(
      `AL-04 WA-10 DEC-39b verifying an address by a ${by} moves it to a new user`,
      async ({ open }) => {
        const site = openSite(open, true)
        const { app } = site
        const eve = await prepare(site)
        const ada = await signInBy(site, by)
        expect(app.ended()).toBe('signedIn')
        expect(await sessionOf(ada)).toMatchObject({ user: { email: address } })
        expect(await sessionOf(eve.agent)).toMatchObject({ user: { name: address, email: null } })
        expect(app.rows.users()).toMatchObject([
          { id: eve.id, email: expect.stringMatching(placeholder) },
          { email: address },
        ])
        expect(eventsOf(app).slice(0, 2)).toEqual(['updateUser', 'createUser'])
        await perform(createPerson(app, eve.device))
        expect(app.ended()).toBe('signedIn')
        await signInBy(site, by)
        expect(app.rows.users()).toHaveLength(2)
      },
    ),
  ),

  scenario(
    'AL-04 DEC-39b DEC-39d a user who only claims an address signs in without it',
    async ({ open }) => {
      for (const verified of [undefined, false, 'false']) {
        const site = openSite(open, verified)
        const eve = await prepare(site)
        const ada = await signInBy(site, 'provider')
        expect(site.app.ended()).toBe('signedIn')
        expect(await sessionOf(ada)).toMatchObject({ user: { name: 'Ada', email: null } })
        expect(site.app.rows.users()).toMatchObject([
          { id: eve.id, email: address },
          { email: expect.stringMatching(placeholder) },
        ])
        expect(site.app.events.findLast(({ event }) => event === 'linkAccount')?.message).toMatchObject({
          user: { email: null },
          profile: { name: 'Ada', email: null },
        })
      }
    },
  ),

  scenario("DEC-39b a provider's user keeps their address, verified or not", async ({ open }) => {
    const site = openSite(open)
    const { app } = site
    const agent = await signInBy(site, 'provider')
    await perform({ agent, device: createPerson(app).device }, { fields: { action: 'register' } })
    await signInBy(site, 'link')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ name: 'Ada', email: address }])
  }),

  scenario(
    'DEC-39b without listAccountsByUserId, a user with a passkey and an unverified address counts as unverified',
    async ({ open }) => {
      const site = openSite(open, true, (store) => ({ ...store, listAccountsByUserId: undefined }))
      const { app } = site
      const agent = await signInBy(site, 'provider')
      await perform({ agent, device: createPerson(app).device }, { fields: { action: 'register' } })
      await signInBy(site, 'link')
      expect(app.rows.users()).toMatchObject([
        { name: 'Ada', email: expect.stringMatching(placeholder) },
        { email: address },
      ])
    },
  ),

  scenario('FI-03 DEC-39b a malformed list of accounts identifies no user', async ({ open }) => {
    const broken = breakable('listAccountsByUserId', () => null)
    const site = openSite(open, true, broken.wrap)
    await prepare(site)
    broken.arm()
    await askForLink(site.app.agent(), address)
    expect(site.app.ended()).toBe('faulted')
    expect(site.mails).toEqual([])
  }),

  scenario(
    'DEC-39c the first verification of an address removes earlier ways to sign in, later ones do not',
    async ({ open }) => {
      const site = openSite(open)
      const { app } = site
      const early = await signInBy(site, 'provider')
      await perform({ agent: early, device: createPerson(app).device }, { fields: { action: 'register' } })
      const first = await signInBy(site, 'link')
      expect(await sessionOf(early)).toBeNull()
      expect(await sessionOf(first)).toMatchObject({ user: { email: address } })
      expect(await authenticatorsOf(app)).toEqual([])
      expect(app.rows.accounts()).toMatchObject([{ provider: 'idp' }])
      await perform({ agent: first, device: createPerson(app).device }, { fields: { action: 'register' } })
      await signInBy(site, 'link')
      expect(await sessionOf(first)).toMatchObject({ user: { email: address } })
      expect(await authenticatorsOf(app)).toHaveLength(1)
    },
  ),

  scenario(
    'DEC-16b DEC-39c only a date is a verification, not the value of a flag column',
    async ({ open }) => {
      for (const emailVerified of [new Date(0), 0, false, true, '2020-01-01', new Date(Number.NaN)]) {
        let isFlag = true
        const wrap = (store: Adapter): Adapter => ({
          ...store,
          getUserByEmail(email) {
            const user = store.getUserByEmail?.(email) as AdapterUser | null
            return user && isFlag ? { ...user, emailVerified: emailVerified as Date } : user
          },
        })
        const site = openSite(open, undefined, wrap)
        const early = await signInBy(site, 'provider')
        await signInBy(site, 'link')
        isFlag = false
        expect(await sessionOf(early)).toBeNull()
        expect((await userAt(site.app, 0)).emailVerified).toEqual(new Date(site.app.clock.now()))
      }
    },
  ),

  scenario('DEC-39c an adapter that cannot remove anything still verifies the address', async ({ open }) => {
    const lacking = {
      listSessionsByUserId: undefined,
      deleteSessionsByUserId: undefined,
      deleteAuthenticator: undefined,
    }
    const site = openSite(open, undefined, (store) => ({ ...store, ...lacking }))
    const early = await signInBy(site, 'provider')
    await signInBy(site, 'link')
    expect((await userAt(site.app, 0)).emailVerified).toEqual(new Date(site.app.clock.now()))
    expect(await sessionOf(early)).toMatchObject({ user: { email: address } })
  }),

  scenario('DEC-39c FI-02 a failed removal leaves the address unverified', async ({ open }) => {
    const broken = breakable('listSessionsByUserId', () => {
      throw new Error('the store cannot be reached')
    })
    const site = openSite(open, undefined, broken.wrap)
    await signInBy(site, 'provider')
    broken.arm()
    await signInBy(site, 'link')
    expect(site.app.ended()).toBe('restored')
    expect((await userAt(site.app, 0)).emailVerified).toBeNull()
  }),

  scenario(
    'AL-04 DEC-39c a provider that verifies an address removes earlier ways to sign in',
    async ({ open }) => {
      for (const verified of [true, 'true', undefined]) {
        const claims = (sub: string, email_verified?: boolean | string) => ({
          sub,
          claims: { name: sub, email: address, ...(email_verified !== undefined && { email_verified }) },
        })
        const app = open({
          strategy: 'database',
          provider: { allowDangerousEmailAccountLinking: true },
          idp: { users: [claims('eve'), claims('ada', verified), claims('ada-too', true)] },
        })
        app.idp.choose('eve')
        const eve = app.agent()
        await signIn(app, eve)
        const { id } = await userAt(app, 0)
        const passkey = {
          userId: id,
          credentialID: 'eve',
          providerAccountId: 'eve',
          credentialPublicKey: 'a2V5',
          counter: 0,
          credentialDeviceType: 'singleDevice',
          credentialBackedUp: false,
        }
        await app.store.createAuthenticator(passkey)
        app.idp.choose('ada')
        const ada = app.agent()
        await signIn(app, ada)
        expect(app.ended()).toBe('signedIn')
        expect(await sessionOf(ada)).toMatchObject({ user: { email: address } })
        expect(await sessionOf(eve)).toEqual(verified ? null : expect.anything())
        expect(await authenticatorsOf(app)).toHaveLength(verified ? 0 : 1)
        expect(app.rows.accounts()).toHaveLength(2)
        expect(app.rows.users()).toMatchObject([{ id, emailVerified: null }])
        // A user who has verified the address with a link keeps everything.
        await app.store.updateUser({ id, emailVerified: new Date(app.clock.now()) })
        app.idp.choose('ada-too')
        await signIn(app, app.agent())
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.accounts()).toHaveLength(3)
        expect(await sessionOf(ada)).toMatchObject({ user: { email: address } })
      }
    },
  ),

  scenario('DEC-39c FI-02 after a failed removal no account of a provider is linked', async ({ open }) => {
    const broken = breakable('listSessionsByUserId', () => {
      throw new Error('the store cannot be reached')
    })
    const claims = { email: address, email_verified: true }
    const app = open({
      strategy: 'database',
      provider: { allowDangerousEmailAccountLinking: true },
      idp: { users: [{ sub: 'ada', claims }] },
      wrap: broken.wrap,
    })
    await app.store.createUser({ id: 'prepared', email: address, emailVerified: null })
    broken.arm()
    await signIn(app, app.agent())
    expect(app.ended()).toBe('faulted')
    expect(app.rows.accounts()).toEqual([])
  }),

  scenario(
    'DEC-39c a user who links a provider while signed in keeps their ways to sign in',
    async ({ open }) => {
      const site = openSite(open, true)
      const { app } = site
      const eve = createPerson(app)
      await perform(eve, { fields: { action: 'register', email: address } })
      const elsewhere = createPerson(app, eve.device)
      await perform(elsewhere)
      await signIn(app, eve.agent)
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users()).toHaveLength(1)
      expect(await authenticatorsOf(app)).toHaveLength(1)
      expect(await sessionOf(elsewhere.agent)).not.toBeNull()
    },
  ),

  scenario('DEC-39d a placeholder is not an address that anybody can type or claim', async ({ open }) => {
    const { app, mails } = openSite(open, true)
    const eve = createPerson(app)
    await perform(eve, { fields: { action: 'register', email: address } })
    const { email } = await userAt(app, 0)
    expect(email).toMatch(placeholder)
    expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: null } })
    expectError(await askForLink(app.agent(), email), 'EmailSignInError', '/auth/signin')
    expect(mails).toEqual([])
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('DEC-39d EM-09 a custom normalizeIdentifier names no placeholder', async ({ open }) => {
    const app = openMailApp(open, { mail: { normalizeIdentifier: (raw) => raw.trim() } })
    for (const address of ['1@unproven.invalid', ' 1@Unproven.INVALID '])
      expectError(await askForLink(app.agent(), address), 'EmailSignInError', '/auth/signin')
    expect(app.mails).toEqual([])
  }),

  scenario(
    'EM-05 AL-01 an address identifies no user with another one, whatever the adapter returns',
    async ({ open }) => {
      const wrap = (store: Adapter): Adapter => ({
        ...store,
        // Compares as a column of MySQL does by default.
        getUserByEmail: async (email) => {
          const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
          const row = app.rows.users().find((user) => compare(String(user.email), email) === 0)
          return row ? ((await store.getUser?.(row.id)) ?? null) : null
        },
      })
      const app = openMailApp(open, { strategy: 'database', wrap })
      const enter = async (email: string) => {
        const agent = app.agent()
        await askForLink(agent, email)
        await agent.send(pathOf(app.mails.at(-1) as Mail))
        return (await sessionOf(agent)) as { user: object } | null
      }
      await app.store.createUser({ id: '1', email: 'Ann@mail.example', emailVerified: null })
      expect(await enter('ann@mail.example')).toMatchObject({ user: { email: 'Ann@mail.example' } })
      // The database would not store a second user with an address that it considers the same.
      expect(await enter('änn@mail.example')).toBeNull()
      expect(app.rows.users()).toHaveLength(1)
    },
  ),
]
