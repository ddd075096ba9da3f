import {
  anonymous,
  challenged,
  checkingCsrf,
  checkingSession,
  defineFeature,
  faulted,
  type Feature,
  type FeatureDefinition,
  featureChart,
  final,
  nobody,
  recognition,
  refused,
  somebody,
  toolbox,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { describe, expect, it } from 'vitest'
import { enrol, withFactor } from '../support/second-factor.ts'
import { csrfOf, openApp, origin, signIn } from '../support/app.ts'

const { outcome, flow } = toolbox<{ readonly none: never }>()

const color = flow({
  chart: featureChart({
    id: 'color',
    description: 'Show the favourite colour to a user who has signed in recently',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('recognising'),
      recognising: { ...recognition, on: { ...somebody('checkingSession'), ...nobody('anonymous') } },
      checkingSession: checkingSession('shown'),
      shown: final('A page shows the colour', 'success'),
      anonymous,
      challenged,
      refused,
      faulted,
    },
  }),
  steps: {},
  outcomes: {
    shown: outcome({
      needs: ['currentUser'],
      answer: ({ currentUser: { email } }, tools) =>
        tools.show('color', { email: email ?? '', sent: String(tools.request.body['kept'] ?? '') }),
    }),
  },
})

function make(more: Partial<FeatureDefinition> = {}): Feature {
  return defineFeature({
    name: 'color',
    title: 'Favourite colour',
    needsRecentSignIn: true,
    routes: { color: { methods: ['GET', 'POST'], flow: () => color } },
    account: ({ t }) => ({
      heading: t('heading'),
      fields: [{ name: 'kept', label: t('label') }],
      button: t('saveName'),
    }),
    pages: async () => ({
      color: (data, { t, text, form }) => {
        const { email = '', sent = '' } = data as { email?: string; sent?: string }
        const parts = [
          text(t('of'), { email }),
          form({ hidden: { kept: `${sent}<kept>` }, button: t('sendLink') }),
        ]
        return { heading: t('heading'), parts }
      },
    }),
    texts: async () => ({
      en: { heading: 'Your colour', label: 'Colour', of: 'The colour of {email} {other}' },
      de: { heading: 'Ihre Farbe' },
    }),
    ...more,
  })
}

const open = (feature = make(), config: object = {}) =>
  openApp({ strategy: 'database', config: { features: [feature], accountPage: true, ...config } })

const show = async (response: Response) => [response.status, response.headers.get('location')]
const signInPage = `${origin}/auth/signin?error=SessionRequired&callbackUrl=${encodeURIComponent(`${origin}/auth/color`)}`

describe('a change of a feature', () => {
  it('FT-25 is for a user who has signed in within 15 minutes, and others return after they have', async () => {
    const app = openApp({ strategy: 'database', config: { features: [make()] } })
    const agent = app.agent()
    expect(await show(await agent.send('/auth/color'))).toEqual([302, signInPage])
    await signIn(app, agent)
    app.clock.advance(899)
    expect((await agent.send('/auth/color')).status).toBe(200)
    app.clock.advance(2)
    expect(await show(await agent.send('/auth/color'))).toEqual([302, signInPage])
    await signIn(app, agent)
    expect((await agent.send('/auth/color')).status).toBe(200)
    // Another visitor gains nothing by it.
    expect(await show(await app.agent().send('/auth/color'))).toEqual([302, signInPage])
  })

  it('FT-25 needs the second factor, if the user has one', async () => {
    const app = open(make(), withFactor())
    const [agent, other] = [app.agent(), app.agent()]
    await signIn(app, agent)
    await signIn(app, other)
    expect((await other.send('/auth/color')).status).toBe(200)
    await enrol(app, agent)
    expect((await agent.send('/auth/color')).status).toBe(200)
    // The enrolment has ended the other session.
    expect((await other.send('/auth/color')).headers.get('location')).toContain('/auth/signin')
  })

  it('FT-25 names the missing member of a feature that does not ask for it', async () => {
    const app = openApp({
      strategy: 'database',
      config: { features: [make({ needsRecentSignIn: false, account: undefined as never })] },
    })
    const agent = app.agent()
    await signIn(app, agent)
    await agent.send('/auth/color')
    expect(app.errors.map(({ message }) => message)).toEqual([
      'The feature "color" has the state `checkingSession`, and needs `needsRecentSignIn: true`',
    ])
  })
})

describe('the pages of a feature', () => {
  it('FT-26 may load when first shown, and have values that stand out, hidden fields and the texts of the library', async () => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    const html = await (await agent.send('/auth/color')).text()
    expect(html).toContain('<p>The colour of <strong dir="auto">ada@example.com</strong> {other}</p>')
    expect(html).toContain('<input type="hidden" name="kept" value="&lt;kept>"')
    expect(html).toContain('>Send the link</button>')
    const german = await (await agent.send('/auth/color', { headers: { 'accept-language': 'de' } })).text()
    expect(german).toContain('<h1>Ihre Farbe</h1>')
    expect(german).toContain('>Link senden</button>')
  })

  it('FT-26 a form sends what is hidden, once, with the CSRF token', async () => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    const csrfToken = await csrfOf(agent)
    const form = { csrfToken, kept: 'blue' }
    const html = await (await agent.send('/auth/color', { form })).text()
    expect(html).toContain('value="blue&lt;kept>"')
  })

  it('FT-27 the account page has the section of a feature, whose form posts to its route', async () => {
    const app = open(make(), { texts: { en: { 'color.label': 'Your favourite' } } })
    const agent = app.agent()
    await signIn(app, agent)
    const html = await (await agent.send('/auth/account')).text()
    expect(html).toContain('<h2>Your colour</h2>')
    expect(html).toContain(`<form action="${origin}/auth/color" method="POST">`)
    expect(html).toContain('<label class="section-header" for="input-color-kept">Your favourite</label>')
    const forms = [...html.matchAll(/<form action="([^"]+)"/g)].map(([, action]) => action)
    expect(forms.filter((action) => action?.endsWith('/color'))).toHaveLength(1)
    await testFeature(make())
    await expect(
      testFeature(make({ account: () => ({ action: 'colour', heading: 'Colour', button: 'Save' }) })),
    ).rejects.toThrow('The form on the account page posts to no route of the feature')
    // A site without the feature has no such section.
    const without = openApp({ strategy: 'database', config: { accountPage: true } })
    const other = without.agent()
    await signIn(without, other)
    expect(await (await other.send('/auth/account')).text()).not.toContain('/auth/color')
  })
})
