import { expect } from 'vitest'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import {
  authenticatorsOf,
  breakable,
  perform,
  register,
  createPerson,
  withPasskeys,
  type Person,
} from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'
import { eventsOf, sessionCookie } from '../expectations.ts'

const address = 'eve@mail.example'
const typed = 'eve@example.com'
const asks = { link: 'true' }
const strategies = ['database', 'jwt-stored'] as const
const placeholder = /^[\da-f-]{36}@unproven\.invalid$/

interface Site {
  readonly app: App
  readonly mails: Mail[]
  /** Registered a passkey, and is signed in. */
  readonly eve: Person
  /** Her id. */
  readonly id: string
}

interface SiteOptions {
  readonly strategy?: (typeof strategies)[number]
  readonly config?: Partial<AuthConfig>
  readonly wrap?: (store: Adapter) => Adapter
  readonly confirm?: 'always'
}

async function openSite(open: Stage['open'], { confirm, ...options }: SiteOptions = {}): Promise<Site> {
  const mails: Mail[] = []
  const app = open(withPasskeys({ ...options, providers: [mailProvider(mails, { confirm })] }))
  const eve = await register(app, typed)
  const id = app.rows.users()[0]?.id ?? ''
  app.events.length = 0
  return { app, mails, eve, id }
}

async function follow({ mails }: Site, agent: Agent): Promise<Response> {
  return agent.send(pathOf(mails.at(-1) as Mail))
}

/** Requests a link in a browser, and follows it there. */
async function prove(site: Site, form: Record<string, string> = {}, { agent } = site.eve): Promise<Response> {
  await askForLink(agent, address, form)
  return follow(site, agent)
}

const taken = ({ app }: Site, flow: string) =>
  app.hops.filter((hop) => hop.flow === flow).map(({ state, event }) => `${state} ${event}`)

/** The ways in which Eve's session ends, after which nobody is signed in, and the event that recognition reports. */
const losses = [
  ['jwt-stored', 'readingCookie cookie.absent', (_: Site, agent: Agent) => agent.forget(sessionCookie)],
  ['jwt-stored', 'openingToken token.expired', ({ app }: Site) => app.clock.advance(600)],
  [
    'jwt-stored',
    'openingToken token.invalid',
    (_: Site, agent: Agent) => agent.set(`${sessionCookie}=garbage; Path=/; Secure`),
  ],
  ['jwt-stored', 'findingUser user.unknown', ({ app, id }: Site) => app.store.deleteUser(id)],
  ['database', 'findingSession session.expired', ({ app }: Site) => app.clock.advance(600)],
  ['database', 'findingSession session.unknown', ({ app, id }: Site) => app.store.deleteSessionsByUserId(id)],
] as const

const found = {
  database: ['readingCookie id.held', 'findingSession session.found'],
  'jwt-stored': ['readingCookie token.held', 'openingToken token.opened', 'findingUser user.found'],
} as const

/** A user with a passkey verifies an address while signed in. */
export const gainedAddressScenarios = [
  scenario(
    'DEC-39e EM-10 a user who requests to link an address gets it, and keeps their passkeys',
    async ({ open }) => {
      for (const strategy of strategies)
        for (const accountLinking of ['session', 'explicit'] as const) {
          const site = await openSite(open, { strategy, config: { accountLinking } })
          const { app, eve, id } = site
          const elsewhere = createPerson(app, eve.device)
          await perform(elsewhere)
          app.events.length = 0
          await prove(site, asks)
          expect(app.ended()).toBe('addressAdded')
          const way = found[strategy].map((each) => `recognising.${each}`)
          expect(taken(site, 'email-request')).toEqual(expect.arrayContaining(way))
          expect(taken(site, 'email-verification')).toEqual(
            expect.arrayContaining(way.map((each) => `admitting.${each}`)),
          )
          const emailVerified = new Date(app.clock.now())
          expect(app.rows.users()).toMatchObject([{ id, name: typed, email: address, emailVerified }])
          expect(await sessionOf(eve.agent)).toMatchObject({ user: { name: typed, email: address } })
          const others = await sessionOf(elsewhere.agent)
          // Without a list of revocations, tokens stay valid.
          expect(others === null).toBe(strategy === 'database')
          expect(await authenticatorsOf(app, id)).toHaveLength(1)
          const ends = strategy === 'database' ? ['signOut'] : []
          expect(eventsOf(app).filter((event) => event !== 'session')).toEqual([...ends, 'updateUser'])
          const { message } = app.events.find(({ event }) => event === 'updateUser') ?? {}
          expect(message).toMatchObject({ user: { id, email: address } })
          const later = app.agent()
          await askForLink(later, address)
          await follow(site, later)
          expect(await sessionOf(later)).toMatchObject({ user: { name: typed, email: address } })
          expect(app.rows.users()).toHaveLength(1)
        }
    },
  ),

  scenario(
    'DEC-39e AL-04 a link without a request to link signs in the user of the address, and changes no other',
    async ({ open }) => {
      const forms: Record<string, string>[] = [{}, { link: 'false' }]
      for (const form of forms) {
        const site = await openSite(open)
        const { app, eve, id } = site
        const elsewhere = createPerson(app, eve.device)
        await perform(elsewhere)
        await prove(site, form)
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.users()).toMatchObject([
          { id, emailVerified: null },
          { email: address, emailVerified: new Date(app.clock.now()) },
        ])
        expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
        expect(await sessionOf(elsewhere.agent)).not.toBeNull()
        expect(await authenticatorsOf(app, id)).toHaveLength(1)
      }
    },
  ),

  scenario('DEC-39e an adapter that cannot remove anything still stores the address', async ({ open }) => {
    const lacking = { deleteSessionsByUserId: undefined, deleteAuthenticator: undefined }
    const site = await openSite(open, { wrap: (store) => ({ ...store, ...lacking }) })
    await prove(site, asks)
    expect(site.app.rows.users()).toMatchObject([{ id: site.id, email: address }])
    expect(await authenticatorsOf(site.app, site.id)).toHaveLength(1)
  }),

  scenario(
    'DEC-39e confirming with the button has the same effect as following the link',
    async ({ open }) => {
      const site = await openSite(open, { confirm: 'always' })
      const { app, eve, mails, id } = site
      await askForLink(eve.agent, address, asks)
      const page = await (await follow(site, eve.agent)).text()
      const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const { searchParams } = new URL((mails[0] as Mail).url)
      const [token, email] = [searchParams.get('token') ?? '', searchParams.get('email') ?? '']
      await eve.agent.send('/auth/callback/mail', { form: { csrfToken, token, email } })
      expect(app.rows.users()).toMatchObject([{ id, email: address }])
    },
  ),

  scenario(
    'DEC-39e DEC-38 with accountLinking: "explicit", only a request to link gets the address',
    async ({ open }) => {
      for (const form of [undefined, { link: 'false' }]) {
        const site = await openSite(open, { config: { accountLinking: 'explicit' } })
        await prove(site, form)
        expect(site.app.ended()).toBe('signedIn')
        expect(site.app.rows.users()).toMatchObject([
          { id: site.id, email: expect.stringMatching(placeholder) },
          { email: address },
        ])
        expect(await authenticatorsOf(site.app, site.id)).toHaveLength(1)
      }
    },
  ),

  scenario(
    'DEC-39e SE-03 a link requested by another browser adds its address to no user',
    async ({ open }) => {
      const site = await openSite(open)
      const { app, eve, mails } = site
      const ada = app.agent()
      await askForLink(ada, address, asks)
      const page = await (await follow(site, eve.agent)).text()
      const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const { searchParams } = new URL((mails[0] as Mail).url)
      const token = searchParams.get('token') ?? ''
      await eve.agent.send('/auth/callback/mail', { form: { csrfToken, token, email: address } })
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users()).toMatchObject([{ id: site.id, name: typed }, { email: address }])
    },
  ),

  scenario('DEC-39e SE-03 a session planted after the request gets no address', async ({ open }) => {
    for (const isSignedIn of [true, false]) {
      const site = await openSite(open)
      const { app, eve } = site
      const ada = isSignedIn ? (await register(app, 'ada@example.com')).agent : app.agent()
      await askForLink(ada, address, asks)
      ada.set(`${sessionCookie}=${eve.agent.cookies()[sessionCookie]}; Path=/; Secure`)
      await follow(site, ada)
      const owner = await app.store.getUserByEmail(address)
      expect(owner).not.toBeNull()
      expect(owner?.id).not.toBe(site.id)
      expect(app.rows.users()).toHaveLength(isSignedIn ? 3 : 2)
    }
  }),

  scenario(
    'DEC-39e DEC-16a only a session that is live when the link is requested gets the address',
    async ({ open }) => {
      for (const [strategy, event, lose] of losses) {
        const site = await openSite(open, { strategy, config: { session: { maxAge: 600, updateAge: 0 } } })
        await lose(site, site.eve.agent)
        await prove(site, asks)
        expect(taken(site, 'email-request')).toContain(`recognising.${event}`)
        expect((await site.app.store.getUserByEmail(address))?.id, event).not.toBe(site.id)
      }
    },
  ),

  scenario(
    'DEC-39e DEC-16a only a session that is live when the link is followed gets the address',
    async ({ open }) => {
      for (const [strategy, event, lose] of losses) {
        const site = await openSite(open, { strategy, config: { session: { maxAge: 600, updateAge: 0 } } })
        await askForLink(site.eve.agent, address, asks)
        await lose(site, site.eve.agent)
        await follow(site, site.eve.agent)
        expect(taken(site, 'email-verification')).toContain(`admitting.recognising.${event}`)
        const owner = await site.app.store.getUserByEmail(address)
        expect(owner, event).not.toBeNull()
        expect(owner?.id, event).not.toBe(site.id)
      }
    },
  ),

  scenario('DEC-39e a user with a linked account or a verified address keeps it', async ({ open }) => {
    const site = await openSite(open)
    const { app, mails } = site
    const ada = app.agent()
    await signIn(app, ada)
    await perform({ agent: ada, device: createPerson(app).device }, { fields: { action: 'register' } })
    await prove(site, asks, { agent: ada, device: createPerson(app).device })
    expect(app.rows.users().map(({ email }) => email)).toEqual([
      expect.stringMatching(placeholder),
      'ada@example.com',
      address,
    ])
    await askForLink(ada, 'second@mail.example', asks)
    await ada.send(pathOf(mails.at(-1) as Mail))
    expect(app.rows.users()).toHaveLength(4)
  }),

  scenario('DEC-39e an address that identifies a user signs in that user', async ({ open }) => {
    const site = await openSite(open)
    const { app, eve, id } = site
    const owner = await app.store.createUser({ id: 'owner', email: address, emailVerified: null })
    await prove(site, asks)
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
    expect((await app.store.getUserByEmail(address))?.id).toBe(owner.id)
    expect(await authenticatorsOf(app, id)).toHaveLength(1)
  }),

  scenario('DEC-39e DEC-39b an unverified address moves to the user who verifies it', async ({ open }) => {
    const site = await openSite(open)
    const { app, eve, id } = site
    const bob = await register(app, 'bob@example.com')
    const bobs = app.rows.users()[1]?.id ?? ''
    await app.store.updateUser({ id: bobs, email: address })
    await prove(site, asks)
    expect(app.rows.users()).toMatchObject([
      { id, email: address },
      { id: bobs, email: expect.stringMatching(placeholder) },
    ])
    expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
    expect(await sessionOf(bob.agent)).toMatchObject({ user: { email: null } })
    expect(await authenticatorsOf(app, id)).toHaveLength(1)
  }),

  scenario(
    'DEC-39e DEC-39b without a live session, an unverified address goes to a new user',
    async ({ open }) => {
      const site = await openSite(open)
      const { app, eve, id } = site
      await app.store.updateUser({ id, email: address })
      await askForLink(eve.agent, address, asks)
      eve.agent.forget(sessionCookie)
      await follow(site, eve.agent)
      expect(app.rows.users()).toMatchObject([
        { id, email: expect.stringMatching(placeholder) },
        { email: address },
      ])
    },
  ),

  scenario(
    'DEC-39e AL-04 a user who verifies the address of their row loses their earlier ways to sign in',
    async ({ open }) => {
      const site = await openSite(open)
      const { app, eve, id } = site
      await app.store.updateUser({ id, email: address })
      await prove(site, asks)
      expect(app.rows.users()).toMatchObject([
        { id, email: address, emailVerified: new Date(app.clock.now()) },
      ])
      expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
      expect(await authenticatorsOf(app, id)).toEqual([])
    },
  ),

  scenario('DEC-39e DEC-20a a user who got the address in the meantime keeps it', async ({ open }) => {
    let own: Adapter | undefined
    const broken = breakable('updateUser', async () => {
      await own?.createUser?.({ id: 'faster', email: address, emailVerified: new Date() })
      throw new Error('the address is taken')
    })
    const site = await openSite(open, {
      wrap(store) {
        own = store
        return broken.wrap(store)
      },
    })
    broken.arm()
    await prove(site, asks)
    expect(site.app.ended()).toBe('signedIn')
    expect(await sessionOf(site.eve.agent)).toMatchObject({ user: { email: address } })
    expect((await site.app.store.getUserByEmail(address))?.id).toBe('faster')
  }),

  scenario(
    'DEC-39e SF-02 a user with a second factor who proves the address that their row had remains this user',
    async ({ open }) => {
      for (const strategy of strategies) {
        const site = await openSite(open, { strategy, config: withFactor() })
        const { app, eve, id } = site
        const { secret } = await enrol(app, eve.agent)
        await app.store.updateUser({ id, email: address, emailVerified: null })
        await prove(site, asks)
        expect(app.ended()).toBe('held')
        await enterCode(eve.agent, codeOf(secret, app.clock.now()))
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.users()).toMatchObject([{ id, email: address, emailVerified: expect.any(Date) }])
        expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
      }
    },
  ),

  scenario('DEC-39e FI-02 an address that cannot be stored creates no second user', async ({ open }) => {
    const broken = breakable('updateUser', () => {
      throw new Error('the store cannot be reached')
    })
    const site = await openSite(open, { wrap: broken.wrap })
    broken.arm()
    await prove(site, asks)
    expect(site.app.ended()).toBe('restored')
    expect(site.app.rows.users()).toMatchObject([{ id: site.id, email: expect.stringMatching(placeholder) }])
    expect(await authenticatorsOf(site.app, site.id)).toHaveLength(1)
  }),

  scenario('DEC-39e without passkeys, a request for a link does not read a user', async ({ open }) => {
    const wrap = (store: Adapter): Adapter => ({ ...store, getUser: undefined })
    const app = openMailApp(open, { strategy: 'jwt-stored', wrap })
    const agent = app.agent()
    for (const email of [address, 'second@mail.example']) {
      await askForLink(agent, email, asks)
      expect(app.ended()).toBe('linkMailed')
      await agent.send(pathOf(app.mails.at(-1) as Mail))
      expect(await sessionOf(agent)).toMatchObject({ user: { email } })
    }
    expect(app.rows.users()).toHaveLength(2)
  }),
]
