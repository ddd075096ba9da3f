import { expect } from 'vitest'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { csrfOf, sessionOf, signIn, type App } from '../../support/app.ts'
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

/** How the mail proves the address. */
type Way = 'link' | 'code'

/** The flows of the two halves of a sign-in by mail. */
const halves = {
  link: ['email-request', 'email-verification'],
  code: ['mail-code-request', 'mail-code-guess'],
} as const satisfies Record<Way, readonly [string, string]>

interface Site {
  readonly app: App
  readonly mails: Mail[]
  readonly way: Way
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
  /** @default 'link' */
  readonly way?: Way
}

async function openSite(
  open: Stage['open'],
  { confirm, way = 'link', ...options }: SiteOptions = {},
): Promise<Site> {
  const mails: Mail[] = []
  const app = open(withPasskeys({ ...options, providers: [mailProvider(mails, { confirm, method: way })] }))
  const eve = await register(app, typed)
  const id = app.rows.users()[0]?.id ?? ''
  app.events.length = 0
  return { app, mails, way, eve, id }
}

/** Uses the newest mail: follows its link, or enters its code. */
async function follow({ mails, way }: Pick<Site, 'mails' | 'way'>, agent: Agent): Promise<Response> {
  const mail = mails.at(-1) as Mail
  if (way === 'link') return agent.send(pathOf(mail))
  return agent.send('/auth/callback/mail', { form: { csrfToken: await csrfOf(agent), code: mail.token } })
}

/** Requests a mail in a browser, and uses it there. */
async function prove(site: Site, form: Record<string, string> = {}, { agent } = site.eve): Promise<Response> {
  await askForLink(agent, address, form)
  return follow(site, agent)
}

const taken = ({ app }: Site, flow: string) =>
  app.hops.filter((hop) => hop.flow === flow).map(({ state, event }) => `${state} ${event}`)

/** The ways in which Eve's session ends, after which nobody is signed in, and the event that recognition reports. */
const losses = [
  ['jwt-stored', 'readingCookie cookie.absent', (_: Site, agent: Agent) => agent.forget(sessionCookie)],
  ['jwt-stored', 'openingToken token.expired', ({ app }: Site) => app.clock.advance(300)],
  [
    'jwt-stored',
    'openingToken token.invalid',
    (_: Site, agent: Agent) => agent.set(`${sessionCookie}=garbage; Path=/; Secure`),
  ],
  ['jwt-stored', 'findingUser user.unknown', ({ app, id }: Site) => app.store.deleteUser(id)],
  ['database', 'findingSession session.expired', ({ app }: Site) => app.clock.advance(300)],
  ['database', 'findingSession session.unknown', ({ app, id }: Site) => app.store.deleteSessionsByUserId(id)],
] as const

const found = {
  database: ['readingCookie id.held', 'findingSession session.found'],
  'jwt-stored': ['readingCookie token.held', 'openingToken token.opened', 'findingUser user.found'],
} as const

/** Ends the names of the scenarios that take place in both ways. */
const by = { link: '', code: ', with a code' } as const satisfies Record<Way, string>

/** A user with a passkey verifies an address while signed in. */
export const gainedAddressScenarios = [
  ...(['link', 'code'] as const).flatMap((way) => [
    scenario(
      `DEC-39e EM-10 a user who requests to link an address gets it, and keeps their passkeys${by[way]}`,
      async ({ open }) => {
        for (const strategy of strategies)
          for (const accountLinking of ['session', 'explicit'] as const) {
            const site = await openSite(open, { way, strategy, config: { accountLinking } })
            const { app, eve, id } = site
            const elsewhere = createPerson(app, eve.device)
            await perform(elsewhere)
            app.events.length = 0
            await prove(site, asks)
            expect(app.ended()).toBe('addressAdded')
            const recognised = found[strategy].map((each) => `recognising.${each}`)
            expect(taken(site, halves[way][0])).toEqual(expect.arrayContaining(recognised))
            expect(taken(site, halves[way][1])).toEqual(
              expect.arrayContaining(recognised.map((each) => `admitting.${each}`)),
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
      `DEC-39e AL-04 a link without a request to link signs in the user of the address, and changes no other${by[way]}`,
      async ({ open }) => {
        const forms: Record<string, string>[] = [{}, { link: 'false' }]
        for (const form of forms) {
          const site = await openSite(open, { way })
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

    scenario(
      `DEC-39e an adapter that cannot remove anything still stores the address${by[way]}`,
      async ({ open }) => {
        const lacking = { deleteSessionsByUserId: undefined, deleteAuthenticator: undefined }
        const site = await openSite(open, { way, wrap: (store) => ({ ...store, ...lacking }) })
        await prove(site, asks)
        expect(site.app.rows.users()).toMatchObject([{ id: site.id, email: address }])
        expect(await authenticatorsOf(site.app, site.id)).toHaveLength(1)
      },
    ),

    scenario(
      `DEC-39e DEC-38 with accountLinking: "explicit", only a request to link gets the address${by[way]}`,
      async ({ open }) => {
        for (const form of [undefined, { link: 'false' }]) {
          const site = await openSite(open, { way, config: { accountLinking: 'explicit' } })
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
      `DEC-39e SE-03 a session planted after the request gets no address${by[way]}`,
      async ({ open }) => {
        for (const isSignedIn of [true, false]) {
          const site = await openSite(open, { way })
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
      },
    ),

    scenario(
      `DEC-39e DEC-16a only a session that is live when the link is requested gets the address${by[way]}`,
      async ({ open }) => {
        for (const [strategy, event, lose] of losses) {
          const site = await openSite(open, {
            way,
            strategy,
            config: { session: { maxAge: 300, updateAge: 0 } },
          })
          await lose(site, site.eve.agent)
          await prove(site, asks)
          expect(taken(site, halves[way][0])).toContain(`recognising.${event}`)
          expect((await site.app.store.getUserByEmail(address))?.id, event).not.toBe(site.id)
        }
      },
    ),

    scenario(
      `DEC-39e DEC-16a only a session that is live when the link is followed gets the address${by[way]}`,
      async ({ open }) => {
        for (const [strategy, event, lose] of losses) {
          const site = await openSite(open, {
            way,
            strategy,
            config: { session: { maxAge: 300, updateAge: 0 } },
          })
          await askForLink(site.eve.agent, address, asks)
          await lose(site, site.eve.agent)
          await follow(site, site.eve.agent)
          expect(taken(site, halves[way][1])).toContain(`admitting.recognising.${event}`)
          const owner = await site.app.store.getUserByEmail(address)
          expect(owner, event).not.toBeNull()
          expect(owner?.id, event).not.toBe(site.id)
        }
      },
    ),

    scenario(
      `DEC-39e a user with a linked account or a verified address keeps it${by[way]}`,
      async ({ open }) => {
        const site = await openSite(open, { way })
        const { app } = site
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
        await follow(site, ada)
        expect(app.rows.users()).toHaveLength(4)
      },
    ),

    scenario(`DEC-39e an address that identifies a user signs in that user${by[way]}`, async ({ open }) => {
      const site = await openSite(open, { way })
      const { app, eve, id } = site
      const owner = await app.store.createUser({ id: 'owner', email: address, emailVerified: null })
      await prove(site, asks)
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: address } })
      expect((await app.store.getUserByEmail(address))?.id).toBe(owner.id)
      expect(await authenticatorsOf(app, id)).toHaveLength(1)
    }),

    scenario(
      `DEC-39e DEC-39b an unverified address moves to the user who verifies it${by[way]}`,
      async ({ open }) => {
        const site = await openSite(open, { way })
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
      },
    ),

    scenario(
      `DEC-39b AL-04 an unverified address goes to the user who proves it in another browser${by[way]}`,
      async ({ open }) => {
        const site = await openSite(open, { way })
        const { app, id } = site
        await app.store.updateUser({ id, email: address })
        await prove(site, {}, { ...site.eve, agent: app.agent() })
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.users()).toMatchObject([
          { id, email: expect.stringMatching(placeholder) },
          { email: address },
        ])
      },
    ),

    scenario(
      `DEC-39e DEC-39b without a live session, an unverified address goes to a new user${by[way]}`,
      async ({ open }) => {
        const site = await openSite(open, { way })
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
      `DEC-39e AL-04 a user who verifies the address of their row loses their earlier ways to sign in${by[way]}`,
      async ({ open }) => {
        const site = await openSite(open, { way })
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

    scenario(
      `DEC-39e DEC-20a a user who got the address in the meantime keeps it${by[way]}`,
      async ({ open }) => {
        let own: Adapter | undefined
        const broken = breakable('updateUser', async () => {
          await own?.createUser?.({ id: 'faster', email: address, emailVerified: new Date() })
          throw new Error('the address is taken')
        })
        const site = await openSite(open, {
          way,
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
      },
    ),

    scenario(
      `DEC-39e SF-02 a user with a second factor who proves the address that their row had remains this user${by[way]}`,
      async ({ open }) => {
        for (const strategy of strategies) {
          const site = await openSite(open, { way, strategy, config: withFactor() })
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

    scenario(
      `DEC-39e FI-02 an address that cannot be stored creates no second user${by[way]}`,
      async ({ open }) => {
        const broken = breakable('updateUser', () => {
          throw new Error('the store cannot be reached')
        })
        const site = await openSite(open, { way, wrap: broken.wrap })
        broken.arm()
        await prove(site, asks)
        expect(site.app.ended()).toBe('restored')
        expect(site.app.rows.users()).toMatchObject([
          { id: site.id, email: expect.stringMatching(placeholder) },
        ])
        expect(await authenticatorsOf(site.app, site.id)).toHaveLength(1)
      },
    ),

    scenario(
      `DEC-39e without passkeys, a request for a link does not read a user${by[way]}`,
      async ({ open }) => {
        const wrap = (store: Adapter): Adapter => ({ ...store, getUser: undefined })
        const app = openMailApp(open, { strategy: 'jwt-stored', wrap, mail: { method: way } })
        const agent = app.agent()
        for (const email of [address, 'second@mail.example']) {
          await askForLink(agent, email, asks)
          expect(app.ended()).toBe(`${way}Mailed`)
          await follow({ mails: app.mails, way }, agent)
          expect(await sessionOf(agent)).toMatchObject({ user: { email } })
        }
        expect(app.rows.users()).toHaveLength(2)
      },
    ),
  ]),

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
]
