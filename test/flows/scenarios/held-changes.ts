import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { authTimeOf, enterWeakly, nextCode, openSite } from '../../support/account-policy/site.ts'
import { origin, sessionOf, signIn, signOut } from '../../support/app.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../../support/mail.ts'
import {
  changePassword,
  newPassword,
  openPasswordApp,
  pathOf as resetPathOf,
  requestLink,
  sendNewPassword,
  signIn as enterPassword,
} from '../../support/passwords.ts'
import { codeOf, enrol, enterCode, sendFirstCode, withFactor } from '../../support/second-factor.ts'
import { authenticatorsOf, perform, register, withPasskeys } from '../../support/webauthn/app.ts'
import { ways } from '../../support/ways.ts'
import { locationOf } from '../expectations.ts'
import { scenario, type Stage } from '../scenario.ts'

const strategies = ['database', 'jwt-stored'] as const
const signinPage = '/auth/signin'
const mailed = 'eve@mail.example'

/** A user of a provider, with a second factor and an address that nobody has proven. */
async function openUnproven(open: Stage['open'], verified?: boolean, wrap?: (store: Adapter) => Adapter) {
  const claims = { name: 'Ada', email: 'ada@example.com', ...(verified && { email_verified: true }) }
  const app = open({
    strategy: 'database',
    ...(wrap && { wrap }),
    provider: { allowDangerousEmailAccountLinking: true },
    config: withFactor(),
    idp: {
      clients: [{ id: 'client', secret: 'client-secret' }],
      users: [
        { sub: 'ada', claims: { name: 'Ada', email: 'ada@example.com' } },
        { sub: 'eve', claims },
        { sub: 'bob', claims: { name: 'Bob', email: 'bob@example.com' } },
      ],
    },
  })
  const owner = app.agent()
  await signIn(app, owner)
  const { secret } = await enrol(app, owner)
  const agent = app.agent()
  app.idp.choose('eve')
  await signIn(app, agent)
  expect(app.ended()).toBe('held')
  return { app, owner, agent, code: () => (app.clock.advance(30), codeOf(secret, app.clock.now())) }
}

/** A store in which another request removes the second factor after some reads. */
function losingFactor() {
  let reads = Number.POSITIVE_INFINITY
  const wrap = (store: Adapter): Adapter => ({
    ...store,
    async getFactor(id) {
      return reads-- > 0 ? ((await store.getFactor?.(id)) ?? null) : null
    },
  })
  return { wrap, loseAfter: (count: number) => void (reads = count) }
}

/** Changes that wait for the second factor or for a recent sign-in. */
export const heldChangeScenarios = [
  ...Object.entries(ways).map(([name, prepare]) =>
    scenario(`SF-10 ${name} is refused if the second factor is lost while it continues`, async ({ open }) => {
      const { wrap, loseAfter } = losingFactor()
      const { app, enter } = await prepare((options) => open({ ...options, wrap }), 'database', withFactor())
      const owner = app.agent()
      await enter(owner)
      const { secret } = await enrol(app, owner)
      const agent = app.agent()
      await enter(agent)
      app.clock.advance(30)
      loseAfter(1)
      await enterCode(agent, codeOf(secret, app.clock.now()))
      expect([app.ended(), await sessionOf(agent)]).toEqual(['denied', null])
    }),
  ),

  ...[true, false].map((verified) =>
    scenario(
      `SF-10 a link by ${verified ? 'a verified' : 'an'} address is refused if the second factor is lost`,
      async ({ open }) => {
        const { wrap, loseAfter } = losingFactor()
        const { app, agent, code } = await openUnproven(open, verified, wrap)
        loseAfter(1)
        await enterCode(agent, code())
        expect([app.ended(), app.rows.accounts().length]).toEqual(['denied', 1])
      },
    ),
  ),

  scenario('SF-10 a reset is refused if the second factor is lost while it continues', async ({ open }) => {
    const { wrap, loseAfter } = losingFactor()
    const app = openPasswordApp(open, { wrap, config: withFactor() })
    await app.addUser()
    const owner = app.agent()
    await enterPassword(owner)
    const { secret } = await enrol(app, owner)
    const agent = app.agent()
    await requestLink(agent)
    await sendNewPassword(app, agent)
    loseAfter(1)
    await enterCode(agent, codeOf(secret, app.clock.now()))
    expect([app.ended(), await sessionOf(agent)]).toEqual(['denied', null])
    expect(app.events.filter(({ event }) => event === 'updatePassword')).toEqual([])
  }),

  ...[true, false].map((verified) =>
    scenario(
      `POL-01 AL-04 an account whose provider ${verified ? 'verified' : 'names'} the address is linked after the code`,
      async ({ open }) => {
        const { app, owner, agent, code } = await openUnproven(open, verified)
        expect(app.rows.accounts()).toHaveLength(1)
        await enterCode(agent, code())
        expect(app.ended()).toBe('signedIn')
        const [first, second] = app.rows.accounts()
        expect(second).toMatchObject({ providerAccountId: 'eve', userId: first?.userId })
        expect(second?.access_token).toEqual(expect.any(String))
        expect((await sessionOf(owner)) === null).toBe(verified)
        expect(app.events.filter(({ event }) => event === 'linkAccount')).toHaveLength(2)
      },
    ),
  ),

  scenario(
    'POL-01 AL-05 an account that another user got in the meantime is not linked',
    async ({ open }) => {
      const { app, agent, code } = await openUnproven(open)
      await app.store.createUser({ id: 'bob', email: 'bob@example.com', emailVerified: null })
      const key = { provider: 'idp', providerAccountId: 'eve' }
      await app.store.linkAccount({ userId: 'bob', type: 'oidc', ...key })
      await enterCode(agent, code())
      expect(app.ended()).toBe('denied')
      expect(await sessionOf(agent)).toBeNull()
      expect((await app.store.getUserByAccount(key))?.id).toBe('bob')
    },
  ),

  scenario('SF-02 the second factor of one user does not sign in another one', async ({ open }) => {
    // Without records, no stamp shows that it is another user.
    const withoutRecords = (store: Adapter): Adapter =>
      Object.fromEntries(Object.entries(store).filter(([name]) => !name.endsWith('Record')))
    const { app, agent, code } = await openUnproven(open, undefined, withoutRecords)
    const key = { provider: 'idp', providerAccountId: 'eve' }
    const other = app.agent()
    app.idp.choose('bob')
    await signIn(app, other)
    await enrol(app, other)
    const bob = await app.store.getUserByAccount({ provider: 'idp', providerAccountId: 'bob' })
    await app.store.linkAccount({ userId: bob?.id ?? '', type: 'oidc', ...key })
    await enterCode(agent, code())
    expect([app.ended(), await sessionOf(agent)]).toEqual(['denied', null])
  }),

  scenario('POL-01 an account that the user got in the meantime is linked once', async ({ open }) => {
    const { app, agent, code } = await openUnproven(open)
    const { userId = '' } = app.rows.accounts()[0] ?? {}
    await app.store.linkAccount({ userId, type: 'oidc', provider: 'idp', providerAccountId: 'eve' })
    await enterCode(agent, code())
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.accounts()).toHaveLength(2)
  }),

  ...strategies.map((strategy) =>
    scenario(`POL-02 an account is linked to a session after the code (${strategy})`, async ({ open }) => {
      const site = await openSite(open, strategy)
      const { app, id } = site
      const agent = await enterWeakly(site)
      app.idp.choose('bob')
      await signIn(app, agent, 'second', { link: 'true' })
      expect(app.ended()).toBe('held')
      await enterCode(agent, nextCode(site))
      expect(app.ended()).toBe('signedIn')
      expect((await app.store.getUserByAccount({ provider: 'second', providerAccountId: 'bob' }))?.id).toBe(
        id,
      )
      // The password was the first factor, and not the account that was linked.
      expect((await sessionOf(agent))?.['amr']).toEqual(['pwd', 'otp', 'mfa'])
    }),
  ),

  ...strategies.map((strategy) =>
    scenario(
      `POL-02 POL-04 a stale session links nothing and creates no user (${strategy})`,
      async ({ open }) => {
        const app = open({ ...withPasskeys({ strategy, config: withFactor() }) })
        const agent = app.agent()
        await signIn(app, agent)
        const before = await authTimeOf(agent)
        app.clock.advance(901)
        app.idp.choose('bob')
        const response = await signIn(app, agent)
        expect([app.ended(), locationOf(response).pathname]).toEqual(['stale', signinPage])
        expect(locationOf(response).searchParams.get('error')).toBe('SessionRequired')
        expect([app.rows.users().length, app.rows.accounts().length]).toEqual([1, 1])
        expect(await authTimeOf(agent)).toBe(before)
        // The account of the user signs in again, and then the link is made.
        app.idp.choose('ada')
        await signIn(app, agent)
        const renewed = await authTimeOf(agent)
        expect(renewed).toBe(app.clock.now() / 1000)
        app.clock.advance(60)
        app.idp.choose('bob')
        await signIn(app, agent)
        expect([app.ended(), app.rows.accounts().length]).toEqual(['signedIn', 2])
        expect(await authTimeOf(agent)).toBe(renewed)
      },
    ),
  ),

  scenario(
    'POL-04 FI-02 an account that was stored although the store failed keeps auth_time',
    async ({ open }) => {
      const wrap = (store: Adapter): Adapter => ({
        ...store,
        async linkAccount(account) {
          await store.linkAccount?.(account)
          throw new Error('the response was lost')
        },
      })
      const app = open({ strategy: 'database', config: withFactor(), wrap })
      const agent = app.agent()
      await signIn(app, agent)
      const before = await authTimeOf(agent)
      app.clock.advance(60)
      app.idp.choose('bob')
      await signIn(app, agent)
      expect([app.ended(), app.rows.accounts().length]).toEqual(['signedIn', 2])
      expect(await authTimeOf(agent)).toBe(before)
    },
  ),

  scenario('POL-02 where sessions do not record when, any session links', async ({ open }) => {
    const app = open({ strategy: 'database' })
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(20 * 86_400)
    app.idp.choose('bob')
    await signIn(app, agent)
    expect([app.ended(), app.rows.users().length, app.rows.accounts().length]).toEqual(['signedIn', 1, 2])
  }),

  ...strategies.flatMap((strategy) =>
    (['link', 'code'] as const).map((method) =>
      scenario(
        `POL-02 DEC-39e a stale session gets no address by a ${method} (${strategy})`,
        async ({ open }) => {
          const mails: Mail[] = []
          const providers = [mailProvider(mails, { method })]
          const app = open(withPasskeys({ strategy, config: withFactor(), providers }))
          const eve = await register(app, 'eve@example.com')
          const { agent } = eve
          const id = app.rows.users()[0]?.id ?? ''
          const follow = async () => {
            if (method === 'link') return agent.send(pathOf(mails.at(-1) as Mail))
            const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
            return agent.send('/auth/callback/mail', { form: { csrfToken, code: mails.at(-1)?.token ?? '' } })
          }
          app.clock.advance(901)
          await askForLink(agent, mailed, { link: 'true' })
          const response = await follow()
          expect([app.ended(), locationOf(response).pathname]).toEqual(['stale', signinPage])
          expect(app.rows.users()).toMatchObject([{ id, emailVerified: null }])
          expect(await authenticatorsOf(app, id)).toHaveLength(1)
          const back = locationOf(response).searchParams.get('callbackUrl') ?? ''
          const confirm = async () => {
            const page = await (await agent.send(back.slice(origin.length))).text()
            expect(app.ended()).toBe('awaitingConfirmation')
            await agent.send('/auth/callback/mail', { form: readForms(page)[0]?.fields ?? {} })
          }
          await (method === 'link' ? confirm() : follow())
          expect(app.ended()).toBe('stale')
          await perform(eve, { fields: { action: 'authenticate' } })
          if (method === 'code') {
            expect(new URL(back).pathname).toBe('/auth/verify-request')
            await askForLink(agent, mailed, { link: 'true' })
            await follow()
          } else {
            // The user who signs in next may not have asked for the link.
            await confirm()
          }
          expect(app.ended()).toBe('addressAdded')
          expect(app.rows.users()).toMatchObject([{ id, email: mailed, emailVerified: expect.any(Date) }])
          expect(await sessionOf(agent)).toMatchObject({ user: { email: mailed } })
        },
      ),
    ),
  ),

  ...strategies.map((strategy) =>
    scenario(
      `POL-01 POL-05 PW-09 the form of a reset is shown after the code (${strategy})`,
      async ({ open }) => {
        const app = openPasswordApp(open, {
          strategy,
          config: {
            ...withFactor(),
            ...(strategy !== 'database' && { jwt: { revocations: memoryRevocations() } }),
          },
        })
        await app.addUser()
        const owner = app.agent()
        await enterPassword(owner)
        const { secret } = await enrol(app, owner)
        const agent = app.agent()
        await requestLink(agent)
        await agent.send(resetPathOf(app))
        expect(app.ended()).toBe('awaitingPassword')
        await sendNewPassword(app, agent, { password: 'short' })
        expect(app.ended()).toBe('awaitingPassword')
        await sendNewPassword(app, agent)
        expect(app.ended()).toBe('held')
        expect(app.events.filter(({ event }) => event === 'updatePassword')).toEqual([])
        expect([await sessionOf(owner), await sessionOf(agent)]).toEqual([expect.anything(), null])
        await enterPassword(app.agent())
        expect(app.ended()).toBe('held')
        // The link was used for this sign-in.
        await sendNewPassword(app, app.agent(), { password: 'another long password' })
        expect(app.ended()).toBe('invalid')
        const code = codeOf(secret, app.clock.now())
        const other = app.agent()
        await enterCode(other, code)
        expect([app.ended(), await sessionOf(other)]).toEqual(['anonymous', null])
        await enterCode(agent, code)
        expect(app.ended()).toBe('signedIn')
        expect((await sessionOf(agent))?.['amr']).toEqual(['otp', 'mfa'])
        expect(await sessionOf(owner)).toBeNull()
        await enterPassword(app.agent(), 'ada@example.com', newPassword)
        expect(app.ended()).toBe('held')
      },
    ),
  ),

  scenario('POL-01 PW-08 without a second factor of the user, a link shows the form', async ({ open }) => {
    const app = openPasswordApp(open, { config: withFactor() })
    await app.addUser()
    for (const email of ['ada@example.com', 'new@example.com']) {
      const agent = app.agent()
      await requestLink(agent, email)
      await agent.send(resetPathOf(app))
      expect(app.ended()).toBe('awaitingPassword')
      await sendNewPassword(app, agent)
      expect([app.ended(), (await sessionOf(agent))?.['amr']]).toEqual(['signedIn', ['otp']])
    }
  }),

  scenario('POL-05 PW-11 a link that does not work calls no other service', async ({ open }) => {
    let calls = 0
    const checkBreached = () => {
      calls += 1
      return ''
    }
    const app = openPasswordApp(open, { passwords: { checkBreached } })
    await app.addUser()
    const agent = app.agent()
    await requestLink(agent)
    await sendNewPassword(app, agent, { token: 'invented' })
    expect([app.ended(), calls]).toEqual(['invalid', 0])
    await sendNewPassword(app, agent)
    expect([app.ended(), calls]).toEqual(['signedIn', 1])
  }),

  ...strategies.map((strategy) =>
    scenario(`POL-06 SF-02 a sign-out ends a copy of a held sign-in (${strategy})`, async ({ open }) => {
      const site = await openSite(open, strategy)
      const agent = site.app.agent()
      await site.enter(agent)
      const copy = site.app.agent()
      for (const [name, value] of Object.entries(agent.cookies()))
        copy.set(`${name}=${value}; Path=/; Secure`)
      await signOut(agent)
      await enterCode(copy, nextCode(site))
      expect([site.app.ended(), await sessionOf(copy)]).toEqual(['passed', null])
      await site.enter(agent)
      await enterCode(agent, nextCode(site))
      expect(site.app.ended()).toBe('signedIn')
    }),
  ),

  scenario('POL-03 SF-04 of two first enrolments at once, one succeeds', async ({ open }) => {
    const app = open({ strategy: 'database', config: withFactor() })
    const [one, two] = [app.agent(), app.agent()]
    for (const agent of [one, two]) await signIn(app, agent)
    const enrolled = await Promise.all([sendFirstCode(app, one), sendFirstCode(app, two)])
    app.clock.advance(30)
    const shown = enrolled.filter(({ recovery }) => recovery.length > 0)
    expect(shown).toHaveLength(1)
    const agent = app.agent()
    await signIn(app, agent)
    await enterCode(agent, codeOf(shown[0]?.secret ?? '', app.clock.now()))
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('POL-01 WA-10 a session that must enter the code gets no address before', async ({ open }) => {
    const site = await openSite(open, 'database', 'passkey')
    const { app, sent, id } = site
    const agent = await enterWeakly(site)
    await askForLink(agent, mailed, { link: 'true' })
    const response = await agent.send(pathOf(sent.mails.at(-1) ?? { url: '' }))
    expect([app.ended(), locationOf(response).pathname]).toEqual(['challenged', '/auth/factor'])
    const back = locationOf(response).searchParams.get('callbackUrl') ?? ''
    const confirm = async () => {
      const page = await (await agent.send(back.slice(origin.length))).text()
      await agent.send('/auth/callback/mail', { form: readForms(page)[0]?.fields ?? {} })
    }
    await confirm()
    expect(app.ended()).toBe('challenged')
    await enterCode(agent, nextCode(site))
    expect(app.ended()).toBe('steppedUp')
    await confirm()
    expect(app.ended()).toBe('addressAdded')
    expect((await app.store.getUser(id))?.email).toBe(mailed)
    expect(await app.store.getFactor(id)).not.toBeNull()
  }),

  scenario('POL-02 CD-03 a code works after the second factor', async ({ open }) => {
    const site = await openSite(open, 'database', 'passkey')
    const { app, sent, id } = site
    const agent = await enterWeakly(site)
    await askForLink(agent, mailed, { link: 'true' }, 'code')
    const enter = async () => {
      const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
      return agent.send('/auth/callback/code', { form: { csrfToken, code: sent.mails.at(-1)?.token ?? '' } })
    }
    const response = await enter()
    expect(app.ended()).toBe('challenged')
    expect(locationOf(response).searchParams.get('callbackUrl')).toContain(
      '/auth/verify-request?provider=code',
    )
    await enterCode(agent, nextCode(site))
    await enter()
    expect(app.ended()).toBe('addressAdded')
    expect((await app.store.getUser(id))?.email).toBe(mailed)
  }),

  scenario('POL-07 a notice that cannot be sent is logged, and the change remains', async ({ open }) => {
    const sendNotice = () => {
      throw new Error('no connection')
    }
    const app = openPasswordApp(open, { config: { sendNotice } })
    await app.addUser()
    const agent = app.agent()
    await enterPassword(agent)
    await changePassword(agent)
    expect([app.ended(), app.errors.map(({ name }) => name)]).toEqual(['changed', ['EmailSignInError']])
    expect(app.events.map(({ event }) => event)).toContain('updatePassword')
  }),
]
