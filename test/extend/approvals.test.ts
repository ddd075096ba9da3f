import {
  admitted,
  admitting,
  anonymous,
  approving,
  challenged,
  checkingCsrf,
  defineFeature,
  faulted,
  featureChart,
  final,
  nobody,
  recognition,
  refused,
  somebody,
  toolbox,
  working,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '../../src/types/adapter.ts'
import { type AppOptions, openApp, sessionOf, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { post } from '../support/device.ts'
import { heldSession } from '../support/session-cookie.ts'

const { step, outcome, flow } = toolbox<object>()

const lendFlow = flow({
  chart: featureChart({
    id: 'lend',
    description: 'Show an approval',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('recognising'),
      recognising: { ...recognition, on: { ...somebody('approving'), ...nobody('anonymous') } },
      approving: approving('approved'),
      approved: final('The page shows the approval', 'success'),
      anonymous,
      challenged,
      refused,
      faulted,
    },
  }),
  steps: {},
  outcomes: {
    approved: outcome({ needs: ['approval'], answer: ({ approval }, { json }) => json({ approval }, 201) }),
  },
})

const borrowFlow = flow({
  chart: featureChart({
    id: 'borrow',
    description: 'Sign in with an approval, or with an account',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('reading'),
      reading: working('Read the form', 'read', { 'form.read': 'admitting' }),
      admitting,
      ...admitted,
      refused,
      faulted,
    },
  }),
  steps: {
    read: step({
      says: { 'form.read': ['identity'] },
      run(_, { request: { body } }) {
        const { approval, account } = body
        return {
          type: 'form.read',
          identity:
            typeof account === 'string'
              ? { id: account, mustExist: body['new'] !== 'true' }
              : { approval: String(approval) },
        }
      },
    }),
  },
  outcomes: {},
})

/** A feature that hands out approvals, and signs in with them. */
const make = (name = 'lend') =>
  defineFeature({
    name,
    title: 'Lend',
    routes: {
      [name]: { methods: ['GET', 'POST'], flow: () => lendFlow },
      [`${name}-borrow`]: { methods: ['POST'], flow: () => borrowFlow },
    },
    signIn: { amr: 'mca' },
  })

async function open(options: AppOptions = {}) {
  const features = [make('lend'), make('other')]
  const app = openApp({ strategy: 'database', ...options, config: { features, ...options.config } })
  const owner = app.agent()
  await signIn(app, owner)
  return { app, owner, user: app.rows.users()[0] ?? expect.fail() }
}

async function approve(owner: Agent, name = 'lend'): Promise<string> {
  const response = await post(owner, name)
  return String(Object(await response.json()).approval)
}

describe('an approval', () => {
  it('FT-07 FT-18 passes the kit', async () => {
    await testFeature(make())
  })

  it('FT-18 signs in its user once', async () => {
    const { app, owner, user } = await open()
    const approval = await approve(owner)
    expect(approval).not.toContain(user.id)
    const [first, second] = [app.agent(), app.agent()]
    await post(first, 'lend-borrow', { approval })
    expect([app.ended(), await sessionOf(first)]).toMatchObject([
      'signedIn',
      { user: { email: 'ada@example.com' } },
    ])
    await post(second, 'lend-borrow', { approval })
    expect([app.ended(), heldSession(second)]).toEqual(['denied', ''])
    expect([app.rows.users().length, app.rows.accounts().length, app.rows.tokens()]).toEqual([1, 1, []])
  })

  it('FT-18 works in its feature and its site only', async () => {
    const { app, owner } = await open()
    const agent = app.agent()
    const approval = await approve(owner)
    await post(agent, 'other-borrow', { approval })
    expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
    for (const text of ['', 'x', approval.slice(1), `${approval}x`]) {
      await post(agent, 'lend-borrow', { approval: text })
      expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
    }
    const features = [make('lend')]
    const elsewhere = openApp({
      strategy: 'jwt-stored',
      wrap: () => app.store,
      config: { features, jwt: { audience: 'elsewhere' } },
    })
    await post(elsewhere.agent(), 'lend-borrow', { approval })
    expect(elsewhere.ended()).toBe('denied')
    await post(agent, 'lend-borrow', { approval })
    expect(app.ended()).toBe('signedIn')
  })

  it('FT-18 expires after ten minutes', async () => {
    const { app, owner } = await open()
    const [early, late] = [await approve(owner), await approve(owner)]
    app.clock.advance(599)
    await post(app.agent(), 'lend-borrow', { approval: early })
    expect(app.ended()).toBe('signedIn')
    app.clock.advance(2)
    await post(app.agent(), 'lend-borrow', { approval: late })
    expect(app.ended()).toBe('denied')
  })

  it('FT-18 needs a POST with the CSRF token', async () => {
    const { app, owner } = await open()
    await owner.send('/auth/lend')
    expect([app.ended(), app.rows.tokens()]).toEqual(['faulted', []])
    expect(String(Object(app.errors[0]).message)).toContain('approves a sign-in after a GET')
    await owner.send('/auth/lend', { form: {} })
    expect([app.ended(), app.rows.tokens()]).toEqual(['refused', []])
    await post(app.agent(), 'lend')
    expect(app.ended()).toBe('anonymous')
  })

  it('FT-18 is not given to a session that ends at the same time', async () => {
    let isEnding = false
    const wrap = (adapter: Adapter): Adapter => ({
      ...adapter,
      async getRecord(userId, name) {
        // A revocation renews the stamp, and then ends the sessions.
        if (isEnding) await adapter.deleteSessionsByUserId?.(userId)
        return (await adapter.getRecord?.(userId, name)) ?? null
      },
    })
    const { app, owner } = await open({ wrap })
    isEnding = true
    await post(owner, 'lend')
    expect([app.ended(), app.rows.tokens()]).toEqual(['anonymous', []])
  })

  it('FT-18 can be used again if the store failed before', async () => {
    let fails = false
    const wrap = (adapter: Adapter): Adapter => ({
      ...adapter,
      async getUser(id) {
        if (fails) throw new Error('the store is down')
        return (await adapter.getUser?.(id)) ?? null
      },
    })
    const { app, owner } = await open({ wrap })
    const approval = await approve(owner)
    fails = true
    const agent = app.agent()
    await post(agent, 'lend-borrow', { approval })
    expect([app.ended(), heldSession(agent)]).toEqual(['faulted', ''])
    fails = false
    await post(agent, 'lend-borrow', { approval })
    expect(app.ended()).toBe('signedIn')
  })

  it.each(['getRecord', 'useVerificationToken', 'getUser'] as const)(
    'FT-18 says that it needs an adapter with %s',
    async (operation) => {
      const wrap = ({ [operation]: _missing, ...adapter }: Adapter): Adapter => adapter
      const { app, owner } = await open({ wrap, config: { features: [make()] } })
      await post(owner, 'lend')
      expect(app.ended()).toBe('faulted')
      expect(String(Object(app.errors[0]).message)).toContain(`needs an adapter with ${operation}`)
    },
  )
})

describe('a sign-in whose account must exist', () => {
  it('FT-19 creates no user', async () => {
    const { app } = await open()
    const agent = app.agent()
    await post(agent, 'lend-borrow', { account: 'bob' })
    expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
    expect([app.rows.users().length, app.rows.accounts().length]).toEqual([1, 1])
    await post(agent, 'lend-borrow', { account: 'bob', new: 'true' })
    expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
    const later = app.agent()
    await post(later, 'lend-borrow', { account: 'bob' })
    expect([app.ended(), app.rows.users().length]).toEqual(['signedIn', 2])
  })

  it('FT-19 signs nobody in without an adapter', async () => {
    const app = openApp({ strategy: 'jwt', config: { features: [make()] } })
    const agent = app.agent()
    await post(agent, 'lend-borrow', { account: 'bob' })
    expect([app.ended(), heldSession(agent)]).toEqual(['denied', ''])
  })
})
