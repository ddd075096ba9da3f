import {
  admitted,
  admitting,
  anonymous,
  checkingCsrf,
  defineFeature,
  faulted,
  featureChart,
  featureCookie,
  type FeatureRoute,
  final,
  nobody,
  recognition,
  refused,
  somebody,
  toolbox,
  userRecord,
  working,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { describe, expect, it } from 'vitest'
import { terms } from '../../docs/examples/features/terms.ts'
import { type AppOptions, csrfOf, openApp, sessionOf, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { codeOf, enrol, enterCode, withFactor } from '../support/second-factor.ts'
import { heldSession } from '../support/session-cookie.ts'

const { step, outcome, flow } = toolbox<object>()
const stored = userRecord<string>('nickname')
const foreign = featureCookie<string>('terms', { maxAge: 60 })

/** Links the nickname in the form to the signed-in user. */
const linking = flow({
  chart: featureChart({
    id: 'nickname',
    description: 'Choose a nickname and a secret',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('recognising'),
      recognising: { ...recognition, on: { ...somebody('choosing'), ...nobody('anonymous') } },
      choosing: working('Read the form', 'choose', { 'nickname.chosen': 'admitting' }),
      admitting,
      ...admitted,
      anonymous,
      refused,
      faulted,
    },
  }),
  steps: {
    choose: step({
      needs: ['currentUser'],
      says: { 'nickname.chosen': ['identity', 'callbackUrl'] },
      run({ currentUser }, { request: { method, query, body } }) {
        const fields = method === 'GET' ? Object.fromEntries(query) : body
        return {
          type: 'nickname.chosen',
          identity: { id: String(fields['id']), linkTo: currentUser.id, learnt: String(fields['secret']) },
          callbackUrl: '/',
        }
      },
    }),
  },
  outcomes: {
    signedIn: outcome({ answer: (_, tools) => tools.show('done', 'Your nickname is set') }),
    notLinked: outcome({ answer: (_, tools) => tools.show('done', 'The nickname is taken', 422) }),
  },
})

/** Reads a cookie of another feature. */
const spying = flow({
  chart: featureChart({
    id: 'nickname-spy',
    description: 'Read a cookie of another feature',
    initial: 'spying',
    states: {
      spying: working('Read it', 'spy', { 'cookie.read': 'read' }),
      read: final('It was read', 'success'),
      faulted,
    },
  }),
  steps: {
    spy: step({
      says: { 'cookie.read': [] },
      async run(_, tools) {
        await foreign.read(tools)
        return { type: 'cookie.read' }
      },
    }),
  },
  outcomes: { read: outcome({ answer: (_, tools) => tools.show('form') }) },
})

const route = (methods: FeatureRoute['methods']): FeatureRoute => ({ methods, flow: () => linking })
let fails = false
const nickname = defineFeature<undefined>({
  name: 'nickname',
  title: 'Nickname',
  needs: ['getRecord', 'setRecord'],
  routes: {
    nickname: route(['GET', 'POST']),
    'nickname-spy': { methods: ['GET'], flow: () => spying },
    'nickname-form': {
      methods: ['GET'],
      flow: () =>
        flow({
          chart: featureChart({
            id: 'nickname-form',
            description: 'Show a form',
            initial: 'reading',
            states: {
              reading: working('Do nothing', 'read', { 'nothing.read': 'shown' }),
              shown: final('It is shown', 'success'),
              faulted,
            },
          }),
          steps: { read: step({ says: { 'nothing.read': [] }, run: () => ({ type: 'nothing.read' }) }) },
          outcomes: { shown: outcome({ answer: (_, tools) => tools.show('form') }) },
        }),
    },
  },
  signIn: {
    amr: 'pwd',
    async settle(userId, secret, tools) {
      if (fails) throw new Error('the disk is full')
      await stored.update(userId, () => JSON.stringify(secret), tools)
    },
  },
  pages: {
    done: (text, kit) => ({ heading: 'Nickname', parts: [kit.text(JSON.stringify(text))] }),
    form: (_, kit) => ({
      heading: 'Nickname',
      parts: [kit.form({ action: 'nickname-save', button: 'Save' })],
    }),
  },
})

function openSite(options: AppOptions = {}) {
  fails = false
  return openApp({
    strategy: 'database',
    ...options,
    config: { features: [nickname], ...options.config },
  })
}
const choose = async (agent: Agent, id: string, secret: string) =>
  agent.send('/auth/nickname', { form: { csrfToken: await csrfOf(agent), id, secret } })
const recordOf = async ({ store, rows }: ReturnType<typeof openSite>) => {
  const [user] = rows.users()
  return store.getRecord(user?.id ?? '', 'feature-nickname')
}

describe('what a way to sign in has learnt', () => {
  it('FT-07 FT-16 the feature passes the kit', async () => {
    const routes = { nickname: route(['GET', 'POST']) }
    await expect(testFeature({ ...nickname, routes })).resolves.toBeDefined()
    await expect(testFeature(nickname)).rejects.toThrow(
      'A form of the feature "nickname" posts to "nickname-save", for which the site has no POST route',
    )
  })

  it.each(['database', 'jwt-stored'] as const)(
    'FT-16 is stored once the account is (%s)',
    async (strategy) => {
      const app = openSite({ strategy })
      const agent = app.agent()
      await signIn(app, agent)
      const done = await choose(agent, 'ada99', 'secret')
      expect(await done.text()).toContain('Your nickname is set')
      expect([app.ended(), app.errors, app.rows.accounts().length]).toEqual(['signedIn', [], 2])
      expect(await recordOf(app)).not.toBeNull()
    },
  )

  it('FT-16 is not stored if the account belongs to another user, or the session is too old', async () => {
    const app = openSite()
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(901)
    await choose(agent, 'ada99', 'secret')
    expect([app.ended(), await recordOf(app)]).toEqual(['stale', null])
    app.idp.choose('bob')
    const other = app.agent()
    await signIn(app, other)
    await choose(other, 'ada99', 'of bob')
    expect(app.ended()).toBe('signedIn')
    const later = app.agent()
    app.idp.choose('ada')
    await signIn(app, later)
    const taken = await choose(later, 'ada99', 'of ada')
    expect([taken.status, app.ended(), await recordOf(app)]).toEqual([422, 'notLinked', null])
    expect(await taken.text()).toContain('The nickname is taken')
  })

  it('FT-16 is stored after the second factor, as it was proven, and the page is shown', async () => {
    const app = openSite({ config: { ...withFactor({ rememberFor: 86_400 }), features: [nickname] } })
    const owner = app.agent()
    await signIn(app, owner)
    const { secret } = await enrol(app, owner)
    const agent = app.agent()
    await signIn(app, agent)
    await enterCode(agent, codeOf(secret, app.clock.now()), { remember: 'true' })
    app.clock.advance(30)
    await agent.send('/auth/signout', { form: { csrfToken: await csrfOf(agent) } })
    await signIn(app, agent)
    await choose(agent, 'ada99', 'of ada')
    expect([app.ended(), await recordOf(app)]).toEqual(['held', null])
    const thief = app.agent()
    await signIn(app, thief)
    const done = await enterCode(agent, codeOf(secret, app.clock.now()))
    expect([app.ended(), done.headers.get('content-type')]).toEqual(['signedIn', 'text/html'])
    expect(await done.text()).toContain('Your nickname is set')
    expect([app.rows.accounts().length, (await recordOf(app)) !== null]).toEqual([2, true])
  })

  it('FT-09 FT-16 is stored after the gate of another feature, and the page is shown', async () => {
    const features = [nickname, terms({ version: '1', url: '/terms' })]
    const app = openSite({ config: { features } })
    const agent = app.agent()
    await signIn(app, agent)
    await agent.send('/auth/terms', { form: { csrfToken: await csrfOf(agent), accept: 'yes' } })
    const done = await choose(agent, 'ada99', 'secret')
    expect([done.status, app.ended(), app.errors]).toEqual([200, 'signedIn', []])
    expect(await done.text()).toContain('Your nickname is set')
  })

  it('FT-16 gives no session if it cannot be stored', async () => {
    const app = openSite()
    const agent = app.agent()
    await signIn(app, agent)
    const before = heldSession(agent)
    fails = true
    await choose(agent, 'ada99', 'secret')
    expect([app.ended(), heldSession(agent)]).toEqual(['faulted', before])
    expect(app.errors.at(-1)?.cause).toMatchObject({ err: { message: 'the disk is full' } })
    fails = false
    await choose(agent, 'ada99', 'secret')
    expect([app.ended(), (await sessionOf(agent)) !== null]).toEqual(['signedIn', true])
  })
})

describe('a feature', () => {
  it('FT-08 FT-13 admits nobody after a GET', async () => {
    const app = openSite()
    const agent = app.agent()
    await signIn(app, agent)
    await agent.send('/auth/nickname?id=eve&secret=evil')
    expect([app.ended(), app.rows.accounts().length]).toEqual(['faulted', 1])
    expect(app.errors.at(-1)?.message).toContain('admits a user after a GET, which any link can cause')
  })

  it('FT-06 cannot use the cookies and records of another feature', async () => {
    const app = openSite()
    await app.agent().send('/auth/nickname-spy')
    expect(app.errors.at(-1)?.cause).toMatchObject({
      err: { message: 'The feature "nickname" cannot use "terms". Begin the name with "nickname-"' },
    })
  })
})
