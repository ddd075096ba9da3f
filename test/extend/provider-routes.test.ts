import {
  anonymous,
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  featureChart,
  final,
  nobody,
  type PageKit,
  recognition,
  refused,
  somebody,
  toolbox,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { describe, expect, it } from 'vitest'
import { csrfOf, openApp, origin, signIn } from '../support/app.ts'

const { outcome, flow } = toolbox()

const consent = flow({
  chart: featureChart({
    id: 'consent',
    description: 'Show what the site gets from a provider',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('recognising'),
      recognising: { ...recognition, on: { ...somebody('shown'), ...nobody('anonymous') } },
      shown: final('A page shows it', 'success'),
      anonymous,
      refused,
      faulted,
    },
  }),
  steps: {},
  outcomes: {
    shown: outcome({
      answer: (_, { request, show }) => show('consent', `${request.method} ${request.provider}`),
    }),
  },
})

const provider = { id: 'idp', name: 'Idp', type: 'oidc', issuer: 'https://idp.test' } as const
const other = { ...provider, id: 'other', clientId: 'other', clientSecret: 'secret' }

function make(providers: readonly string[] = ['idp'], form: (kit: PageKit) => object = () => ({})): Feature {
  return defineFeature({
    name: 'consent',
    title: 'Consent',
    routes: { consent: { methods: ['GET', 'POST'], providers, flow: () => consent } },
    pages: {
      consent: (data, kit) => ({
        heading: typeof data === 'string' ? data : '',
        parts: [kit.form({ button: 'Agree', ...form(kit) })],
      }),
    },
  })
}

const open = (feature = make()) =>
  openApp({
    strategy: 'database',
    providers: [{ ...provider, clientId: 'client', clientSecret: 'client-secret' }, other],
    config: { features: [feature] },
  })

async function visit(feature: Feature, path = '/auth/consent/idp') {
  const app = open(feature)
  const agent = app.agent()
  await signIn(app, agent)
  const response = await agent.send(path)
  return { app, agent, response, html: await response.text() }
}

describe('a route of a feature with providers', () => {
  it('FT-21 has the id of one of them in its path, which the flow gets', async () => {
    const { agent, response, html } = await visit(make())
    expect(response.status).toBe(200)
    expect(html).toContain('<h1>GET idp</h1>')
    expect((await agent.send('/auth/consent/idp/')).status).toBe(200)
    for (const end of ['', '/', '/other', '/nobody', '/idp/idp', '/%69dp'])
      expect((await agent.send(`/auth/consent${end}`)).status, end).toBe(404)
    expect((await agent.send('/auth/consent/idp', { method: 'PUT' })).status).toBe(405)
  })

  it('FT-21 has forms that post to the same path, unless they name a route', async () => {
    const { agent, html } = await visit(make())
    expect(html).toContain(`<form action="${origin}/auth/consent/idp" method="POST">`)
    const form = { csrfToken: await csrfOf(agent) }
    expect(await (await agent.send('/auth/consent/idp', { form })).text()).toContain('<h1>POST idp</h1>')
    const two = make(['idp', 'other'], () => ({ action: 'consent/other' }))
    expect((await visit(two)).html).toContain(`<form action="${origin}/auth/consent/other" method="POST">`)
    for (const action of ['consent', 'consent/nobody']) {
      const { app } = await visit(make(['idp', 'other'], () => ({ action })))
      expect(app.errors[0]?.message).toBe(
        `A form of the feature "consent" posts to "${action}", for which the site has no POST route`,
      )
    }
  })

  it('FT-21 is where a user returns who signs in for it', async () => {
    const response = await open().agent().send('/auth/consent/idp')
    const target = encodeURIComponent(`${origin}/auth/consent/idp`)
    expect(response.headers.get('location')).toBe(
      `${origin}/auth/signin?error=SessionRequired&callbackUrl=${target}`,
    )
  })

  it('FT-05 FT-21 names a provider that the site does not have, and other faults', async () => {
    const messageOf = async (providers: unknown) => {
      const app = open(make(providers as string[]))
      expect((await app.agent().send('/auth/consent/idp')).status).toBe(500)
      return app.errors[0]?.message
    }
    expect(await messageOf(['idp', 'idq'])).toBe(
      'The feature "consent": the route "consent" names the provider "idq", which the site does not have',
    )
    for (const [providers, shown] of [
      ['idp', 'a value of type string'],
      [[], 'an empty list'],
      [[undefined], 'a list with other values'],
    ] as const)
      expect(await messageOf(providers)).toContain(
        `The feature "consent": \`providers\` of the route "consent" must be a list of at least one id, got ${shown}`,
      )
  })

  it.each([
    ['gate', { description: 'Ask', check: () => 'hold' }],
    ['signIn', { amr: 'sms', form: () => ({ button: 'Agree' }) }],
  ])('FT-05 FT-21 is not the one to which a %s leads', async (member, value) => {
    const app = open(defineFeature({ ...make(), [member]: value }))
    expect((await app.agent().send('/auth/session')).status).toBe(500)
    expect(app.errors[0]?.message).toBe(
      'The feature "consent": its gate and its form lead to the route "consent", which therefore cannot have `providers`',
    )
  })

  it('FT-21 gives a gate no provider, whatever the path of the sign-in', async () => {
    const seen: unknown[] = []
    const asking = defineFeature({
      name: 'ask',
      title: 'Ask',
      gate: {
        description: 'Ask',
        check: (_, { request }) => {
          seen.push(request.provider)
          return 'pass'
        },
      },
    })
    const app = open(asking)
    await signIn(app, app.agent())
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })

  it('FT-21 is not found for a provider that lacks its client id, and the site works', async () => {
    const idp = { ...provider, clientId: 'client', clientSecret: 'client-secret' }
    const incomplete = { ...other, clientId: undefined }
    const app = openApp({
      providers: [idp, incomplete],
      config: { features: [make(['idp', 'other'])] },
    })
    expect((await app.agent().send('/auth/consent/other')).status).toBe(404)
    expect((await app.agent().send('/auth/consent/idp')).status).toBe(302)
  })

  it('FT-07 FT-21 is tested with the providers that the test gives', async () => {
    const report = await testFeature(make(['other']), { providers: [other] })
    expect(report.flows).toEqual(['consent'])
    await expect(testFeature(make(['other']))).rejects.toThrow('which the site does not have')
  })
})

it('FT-22 a form asks for digits of a code, and has a button that is less prominent', async () => {
  const form = () => ({
    fields: [
      {
        name: 'code',
        label: 'Code',
        inputMode: 'numeric' as const,
        autocomplete: 'one-time-code',
        autofocus: true,
      },
    ],
    button: 'Go',
    isSecondary: true,
  })
  const { html } = await visit(make(['idp'], form))
  expect(html).toContain(
    '<input id="input-code" name="code" type="text" required autocomplete="one-time-code" inputmode="numeric" autofocus spellcheck="false"/>',
  )
  expect(html).toContain('<button type="submit" class="secondary">Go</button>')
})

it('FT-22 a form has a minimum length, and the name of a user for password managers', async () => {
  const form = () => ({
    username: { name: 'email', value: '"ada"@example.com' },
    fields: [
      { name: 'secret', label: 'Secret', type: 'password', autocomplete: 'new-password', minLength: 15 },
    ],
  })
  const { html } = await visit(make(['idp'], form))
  expect(html).toContain(
    '<input type="hidden" name="email" value="&quot;ada&quot;@example.com" autocomplete="username"/>',
  )
  expect(html).toContain(
    '<input id="input-secret" name="secret" type="password" required autocomplete="new-password" minlength="15"/>',
  )
})
