import { expect } from 'vitest'
import type { Adapter, AdapterUser } from '../../../src/types/adapter.ts'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../../support/mail.ts'
import { authenticatorsOf, breakable, perform, sitDown, withPasskeys } from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'
import { eventsOf, expectError } from '../told.ts'

const address = 'ada@example.com'
const placeholder = /^[\da-f-]{36}@unproven\.invalid$/
const doors = ['link', 'provider'] as const

interface Site {
  readonly app: App
  readonly mails: Mail[]
}

/** An application where Ada can come in by a link, and by a provider that says this of her address. */
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

/** Eve registers a passkey with Ada's address, and an earlier version has stored it with her user. */
async function prepare({ app }: Site) {
  const eve = sitDown(app)
  await perform(eve, { fields: { action: 'register', email: address } })
  const { id } = await userAt(app, 0)
  await app.store.updateUser({ id, email: address })
  app.events.length = 0
  return { ...eve, id }
}

async function comeIn({ app, mails }: Site, by: (typeof doors)[number]) {
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
  if (!user) throw new Error('there is no such user')
  return user
}

/** What becomes of an address that was typed to register a passkey, and that its owner proves later. */
export const unprovenAddressScenarios = [
  ...doors.map((by) =>
    scenario(
      `AL-04 WA-10 DEC-39b who proves an address by a ${by} gets it, with a user of their own`,
      async ({ open }) => {
        const site = openSite(open, true)
        const { app } = site
        const eve = await prepare(site)
        const ada = await comeIn(site, by)
        expect(app.ended()).toBe('signedIn')
        expect(await sessionOf(ada)).toMatchObject({ user: { email: address } })
        expect(await sessionOf(eve.agent)).toMatchObject({ user: { name: address, email: null } })
        expect(app.rows.users()).toMatchObject([
          { id: eve.id, email: expect.stringMatching(placeholder) },
          { email: address },
        ])
        expect(eventsOf(app).slice(0, 2)).toEqual(['updateUser', 'createUser'])
        await perform(sitDown(app, eve.device))
        expect(app.ended()).toBe('signedIn')
        await comeIn(site, by)
        expect(app.rows.users()).toHaveLength(2)
      },
    ),
  ),

  scenario('AL-04 DEC-39b who only claims an address comes in without it', async ({ open }) => {
    for (const verified of [undefined, false, 'false']) {
      const site = openSite(open, verified)
      const eve = await prepare(site)
      const ada = await comeIn(site, 'provider')
      expect(site.app.ended()).toBe('signedIn')
      expect(await sessionOf(ada)).toMatchObject({ user: { name: 'Ada', email: null } })
      expect(site.app.rows.users()).toMatchObject([
        { id: eve.id, email: address },
        { email: expect.stringMatching(placeholder) },
      ])
    }
  }),

  scenario('DEC-39b a user of a provider keeps their address, proven or not', async ({ open }) => {
    const site = openSite(open)
    const { app } = site
    const agent = await comeIn(site, 'provider')
    await perform({ agent, device: sitDown(app).device }, { fields: { action: 'register' } })
    await comeIn(site, 'link')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ name: 'Ada', email: address }])
  }),

  scenario(
    'DEC-39b without a list of accounts, whoever has a passkey and no proof counts as unproven',
    async ({ open }) => {
      const site = openSite(open, true, (store) => ({ ...store, listAccountsByUserId: undefined }))
      const { app } = site
      const agent = await comeIn(site, 'provider')
      await perform({ agent, device: sitDown(app).device }, { fields: { action: 'register' } })
      await comeIn(site, 'link')
      expect(app.rows.users()).toMatchObject([
        { name: 'Ada', email: expect.stringMatching(placeholder) },
        { email: address },
      ])
    },
  ),

  scenario('FI-03 DEC-39b a list of accounts that is none identifies nobody', async ({ open }) => {
    const broken = breakable('listAccountsByUserId', () => null)
    const site = openSite(open, true, broken.wrap)
    await prepare(site)
    broken.arm()
    await askForLink(site.app.agent(), address)
    expect(site.app.ended()).toBe('faulted')
    expect(site.mails).toEqual([])
  }),

  scenario('DEC-39c the first proof ends what was there before it, and no other does', async ({ open }) => {
    const site = openSite(open)
    const { app } = site
    const early = await comeIn(site, 'provider')
    await perform({ agent: early, device: sitDown(app).device }, { fields: { action: 'register' } })
    const first = await comeIn(site, 'link')
    expect(await sessionOf(early)).toBeNull()
    expect(await sessionOf(first)).toMatchObject({ user: { email: address } })
    expect(await authenticatorsOf(app)).toEqual([])
    expect(app.rows.accounts()).toMatchObject([{ provider: 'idp' }])
    await perform({ agent: first, device: sitDown(app).device }, { fields: { action: 'register' } })
    await comeIn(site, 'link')
    expect(await sessionOf(first)).toMatchObject({ user: { email: address } })
    expect(await authenticatorsOf(app)).toHaveLength(1)
  }),

  scenario(
    'DEC-39c an adapter that cannot remove anything proves the address all the same',
    async ({ open }) => {
      const lacking = { deleteSessionsByUserId: undefined, deleteAuthenticator: undefined }
      const site = openSite(open, undefined, (store) => ({ ...store, ...lacking }))
      const early = await comeIn(site, 'provider')
      await comeIn(site, 'link')
      expect((await userAt(site.app, 0)).emailVerified).toEqual(new Date(site.app.clock.now()))
      expect(await sessionOf(early)).toMatchObject({ user: { email: address } })
    },
  ),

  scenario('DEC-39c FI-02 what cannot be removed leaves the address unproven', async ({ open }) => {
    const broken = breakable('deleteSessionsByUserId', () => {
      throw new Error('the store cannot be reached')
    })
    const site = openSite(open, undefined, broken.wrap)
    await comeIn(site, 'provider')
    broken.arm()
    await comeIn(site, 'link')
    expect(site.app.ended()).toBe('faulted')
    expect((await userAt(site.app, 0)).emailVerified).toBeNull()
  }),

  scenario('DEC-39d a placeholder is no address that anybody can type or claim', async ({ open }) => {
    const { app, mails } = openSite(open, true)
    const eve = sitDown(app)
    await perform(eve, { fields: { action: 'register', email: address } })
    const { email } = await userAt(app, 0)
    expect(email).toMatch(placeholder)
    expect(await sessionOf(eve.agent)).toMatchObject({ user: { email: null } })
    expectError(await askForLink(app.agent(), email), 'EmailSignInError', '/auth/signin')
    expect(mails).toEqual([])
    expect(app.rows.users()).toHaveLength(1)
  }),
]
