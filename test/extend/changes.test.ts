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
import { describe, expect, it, vi } from 'vitest'
import { drawQrCode } from '../../src/pages/qr-code.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { tracer } from '../../src/types/symbols.ts'
import type { TracedEnd, Tracer } from '../../src/types/trace.ts'
import { findAll } from '../pages/read-html.ts'
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
        tools.show('color', { email: email ?? '', sent: readText(tools.request.body['kept']) }),
    }),
  },
})

const readText = (value: unknown) => (typeof value === 'string' ? value : '')

function make(more: Partial<FeatureDefinition> = {}): Feature {
  return defineFeature({
    name: 'color',
    title: 'Favourite colour',
    needsRecentSignIn: true,
    routes: { color: { methods: ['GET', 'POST'], flow: () => color } },
    account: (_, { t, form }) => ({
      heading: t('heading'),
      parts: [form({ fields: [{ name: 'kept', label: t('label') }], button: t('sendLink') })],
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
      'The feature "color" uses the state `checkingSession`. Set `needsRecentSignIn: true` in the feature.',
    ])
    await expect(testFeature(make({ needsRecentSignIn: false }))).rejects.toThrow(
      'color: It uses `checkingSession`. Set `needsRecentSignIn: true` in the feature',
    )
  })
})

describe('the pages of a feature', () => {
  it('FT-26 may load when first shown, and have values that stand out, hidden fields and the texts of the library', async () => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    const html = await (await agent.send('/auth/color')).text()
    expect(html).toContain('<p>The colour of <strong dir="ltr">ada@example.com</strong> {other}</p>')
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

  it('FT-29 may have lists, sections, dates, fields of the same name, and accessible names', async () => {
    const pages: FeatureDefinition['pages'] = {
      color: (_, { text, list, section, form }) => {
        const rename = (shade: string, accessibleName: string) =>
          form({
            fields: [{ name: 'shade', label: '{of}', values: { of: shade }, accessibleName, maxLength: 9 }],
            button: 'Save',
            accessibleName: `Save ${shade}`,
          })
        return {
          heading: 'Shades',
          parts: [
            list([
              [
                text('Since {start}', { start: new Date(Date.UTC(2030, 0, 31, 18, 5)) }),
                rename('<red>', 'Red'),
              ],
              [undefined, rename('blue', 'Blue')],
            ]),
            section('Danger', [undefined, form({ button: 'Delete' })], { isDangerous: true }),
          ],
        }
      },
    }
    const app = open(make({ pages }))
    const agent = app.agent()
    await signIn(app, agent)
    const headers = { 'accept-language': 'de' }
    const html = await (await agent.send('/auth/color', { headers })).text()
    expect(html).toMatch(/<time datetime="2030-01-31T18:05:00.000Z">31\. Januar 2030[^<]* UTC<\/time>/)
    const items = [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) => item)
    expect(items).toHaveLength(2)
    const elements = [
      [
        'label',
        'section-header',
        'input-shade',
        '<strong dir="auto">&lt;red></strong>',
        'Red',
        'Save &lt;red>',
      ],
      ['label', 'section-header', 'input-shade-2', '<strong dir="auto">blue</strong>', 'Blue', 'Save blue'],
    ]
    for (const [n, [tag, className, id, label, name, button]] of elements.entries()) {
      expect(items[n]).toContain(`<${tag} class="${className}" for="${id}">${label}</${tag}>`)
      expect(items[n]).toContain(
        `<input id="${id}" name="shade" type="text" required maxlength="9" aria-label="${name}"/>`,
      )
      expect(items[n]).toContain(`<button type="submit" aria-label="${button}">Save</button>`)
    }
    expect(html).toContain('<section><h2>Danger</h2><div class="danger"><form')
  })

  it('FT-30 have forms that post to routes of the site, and name those that do not', async () => {
    const show = async (action: string) => {
      const pages: FeatureDefinition['pages'] = {
        color: (_, { form }) => ({ heading: 'Colour', parts: [form({ action, button: 'Go' })] }),
      }
      const app = open(make({ pages }))
      const agent = app.agent()
      await signIn(app, agent)
      const html = await (await agent.send('/auth/color')).text()
      return app.errors[0]?.message ?? /<form action="([^"]+)"/.exec(html)?.[1]
    }
    for (const action of ['color', 'account', 'signout', 'signin/idp'])
      expect(await show(action)).toBe(`${origin}/auth/${action}`)
    const missing = ['factor', 'signin/nobody', 'signin/..', 'signin/../../elsewhere', 'color/extra', '']
    for (const action of ['colour', 'csrf', 'toString', ...missing])
      expect(await show(action)).toBe(
        `A form of the feature "color" posts to "${action}", for which the site has no POST route`,
      )
  })

  it('FT-33 show a text as a QR code, unless it is too long', async () => {
    const show = async (text: string) => {
      const pages: FeatureDefinition['pages'] = {
        color: async (_, { qrCode }) => ({ heading: 'Colour', parts: [await qrCode(text)] }),
      }
      const app = open(make({ pages }))
      const agent = app.agent()
      await signIn(app, agent)
      const page = await agent.send('/auth/color')
      expect([app.errors, page.headers.get('content-security-policy')]).toEqual([
        [],
        expect.not.stringContaining('script-src'),
      ])
      return findAll(await page.text(), 'path').map((path) => path.get('d'))
    }
    const url = 'https://app.example/device'
    expect(await show(url)).toEqual([(await drawQrCode(url))?.path])
    expect(await show('x'.repeat(1001))).toEqual([])
  })

  it('FT-30 have links to routes, paths and URLs, and name links to routes that do not exist', async () => {
    const show = async (to: string) => {
      const pages: FeatureDefinition['pages'] = {
        color: (_, { link }) => ({ heading: 'Colour', parts: [link(to, 'Go')] }),
      }
      const app = open(make({ pages }))
      const agent = app.agent()
      await signIn(app, agent)
      const html = await (await agent.send('/auth/color')).text()
      return app.errors[0]?.message ?? /<p>(?:<a class="site" href="([^"]+)">)?Go</.exec(html)?.[1]
    }
    for (const route of ['color', 'account', 'signout', 'signin'])
      expect(await show(route)).toBe(`${origin}/auth/${route}`)
    for (const url of ['/terms', 'https://app.example/terms']) expect(await show(url)).toBe(url)
    for (const text of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'read the terms', ''])
      expect(await show(text)).toBeUndefined()
    for (const missing of ['colour', 'color/extra', 'signin/idp', 'toString'])
      expect(await show(missing)).toBe(
        `A link of the feature "color" leads to "${missing}", for which the site has no GET route`,
      )
  })

  it.each([
    ['throws', () => Promise.reject(new Error('boom'))],
    ['throws at once', () => expect.fail('boom')],
  ])('FT-31 end the run with a fault, and show the error page, if one %s', async (_, fail) => {
    const ends: TracedEnd[] = []
    const traced: Tracer = {
      find: () => undefined,
      begin: () => ({ id: undefined, hop() {}, end: (end) => void ends.push(end) }),
    }
    const app = open(make({ pages: { color: fail } }), { [tracer]: traced })
    const agent = app.agent()
    await signIn(app, agent)
    ends.length = 0
    const html = { accept: 'text/html,application/xhtml+xml;q=0.9' }
    for (const sent of [{ headers: html }, { headers: html, form: { csrfToken: await csrfOf(agent) } }]) {
      const page = await agent.send('/auth/color', sent)
      expect(page.status).toBe(500)
      expect(page.headers.get('content-type')).toMatch(/^text\/html/)
      expect(await page.text()).not.toContain('boom')
    }
    const json = await agent.send('/auth/color')
    expect([json.status, json.headers.get('content-type')]).toEqual([500, 'application/json'])
    expect(ends.map(({ ending, error }) => [ending, error?.message])).toEqual(
      Array.from({ length: 3 }, () => ['fault', 'boom']),
    )
    expect(app.errors.map(({ message }) => message)).toEqual(['boom', 'boom', 'boom'])
    const own = open(make({ pages: { color: fail } }), { pages: { error: '/problem' } })
    const other = own.agent()
    await signIn(own, other)
    const { status, headers } = await other.send('/auth/color', { headers: html })
    expect([status, headers.get('location')]).toEqual([302, `${origin}/problem?error=Configuration`])
  })

  it('FT-29 have ids that are unique, whatever the names of fields', async () => {
    const pages: FeatureDefinition['pages'] = {
      color: (_, { form }) => ({
        heading: 'Colour',
        parts: [form({ fields: ['a', 'a', 'a-2'].map((name) => ({ name, label: name })), button: 'Go' })],
      }),
    }
    const app = open(make({ pages }))
    const agent = app.agent()
    await signIn(app, agent)
    const html = await (await agent.send('/auth/color')).text()
    const ids = [...html.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual(['input-a', 'input-a-2', 'input-a-2-2'])
  })

  it('DEC-34 FI-02 have the deadline of a step', async () => {
    let isAsked = false
    const texts = () => {
      isAsked = true
      return new Promise<never>(() => {})
    }
    const app = open(make({ texts }))
    const agent = app.agent()
    await signIn(app, agent)
    const pending = agent.send('/auth/color')
    await vi.waitUntil(() => isAsked)
    app.clock.advance(30)
    expect((await pending).status).toBe(500)
    expect(app.errors.at(-1)?.message).toContain('showing color took longer than 30000 milliseconds')
  })

  it('FT-27 the account page has the section of a feature, whose form posts to its route', async () => {
    const app = open(make(), { texts: { en: { 'color.label': 'Your favourite' } } })
    const agent = app.agent()
    await signIn(app, agent)
    const html = await (await agent.send('/auth/account')).text()
    expect(html).toContain('<h2>Your colour</h2>')
    expect(html).toContain(`<form action="${origin}/auth/color" method="POST">`)
    expect(html).toContain('<label class="section-header" for="input-kept">Your favourite</label>')
    const forms = [...html.matchAll(/<form action="([^"]+)"/g)].map(([, action]) => action)
    expect(forms.filter((action) => action?.endsWith('/color'))).toHaveLength(1)
    await testFeature(make())
    await expect(
      testFeature(
        make({
          account: (_, { form }) => ({
            heading: 'Colour',
            parts: [form({ action: 'colour', button: 'Save' })],
          }),
        }),
      ),
    ).rejects.toThrow('A form of the feature "color" posts to "colour", for which the site has no POST route')
    const account = () => {
      throw new Error('boom')
    }
    await expect(testFeature(make({ account }))).rejects.toThrow('The account page has status 500: boom')
    const broken = open(make({ account }))
    const browser = broken.agent()
    await signIn(broken, browser)
    expect((await browser.send('/auth/account')).status).toBe(500)
    const message = 'The section of the feature "color" on the account page: boom'
    expect(broken.errors.map((error) => error.message)).toEqual([message])
    // A site without the feature has no such section.
    const without = openApp({ strategy: 'database', config: { accountPage: true } })
    const other = without.agent()
    await signIn(without, other)
    expect(await (await other.send('/auth/account')).text()).not.toContain('/auth/color')
  })

  it('FT-27 a section shows what the feature has stored about this user, and nobody else sees it', async () => {
    const config = { accountPage: true, features: [terms({ version: '2026-11', url: '/terms' })] }
    const app = openApp({ strategy: 'database', config })
    const [ada, bob] = [app.agent(), app.agent()]
    await signIn(app, ada)
    const form = { csrfToken: await csrfOf(ada), accept: 'yes' }
    await ada.send('/auth/terms', { form })
    expect(await (await ada.send('/auth/account')).text()).toMatch(
      /You have accepted version <strong[^>]*>2026-11</,
    )
    const [user] = app.rows.users()
    await app.store.deleteRecord(String(user?.id), 'feature-terms')
    const html = await (await ada.send('/auth/account')).text()
    expect(html).toContain('Signed in as')
    expect(html).not.toContain('Terms of service')
    await bob.send('/auth/account')
    expect((await bob.send('/auth/account')).headers.get('location')).toContain('/auth/signin')
    expect(app.errors).toEqual([])
  })
})
