import {
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  featureChart,
  final,
  type Gate,
  lapsed,
  openingHeldSignIn,
  refused,
  toolbox,
} from 'authmachine/extend'
import { describe, expect, it } from 'vitest'
import { terms } from '../../docs/examples/features/terms.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import { memoryRevocations } from '../../src/adapters/memory.ts'
import { csrfOf, issuer, openApp, origin, sessionOf, signIn, type App } from '../support/app.ts'
import { logoutClaims, postLogout, signLogout } from '../support/oidc/logout-token.ts'
import type { Agent } from '../support/browser-agent.ts'
import { openPasswordApp, resetPassword } from '../support/passwords.ts'
import { phoneWay } from '../support/phone.ts'
import { codeOf, enrol, enterCode, withFactor } from '../support/second-factor.ts'
import { heldSession } from '../support/session-cookie.ts'
import { ways } from '../support/ways.ts'

const termsPage = `${origin}/auth/terms`
const heldCookie = '__Host-authjs.pending-sign-in'
const locationOf = (response: Response) => response.headers.get('location')
const strategies = ['database', 'jwt-stored'] as const
const config = { features: [terms({ version: '2026-11', url: '/terms' })] }

/** Everything that a sign-in could have stored. */
const stored = ({ rows }: App) => ({
  users: rows.users().length,
  sessions: rows.sessions().length,
  accounts: rows.accounts().length,
})

/** Opens the page of the gate, and presses its button. */
async function accept(agent: Agent) {
  const [form] = readForms(await (await agent.send('/auth/terms')).text())
  return post(agent, { ...form?.fields, accept: 'yes' })
}

/** The cookie of the held sign-in, or its chunks. */
function heldBy(agent: Agent) {
  return Object.entries(agent.cookies()).filter(([name]) => name.startsWith(heldCookie))
}

/** Posts to the gate with the CSRF token of the browser. */
async function post(agent: Agent, fields: Readonly<Record<string, string>>) {
  return agent.send('/auth/terms', { form: { csrfToken: await csrfOf(agent), ...fields } })
}

const everyWay: typeof ways = { ...ways, phone: phoneWay }
const cases = Object.keys(everyWay).flatMap((way) => strategies.map((strategy) => [way, strategy] as const))

describe('a gate', () => {
  it.each(cases)(
    'FT-01 FT-02 FT-03 FT-04 holds a sign-in with %s until it passes (%s)',
    async (way, strategy) => {
      const { app, enter, later = [] } = (await everyWay[way]?.(openApp, strategy, config)) ?? expect.fail()
      const agent = app.agent()
      const before = stored(app)
      const response = await enter(agent)
      expect([locationOf(response), app.ended()]).toEqual([termsPage, 'held'])
      expect(stored(app)).toEqual(before)
      expect(heldSession(agent)).toBe('')
      expect(await sessionOf(agent)).toBeNull()
      expect(app.events.filter(({ event }) => event === 'signIn' || event === 'createUser')).toEqual([])

      const page = await agent.send('/auth/terms')
      expect([page.status, app.ended()]).toEqual([200, 'asking'])
      const done = await accept(agent)
      expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
      expect(await sessionOf(agent)).not.toBeNull()
      expect(heldBy(agent)).toEqual([])
      expect(app.events.filter(({ event }) => event === 'signIn')).toHaveLength(1)
      expect(app.errors).toEqual([])

      for (const again of [enter, ...later]) {
        const other = app.agent()
        const back = await again(other)
        expect([app.ended(), locationOf(back)]).toEqual(['signedIn', expect.stringContaining(origin)])
      }
    },
  )

  it.each(strategies)(
    'FT-01 FT-03 holds a reset of the password after the second factor or without it (%s)',
    async (strategy) => {
      const app = openPasswordApp(openApp, { strategy, config })
      await app.addUser()
      const agent = app.agent()
      await resetPassword(app, agent)
      expect([app.ended(), app.events]).toEqual(['held', []])
      const done = await accept(agent)
      expect([app.ended(), done.status]).toEqual(['signedIn', 302])
      const newcomer = app.agent()
      await resetPassword(app, newcomer, 'new@example.com')
      expect([app.ended(), app.rows.users().length]).toEqual(['held', 1])
      await accept(newcomer)
      expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
      expect(app.errors).toEqual([])
    },
  )

  it.each(strategies)('FT-01 comes after the second factor (%s)', async (strategy) => {
    const app = openApp({ strategy, config: { ...config, ...withFactor() } })
    const owner = app.agent()
    await signIn(app, owner)
    await accept(owner)
    const { secret } = await enrol(app, owner)
    const [user] = app.rows.users()
    await app.store.deleteRecord(String(user?.id), 'feature-terms')
    const agent = app.agent()
    expect(locationOf(await signIn(app, agent, 'idp', { callbackUrl: '/home' }))).toBe(
      `${origin}/auth/factor`,
    )
    expect((await agent.send('/auth/terms')).headers.get('location')).toBe(
      `${origin}/auth/signin?error=SessionRequired`,
    )
    const held = await enterCode(agent, codeOf(secret, app.clock.now()))
    expect([locationOf(held), app.ended(), heldSession(agent)]).toEqual([termsPage, 'held', ''])
    const done = await accept(agent)
    expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
    expect((await sessionOf(agent))?.['amr']).toContain('mfa')
    expect(app.errors).toEqual([])
  })

  it('FT-03 passes only in the browser that began the sign-in, and only by its own form', async () => {
    const app = openApp({ strategy: 'database', config })
    const agent = app.agent()
    await signIn(app, agent)
    const thief = app.agent()
    await csrfOf(thief)
    expect(heldBy(agent)).not.toEqual([])
    for (const [name, value] of heldBy(agent)) thief.set(`${name}=${value}; Path=/; Secure`)
    const stolen = await post(thief, { accept: 'yes' })
    expect([app.ended(), locationOf(stolen)]).toEqual(['lapsed', expect.stringContaining('/auth/signin')])
    const forged = await agent.send('/auth/terms', { form: { accept: 'yes' } })
    expect([app.ended(), locationOf(forged)]).toEqual(['refused', expect.stringContaining('MissingCSRF')])
    await post(agent, { accept: 'no' })
    expect([app.ended(), heldSession(agent)]).toEqual(['asking', ''])
    expect(app.rows.users()).toEqual([])
  })

  it('FT-02 FT-03 lets a sign-in wait for ten minutes, until a sign-out, and until the account changes', async () => {
    const app = openApp({ strategy: 'database', config })
    const first = app.agent()
    await signIn(app, first)
    await accept(first)
    const [user] = app.rows.users()
    await app.store.deleteRecord(String(user?.id), 'feature-terms')
    const late = app.agent()
    await signIn(app, late)
    app.clock.advance(601)
    await post(late, { accept: 'yes' })
    expect(app.ended()).toBe('lapsed')
    const out = app.agent()
    await signIn(app, out)
    await out.send('/auth/signout', { form: { csrfToken: await csrfOf(out) } })
    expect(heldBy(out)).toEqual([])
    app.clock.advance(1)
    const waiting = app.agent()
    await signIn(app, waiting)
    await app.store.setRecord(String(user?.id), 'stamp', 'another')
    const ended = await accept(waiting)
    expect(locationOf(ended)).toBe(`${origin}/auth/signin?error=SessionRequired`)
    expect([heldSession(waiting), heldBy(waiting), app.rows.sessions().length]).toEqual(['', [], 1])
  })

  it('FT-03 refuses a sign-in that would continue as another user', async () => {
    const app = openApp({ strategy: 'database', config })
    const one = app.agent()
    const other = app.agent()
    for (const agent of [one, other]) await signIn(app, agent)
    await accept(one)
    expect(app.ended()).toBe('signedIn')
    // When it was held, there was no such user.
    await accept(other)
    expect([app.ended(), heldSession(other)]).toEqual(['denied', ''])
  })

  it('FT-04 opens no session if what the gate has learnt cannot be stored, and asks again', async () => {
    let fails = true
    const app = openApp({
      strategy: 'database',
      config,
      wrap: (adapter) => ({
        ...adapter,
        async setRecord(...given: Parameters<NonNullable<typeof adapter.setRecord>>) {
          if (fails && given[1] === 'feature-terms') throw new Error('the store is down')
          return (await adapter.setRecord?.(...given)) ?? false
        },
      }),
    })
    const agent = app.agent()
    await signIn(app, agent)
    await accept(agent)
    expect([app.ended(), heldSession(agent), app.rows.sessions()]).toEqual(['faulted', '', []])
    fails = false
    const again = app.agent()
    await signIn(app, again)
    expect(app.ended()).toBe('held')
    await accept(again)
    expect(app.ended()).toBe('signedIn')
  })

  it.each(strategies)(
    'FT-02 FT-03 ends every copy of a held sign-in when it is done, and at a sign-out (%s)',
    async (strategy) => {
      const app = openApp({ strategy, config })
      const first = app.agent()
      await signIn(app, first)
      await accept(first)
      const [user] = app.rows.users()
      await app.store.deleteRecord(String(user?.id), 'feature-terms')
      /** Holds a sign-in, and copies all cookies of its browser. */
      const hold = async () => {
        app.clock.advance(1)
        const [agent, copy] = [app.agent(), app.agent()]
        await signIn(app, agent)
        for (const [name, value] of Object.entries(agent.cookies()))
          copy.set(`${name}=${value}; Path=/; Secure`)
        return { agent, copy }
      }
      const left = await hold()
      await left.agent.send('/auth/signout', { form: { csrfToken: await csrfOf(left.agent) } })
      expect(heldBy(left.agent)).toEqual([])
      await post(left.copy, { accept: 'yes' })
      expect([heldBy(left.copy), heldSession(left.copy)]).toEqual([[], ''])
      const done = await hold()
      await accept(done.agent)
      expect(app.ended()).toBe('signedIn')
      await app.store.deleteRecord(String(user?.id), 'feature-terms')
      await post(done.copy, { accept: 'yes' })
      expect(heldSession(done.copy)).toBe('')
    },
  )

  it('FT-03 a sign-in that waits after the second factor ends when the factor is removed', async () => {
    // Without records, no stamp shows the change.
    const gate = make('ask', { check: () => 'hold' })
    const app = openApp({
      strategy: 'database',
      config: { features: [gate], ...withFactor() },
      wrap: ({ getRecord: _get, setRecord: _set, deleteRecord: _delete, ...adapter }) => adapter,
    })
    const owner = app.agent()
    await signIn(app, owner)
    await pass(owner, 'ask')
    const { secret } = await enrol(app, owner)
    const agent = app.agent()
    await signIn(app, agent)
    await enterCode(agent, codeOf(secret, app.clock.now()))
    expect(app.ended()).toBe('held')
    await app.store.deleteFactor(String(app.rows.users()[0]?.id))
    await pass(agent, 'ask')
    expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
  })

  it.each(strategies)('FT-04 describes the user as the feature has left them (%s)', async (strategy) => {
    const app = openApp({
      strategy,
      idp: { users: [{ sub: 'ada', claims: { email: 'ada@example.com' } }] },
      config: {
        features: [
          make('name', {
            check: ({ name }) => (name === undefined ? 'hold' : 'pass'),
            async settle(id, name, tools) {
              await tools.store.updateUser({ id, name: JSON.stringify(name).slice(1, -1) })
            },
          }),
        ],
      },
    })
    const agent = app.agent()
    await signIn(app, agent)
    expect(app.ended()).toBe('held')
    await pass(agent, 'name', { text: 'Ada' })
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(app.events.find(({ event }) => event === 'signIn')?.message).toMatchObject({
      user: { name: 'Ada' },
      isNewUser: true,
    })
  })

  it('FT-01 FT-03 holds users of authorize whom the store does not have', async () => {
    const app = openApp({
      strategy: 'jwt-stored',
      config: { features: [make('ask', { check: () => 'hold' })] },
      providers: [
        {
          id: 'form',
          name: 'Form',
          type: 'credentials',
          credentials: {},
          authorize: () => ({ id: 'ldap-1' }),
        },
      ],
    })
    const agent = app.agent()
    await agent.send('/auth/callback/form', { form: { csrfToken: await csrfOf(agent) } })
    expect([app.ended(), heldSession(agent)]).toEqual(['held', ''])
    await pass(agent, 'ask')
    expect([app.ended(), await sessionOf(agent), app.errors]).toEqual(['signedIn', expect.any(Object), []])
  })

  it('FT-03 leads a browser without a held sign-in to the sign-in page, and a signed-in user to the site', async () => {
    const app = openApp({ strategy: 'database', config })
    const agent = app.agent()
    expect(locationOf(await agent.send('/auth/terms'))).toBe(`${origin}/auth/signin?error=SessionRequired`)
    await signIn(app, agent, 'idp', { callbackUrl: '/home' })
    await accept(agent)
    expect(locationOf(await agent.send('/auth/terms'))).toBe(origin)
  })

  it('FT-05 says that a gate that holds needs its route, and which feature failed', async () => {
    const broken = make('broken', {
      check() {
        throw new Error('no list')
      },
    })
    for (const [feature, message] of [
      [{ ...make('ask', { check: () => 'hold' }), routes: {} }, 'needs the route "ask" for GET and POST'],
      [broken, 'no list'],
    ] as const) {
      const app = openApp({ strategy: 'database', config: { features: [feature] } })
      const agent = app.agent()
      await signIn(app, agent)
      expect([app.ended(), heldSession(agent)]).toEqual(['faulted', ''])
      expect(String([app.errors[0]?.message, Object(app.errors[0]?.cause).err])).toContain(message)
    }
  })
})

describe('a held sign-in', () => {
  const asking = make('ask', { check: () => 'hold' })

  it('FT-03 belongs to one application, even if another has the same secret', async () => {
    const provider = {
      id: 'idp',
      name: 'Idp',
      type: 'oidc',
      issuer,
      clientId: 'client',
      clientSecret: 'client-secret',
    } as const
    const apps = ['one', 'other'].map((audience) =>
      openApp({ strategy: 'jwt', providers: [provider], config: { features: [asking], jwt: { audience } } }),
    )
    const [one = expect.fail(), other = expect.fail()] = apps
    const agent = one.agent()
    await signIn(one, agent)
    const copy = other.agent()
    for (const [name, value] of Object.entries(agent.cookies())) copy.set(`${name}=${value}; Path=/; Secure`)
    await pass(copy, 'ask')
    expect([other.ended(), await sessionOf(copy)]).toEqual(['lapsed', null])
    await pass(agent, 'ask')
    expect(one.ended()).toBe('signedIn')
  })

  it.each(strategies)(
    'FT-03 BCL-01 ends when the provider logs its user out, or the user is deleted (%s)',
    async (strategy) => {
      const app = openApp({
        strategy,
        provider: { backChannelLogout: true },
        config: {
          features: [asking],
          ...(strategy === 'jwt-stored' && { jwt: { revocations: memoryRevocations() } }),
        },
      })
      const first = app.agent()
      await signIn(app, first)
      await pass(first, 'ask')
      for (const end of [
        async () => postLogout(app, await signLogout(logoutClaims(app, { sub: 'ada' }))),
        async () => app.store.deleteUser(String(app.rows.users()[0]?.id)),
      ]) {
        app.clock.advance(1)
        const agent = app.agent()
        await signIn(app, agent)
        expect(app.ended()).toBe('held')
        app.clock.advance(1)
        await end()
        app.clock.advance(1)
        await pass(agent, 'ask')
        expect(await sessionOf(agent)).toBeNull()
      }
    },
  )

  it('BCL-01 FT-03 lets a provider end sessions of a site without a store', async () => {
    const asking = make('ask', { check: () => 'hold' })
    const app = openApp({
      strategy: 'jwt',
      provider: { backChannelLogout: true },
      config: { features: [asking], jwt: { revocations: memoryRevocations() } },
    })
    const agent = app.agent()
    await signIn(app, agent)
    await pass(agent, 'ask')
    expect(await sessionOf(agent)).not.toBeNull()
    const response = await postLogout(app, await signLogout(logoutClaims(app, { sub: 'ada' })))
    expect([response.status, app.errors]).toEqual([200, []])
    expect(await sessionOf(agent)).toBeNull()
  })

  it('FT-03 ends when the user of authorize is deleted', async () => {
    const app = openApp({
      strategy: 'jwt-stored',
      config: { features: [asking] },
      providers: [
        { id: 'form', name: 'Form', type: 'credentials', credentials: {}, authorize: () => ({ id: 'ada' }) },
      ],
    })
    await app.store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const agent = app.agent()
    await agent.send('/auth/callback/form', { form: { csrfToken: await csrfOf(agent) } })
    await app.store.deleteUser('ada')
    await pass(agent, 'ask')
    expect(await sessionOf(agent)).toBeNull()
  })

  it('FT-02 is gone after the next sign-in of the browser', async () => {
    let holds = true
    const app = openApp({
      strategy: 'database',
      config: { features: [make('ask', { check: () => (holds ? 'hold' : 'pass') })] },
    })
    const agent = app.agent()
    await signIn(app, agent)
    holds = false
    app.idp.choose('bob')
    await signIn(app, agent)
    expect([app.ended(), heldBy(agent)]).toEqual(['signedIn', []])
  })

  it('FT-01 asks a gate again that has let it pass, and honours a refusal', async () => {
    let isBanned = false
    const first = make('first', { check: () => (isBanned ? { refuse: 'banned' } : 'hold') })
    const app = openApp({ strategy: 'database', config: { features: [first, asking] } })
    const agent = app.agent()
    await signIn(app, agent)
    await pass(agent, 'first')
    expect(app.ended()).toBe('held')
    isBanned = true
    await pass(agent, 'ask')
    expect([app.ended(), heldSession(agent), app.rows.users()]).toEqual(['denied', '', []])
  })

  it('FT-03 SF-07 counts the time at which the user proved the identity', async () => {
    const app = openApp({ strategy: 'database', config: { features: [asking], ...withFactor() } })
    const agent = app.agent()
    const proven = app.clock.now() / 1000
    await signIn(app, agent)
    app.clock.advance(500)
    await pass(agent, 'ask')
    expect((await sessionOf(agent))?.['auth_time']).toBe(proven)
  })

  it('FT-03 keeps a profile as the provider sent it', async () => {
    const app = openApp({
      strategy: 'database',
      idp: {
        users: [
          { sub: 'ada', claims: { email: 'ada@example.com', email_verified: false, $date: 5, $$x: 1 } },
        ],
      },
      config: { features: [asking] },
    })
    const agent = app.agent()
    await signIn(app, agent)
    await pass(agent, 'ask')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()[0]?.email).not.toBe('ada@example.com')
    expect(app.events.find(({ event }) => event === 'signIn')?.message).toMatchObject({
      profile: { sub: 'ada', email_verified: false, $date: 5, $$x: 1 },
    })
  })
})

/** A feature whose page passes on a text. */
function make(name: string, gate: Omit<Gate<undefined>, 'description'>): Feature {
  const { outcome, flow } = toolbox()
  const page = flow({
    chart: featureChart({
      id: name,
      description: 'Ask',
      initial: 'checkingCsrf',
      states: {
        checkingCsrf: checkingCsrf('openingHeldSignIn'),
        openingHeldSignIn: openingHeldSignIn('asked'),
        asked: final('The sign-in continues', 'success'),
        lapsed,
        refused,
        faulted,
      },
    }),
    steps: {},
    outcomes: {
      asked: outcome({
        answer: (_, tools) =>
          tools.pass(typeof tools.request.body['text'] === 'string' ? tools.request.body['text'] : ''),
      }),
    },
  })
  return defineFeature<undefined>({
    name,
    title: name,
    routes: { [name]: { methods: ['GET', 'POST'], flow: () => page } },
    gate: { description: 'Check', ...gate },
  })
}

/** Posts to the page of a gate. */
async function pass(agent: Agent, name: string, fields: Readonly<Record<string, string>> = {}) {
  return agent.send(`/auth/${name}`, { form: { csrfToken: await csrfOf(agent), ...fields } })
}
