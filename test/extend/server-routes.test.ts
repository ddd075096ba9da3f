import {
  admitted,
  admitting,
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  featureChart,
  featureCookie,
  type FeatureFlow,
  final,
  nobody,
  recognition,
  refused,
  somebody,
  toolbox,
  working,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { expect, it } from 'vitest'
import { openApp, signIn } from '../support/app.ts'

const seenCookie = featureCookie<string>('hook-seen', { maxAge: 60 })
const { step, outcome, flow } = toolbox<{ readonly signed: string }>()

/** Accepts a message of another server, which sends a secret. */
const receive = flow({
  chart: featureChart({
    id: 'hook',
    description: 'Receive a message of another server',
    initial: 'reading',
    states: {
      reading: working('Check the secret', 'readMessage', {
        'message.signed': 'recognising',
        'message.forged': 'rejected',
      }),
      recognising: { ...recognition, on: { ...somebody('known'), ...nobody('received') } },
      received: final('The message is received', 'success'),
      known: final('The message has a session, which a server does not have', 'success'),
      rejected: final('The message is forged', 'refusal'),
      faulted,
    },
  }),
  steps: {
    readMessage: step({
      says: { 'message.signed': ['signed'], 'message.forged': [] },
      async run(_, tools) {
        const { secret, write } = tools.request.body
        if (secret !== 'the secret') return { type: 'message.forged' }
        if (write === 'yes') await seenCookie.write('x', tools)
        return { type: 'message.signed', signed: (await seenCookie.read(tools)) ?? 'no cookie' }
      },
    }),
  },
  outcomes: {
    received: outcome({ needs: ['signed'], answer: ({ signed }, tools) => tools.show('text', signed) }),
    known: outcome({ answer: (_, tools) => tools.show('text', 'somebody') }),
    rejected: outcome({ answer: (_, tools) => tools.show('text', 'forged', 403) }),
  },
})

const makeHook = (flowOfRoute: () => FeatureFlow = () => receive): Feature =>
  defineFeature({
    name: 'hook',
    title: 'Messages of another server',
    routes: {
      hook: { methods: ['POST'], caller: 'server', flow: flowOfRoute },
      'hook-page': { methods: ['GET', 'POST'], flow: () => planting },
    },
    pages: {
      text: (data, { text }) => ({ heading: 'Hook', parts: [text(typeof data === 'string' ? data : '')] }),
    },
  })

/** Sets the cookie in a browser. */
const planting = flow({
  chart: featureChart({
    id: 'hook-page',
    description: 'Set a cookie',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('planting'),
      planting: working('Set the cookie', 'plant', { 'cookie.planted': 'planted' }),
      planted: final('The cookie is set', 'success'),
      refused,
      faulted,
    },
  }),
  steps: {
    plant: step({
      says: { 'cookie.planted': [] },
      async run(_, tools) {
        await seenCookie.write('planted', tools)
        return { type: 'cookie.planted' }
      },
    }),
  },
  outcomes: { planted: outcome({ answer: (_, tools) => tools.show('text', 'planted') }) },
})

it('FT-28 a server sends no CSRF token, and the session and the cookies of a browser are not seen', async () => {
  const app = openApp({ config: { features: [makeHook()] } })
  const [browser, server] = [app.agent(), app.agent()]
  await signIn(app, browser)
  await browser.send('/auth/hook-page')
  for (const agent of [server, browser]) {
    const response = await agent.send('/auth/hook', { form: { secret: 'the secret' } })
    expect([response.status, (await response.text()).includes('no cookie')]).toEqual([200, true])
    expect(response.headers.getSetCookie()).toEqual([])
    expect((await agent.send('/auth/hook', { form: { secret: 'guess' } })).status).toBe(403)
    expect((await agent.send('/auth/hook')).status).toBe(405)
  }
})

it('FT-28 setting a cookie is a fault, and so is a flow that signs in', async () => {
  const signingIn = flow({
    chart: featureChart({
      id: 'hook-in',
      description: 'Sign in every caller',
      initial: 'arriving',
      states: {
        arriving: working('Name a user', 'arrive', { 'user.named': 'admitting' }),
        admitting,
        ...admitted,
        faulted,
      },
    }),
    steps: {
      arrive: step({
        says: { 'user.named': ['identity'] },
        run: () => ({ type: 'user.named', identity: { id: 'ada' } }),
      }),
    },
    outcomes: {},
  })
  const app = openApp({ strategy: 'database', config: { features: [makeHook()] } })
  await app.agent().send('/auth/hook', { form: { secret: 'the secret', write: 'yes' } })
  expect(app.errors.map(({ cause }) => String((cause as { err?: Error }).err))).toEqual([
    'TypeError: A route that a server calls cannot set cookies',
  ])
  const other = openApp({
    strategy: 'database',
    config: { features: [{ ...makeHook(() => signingIn), signIn: { amr: 'user' } }] },
  })
  const response = await other.agent().send('/auth/hook', { form: {} })
  expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
  expect(other.errors.map(({ message }) => message)).toEqual([
    'The flow "hook-in" of the feature "hook" signs users in, so its route cannot have `caller: \'server\'`',
  ])
})

it('FT-05 FT-28 the testing kit accepts a route of servers without a CSRF check', async () => {
  await testFeature(makeHook())
})
