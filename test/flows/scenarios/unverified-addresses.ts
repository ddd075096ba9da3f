import { expect } from 'vitest'
import { Password, type PasswordLinkParams } from '../../../src/password.ts'
import MicrosoftEntraID from '../../../src/providers/microsoft-entra-id.ts'
import Spotify from '../../../src/providers/spotify.ts'
import { preset } from '../../../src/provider-base/preset.ts'
import type { OAuthConfig } from '../../../src/types/provider.ts'
import type { Profile } from '../../../src/types/records.ts'
import { type App, csrfOf, issuer, origin, sessionOf, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { changeAddress, openChangeApp } from '../../support/email-change.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../../support/mail.ts'
import { parameters } from '../../support/passwords.ts'
import { scenario, type Stage } from '../scenario.ts'

const address = 'ada@example.com'
const placeholder = /^[\da-f-]{36}@unproven\.invalid$/
const denials: readonly unknown[] = [false, 'false', null, 0, 'no', '']
const ways = ['link', 'password', 'provider'] as const
const strategies = ['database', 'jwt-stored'] as const

interface Site {
  readonly app: App
  readonly mails: Mail[]
  readonly passwordMails: PasswordLinkParams[]
}

/** An application where the provider gives Eve's account this verdict on Ada's address, and Ada's own is verified. */
function openSite(
  open: Stage['open'],
  verified: unknown,
  strategy: (typeof strategies)[number],
  options: Partial<OAuthConfig> = {},
): Site {
  const [mails, passwordMails]: [Mail[], PasswordLinkParams[]] = [[], []]
  const idp: OAuthConfig = {
    id: 'idp',
    name: 'Idp',
    type: 'oidc',
    issuer,
    clientId: 'client',
    clientSecret: 'client-secret',
    allowDangerousEmailAccountLinking: true,
    ...options,
  }
  const password = Password({ sendLink: (mail) => void passwordMails.push(mail), parameters })
  const users = [
    { sub: 'eve', claims: { name: 'Eve', email: address, email_verified: verified } },
    { sub: 'ada', claims: { name: 'Ada', email: address, email_verified: true } },
  ]
  const app = open({ strategy, providers: [idp, mailProvider(mails), password], idp: { users } })
  return { app, mails, passwordMails }
}

async function signInAs(app: App, sub: string): Promise<Agent> {
  const agent = app.agent()
  app.idp.choose(sub)
  await signIn(app, agent)
  return agent
}

/** Ada proves her address. */
async function prove({ app, mails, passwordMails }: Site, by: (typeof ways)[number]): Promise<Agent> {
  if (by === 'provider') return signInAs(app, 'ada')
  const agent = app.agent()
  if (by === 'link') {
    await askForLink(agent, address)
    await agent.send(pathOf(mails.at(-1) as Mail))
  } else {
    await agent.send('/auth/password/password', { form: { csrfToken: await csrfOf(agent), email: address } })
    const link = new URL(passwordMails.at(-1)?.url ?? '', origin)
    const form = { ...Object.fromEntries(link.searchParams), password: 'correct horse battery staple' }
    await agent.send(link.pathname, { form: { csrfToken: await csrfOf(agent), ...form } })
  }
  return agent
}

const emailIn = async (agent: Agent) => ((await sessionOf(agent)) as { user?: Profile } | null)?.user?.email

/** An address that its provider calls unverified. */
export const unverifiedAddressScenarios = [
  ...strategies.flatMap((strategy) =>
    ways.map((by) =>
      scenario(
        `AL-13 the owner of an address who proves it by a ${by} shares no user with someone who claimed it (${strategy})`,
        async ({ open }) => {
          for (const verified of denials) {
            const site = openSite(open, verified, strategy)
            const { app } = site
            const eve = await signInAs(app, 'eve')
            expect(app.ended()).toBe('signedIn')
            expect(await emailIn(eve)).toBeNull()
            const ada = await prove(site, by)
            expect(await emailIn(ada)).toBe(address)
            expect(await emailIn(await signInAs(app, 'eve'))).toBeNull()
            expect(app.rows.users()).toMatchObject([
              { name: 'Eve', email: expect.stringMatching(placeholder), emailVerified: null },
              { email: address },
            ])
          }
        },
      ),
    ),
  ),

  scenario('AL-13 callbacks and events get the address, but no user that has it', async ({ open }) => {
    const { app } = openSite(open, false, 'database')
    await signInAs(app, 'eve')
    const message = (name: string) => app.events.find(({ event }) => event === name)?.message
    expect(message('createUser')).toMatchObject({ user: { name: 'Eve', email: null } })
    expect(message('linkAccount')).toMatchObject({ user: { email: null }, profile: { email: address } })
    expect(message('signIn')).toMatchObject({ user: { email: null }, profile: { email: address } })
  }),

  scenario('AL-13 storeUnverifiedEmail stores the address, and links nothing by it', async ({ open }) => {
    const site = openSite(open, false, 'database', { storeUnverifiedEmail: true })
    const eve = await signInAs(site.app, 'eve')
    expect(await emailIn(eve)).toBe(address)
    const other = openSite(open, false, 'database', { storeUnverifiedEmail: true })
    await prove(other, 'link')
    await signInAs(other.app, 'eve')
    expect(other.app.ended()).toBe('notLinked')
  }),

  scenario('AL-13 EC-06 a user without an address adds it with a mailed link', async ({ open }) => {
    const users = [{ sub: 'ada', claims: { name: 'Ada', email: address, email_verified: false } }]
    const app = openChangeApp(open, { idp: { users } })
    const ada = await signInAs(app, 'ada')
    await changeAddress(app, ada, address)
    expect(app.ended()).toBe('changed')
    expect(await emailIn(ada)).toBe(address)
    expect(app.rows.users()).toMatchObject([{ email: address, emailVerified: expect.any(Date) }])
  }),

  scenario('AL-13 a profile without the claim is stored as before', async ({ open }) => {
    const { app } = openSite(open, undefined, 'database')
    expect(await emailIn(await signInAs(app, 'eve'))).toBe(address)
  }),

  scenario('AL-13 a user who was stored with the address keeps it', async ({ open }) => {
    const { app } = openSite(open, false, 'database')
    await app.store.createUser({ id: 'old', name: 'Eve', email: address, emailVerified: null })
    await app.store.linkAccount({
      provider: 'idp',
      providerAccountId: 'eve',
      type: 'oidc',
      userId: app.rows.users()[0]?.id ?? '',
    })
    expect(await emailIn(await signInAs(app, 'eve'))).toBe(address)
    expect(app.rows.users()).toMatchObject([{ email: address }])
  }),

  scenario('AL-13 the address stays in the session without an adapter', async ({ open }) => {
    const users = [{ sub: 'eve', claims: { name: 'Eve', email: address, email_verified: false } }]
    const app = open({ idp: { users } })
    expect(await emailIn(await signInAs(app, 'eve'))).toBe(address)
  }),

  scenario('AL-13 an address that its user lost in the meantime is not stored either', async ({ open }) => {
    const users = [{ sub: 'eve', claims: { name: 'Eve', email: address, email_verified: false } }]
    let reads = 0
    const app = open({
      strategy: 'database',
      idp: { users },
      wrap: (store) => ({
        ...store,
        getUserByEmail: () => (reads++ === 0 ? { id: 'gone', email: address, emailVerified: null } : null),
      }),
    })
    await signInAs(app, 'eve')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ email: expect.stringMatching(placeholder) }])
  }),

  scenario('AL-13 the presets of providers that verify no addresses say so', async ({ open }) => {
    const single = 'https://login.microsoftonline.com/8d6e1f2a-0000-4000-8000-000000000000/v2.0'
    const presets = [
      [Spotify({}), null],
      [MicrosoftEntraID({}), null],
      [MicrosoftEntraID({ issuer: single }), address],
    ] as const
    for (const [provider, stored] of presets) {
      const { complete } = Reflect.get(provider, preset) as {
        complete: (profile: object, tokens: object, send: typeof fetch) => unknown
      }
      const noPhoto = async () => new Response(null, { status: 404 })
      const verdict = Reflect.get(Object(await complete({ email: address }, {}, noPhoto)), 'email_verified')
      const { app } = openSite(open, verdict, 'database')
      expect(await emailIn(await signInAs(app, 'eve'))).toBe(stored)
    }
  }),
]
