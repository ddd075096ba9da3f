import { openApp } from '../support/app.ts'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ShownAccount } from '../../src/features/account-page/pages.ts'
import type { ShownCodes } from '../../src/features/second-factor/pages.ts'
import { pageStatus } from '../../src/pages/error-text.ts'
import type { ErrorPage } from '../../src/pages/page.ts'
import type { PageLocale } from '../../src/types/page-texts.ts'
import { renderLocalised, renderPage } from '../../src/pages/render-page.ts'
import { findAll, readHtml, readText } from './read-html.ts'
import { createSample, createSamples } from './feature-samples.ts'
import { base, everyPageIn, origin, pages, passkey, provider, signInPage } from './samples.ts'

describe('every page', () => {
  it('WIR-061 uses the documented page structure, with its title', async () => {
    const headings: string[][] = []
    for (const page of pages) {
      const { html } = await renderPage(page, {})
      const [, heading = ''] = /<h1>([^<]+)<\/h1>/.exec(html) ?? []
      headings.push([page.page, heading])
      expect(html).toContain(`<title>${heading}</title>`)
      expect(html).toContain(`<div class="page"><div class="${page.page}"><div class="card">`)
      expect(findAll(html, 'html')[0]?.get('lang')).toBe('en')
      expect(findAll(html, 'main').length).toBe(1)
      expect(findAll(html, 'h1').length).toBe(1)
    }
    expect(headings).toEqual([
      ['signin', 'Sign in'],
      ['signin', 'Sign in'],
      ['signout', 'Sign out'],
      ['error', 'Error'],
      ['error', 'Server error'],
      ['error', 'Access denied'],
      ['error', 'Unable to sign in'],
      ['error', 'Unable to sign in'],
      ['error', 'Error'],
      ['verify-request', 'Check your email'],
    ])
  })

  it('WIR-061 has unique ids', async () => {
    const twice = {
      ...signInPage,
      providers: [
        ...signInPage.providers,
        provider('mail2', 'email'),
        provider('pin', 'credentials', { credentials: { pin: {} } }),
      ],
    }
    for (const page of [...pages, twice]) {
      const ids = findAll((await renderPage(page, {})).html).flatMap((found) => found.get('id') ?? [])
      expect(ids).toEqual([...new Set(ids)])
    }
  })

  it('DEC-32a works under a policy that forbids scripts and inline styles, with one style sheet', async () => {
    for (const page of pages) {
      const { html, sources } = await renderPage(page, { brandColor: '#123456' })
      for (const found of findAll(html)) {
        const active = [...found.keys()].filter((name) => name === 'style' || name.startsWith('on'))
        expect(active).toEqual([])
      }
      expect(findAll(html, 'script')).toEqual([])
      const [style = '', ...more] = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, css]) => css)
      expect(more).toEqual([])
      expect(sources.style).toBe(`sha256-${createHash('sha256').update(style).digest('base64')}`)
    }
  })

  it('DEC-32c loads nothing from another host', async () => {
    const elsewhere = [
      'https://cdn.example/x.svg',
      '//cdn.example/x.svg',
      '/\\cdn.example',
      '/\t/cdn.example',
    ]
    const sources = async (logo: string) => {
      const providers = [provider('p', 'oauth', { style: { logo } })]
      const { html } = await renderPage({ ...signInPage, providers }, {})
      expect(html).not.toMatch(/url\(|@import|<link|<iframe/)
      return findAll(html, 'img').map((image) => image.get('src'))
    }
    for (const logo of [...elsewhere, 'javascript:alert(1)', 'data:text/html,x', 'logo.png', '']) {
      expect([logo, await sources(logo)]).toEqual([logo, []])
    }
    for (const logo of ['/logo.png?v=1', 'data:image/svg+xml,%3Csvg%3E', 'data:image/png;base64,AA==']) {
      expect(await sources(logo)).toEqual([logo])
    }
  })
})

describe('the sign-in page', () => {
  it('WIR-062 posts csrfToken and callbackUrl from every form to the route of its provider type', async () => {
    const { html } = await renderPage(signInPage, {})
    const actions = findAll(html, 'form').map((form) => [form.get('method'), form.get('action')])
    expect(actions).toEqual([
      ['POST', `${base}/signin/github`],
      ['POST', `${base}/signin/google`],
      ['POST', `${base}/signin/mail`],
      ['POST', `${base}/callback/login`],
      ['POST', `${base}/callback/passkey`],
    ])
    const hidden = findAll(html, 'input').filter((input) => input.get('type') === 'hidden')
    expect(hidden.map((input) => [input.get('name'), input.get('value')])).toEqual(
      signInPage.providers.flatMap(() => [
        ['csrfToken', 'c0ffee'],
        ['callbackUrl', 'https://app.example/after'],
      ]),
    )
  })

  it('WIR-062 posts no csrfToken if the check is off', async () => {
    const { html } = await renderPage({ ...signInPage, csrfToken: undefined }, {})
    expect(html).not.toContain('csrfToken')
  })

  it('PRV-003 WIR-061 has a button with the documented class for each oauth provider, labelled with its name', async () => {
    const { html } = await renderPage(signInPage, {})
    const buttons = findAll(html, 'button').filter((button) => button.get('class')?.startsWith('button '))
    expect(buttons.map((button) => button.get('type'))).toEqual(['submit', 'submit'])
    expect(html).toContain('<span>Sign in with GitHub</span>')
    expect(html).toContain('<span>Sign in with Google</span>')
    expect(findAll(html).filter((found) => found.get('class') === 'provider').length).toBe(5)
  })

  it('WIR-061 has the documented inputs and buttons in the other forms', async () => {
    const { html } = await renderPage({ ...signInPage, email: 'ada@example.com' }, {})
    const inputs = findAll(html, 'input').filter((input) => input.get('type') !== 'hidden')
    expect(inputs.map((input) => Object.fromEntries(input))).toMatchObject([
      {
        id: 'input-email-for-mail-provider',
        name: 'email',
        type: 'email',
        required: '',
        value: 'ada@example.com',
        autocomplete: 'email',
      },
      { id: 'input-username-for-login-provider', name: 'username', type: 'text', required: '' },
      { id: 'input-password-for-login-provider', type: 'password', autocomplete: 'current-password' },
      {
        id: 'input-email-for-passkey-provider',
        'data-form-field': 'true',
        autocomplete: 'username webauthn',
      },
    ])
    const ids = findAll(html, 'button').flatMap((button) => button.get('id') ?? [])
    expect(ids).toEqual(['submitButton', 'submitButton-login', 'submitButton-passkey'])
    expect(findAll(html, 'form').at(-1)?.get('id')).toBe('passkey-form')
  })

  it('WIR-062 labels every visible input', async () => {
    const { html } = await renderPage(signInPage, {})
    const seen = findAll(html, 'input').filter((input) => input.get('type') !== 'hidden')
    const labels = findAll(html, 'label').map((label) => [label.get('class'), label.get('for')])
    expect(labels).toEqual(seen.map((input) => ['section-header', input.get('id')]))
    expect(readText(html)).toContain('User name')
  })

  it('WIR-062 offers no credentials or webauthn provider without fields', async () => {
    const providers = [provider('login', 'credentials'), passkey('passkey', {})]
    const { html } = await renderPage({ ...signInPage, providers }, {})
    expect(findAll(html, 'form')).toEqual([])
  })

  it('WIR-062 keeps the configured order, with a rule around forms with inputs', async () => {
    const providers = [provider('mail', 'email'), provider('a', 'oauth'), provider('b', 'oauth')]
    const { html } = await renderPage({ ...signInPage, providers }, {})
    const order = readHtml(html).flatMap((piece) => {
      if (typeof piece === 'string') return []
      return piece.tag === 'hr' ? ['or'] : (piece.attributes.get('action') ?? [])
    })
    expect(order).toEqual([`${base}/signin/mail`, 'or', `${base}/signin/a`, `${base}/signin/b`])
  })

  it('WIR-057 has an explanation for each group of errors, and a fallback', async () => {
    const say = async (error: string | undefined) => {
      const { html } = await renderPage({ ...signInPage, providers: [], error }, {})
      const messages = findAll(html).filter((found) => found.get('role'))
      expect(messages.length).toBe(error ? 1 : 0)
      return readText(html)
    }
    const group = 'Signin OAuthSignin OAuthCallbackError OAuthCreateAccount EmailCreateAccount Callback'
    for (const error of group.split(' ')) expect(await say(error)).toMatch(/another account/)
    expect(await say('OAuthAccountNotLinked')).toMatch(/sign in the way you did the first time/i)
    expect(await say('EmailSignin')).toMatch(/could not be sent/)
    expect(await say('CredentialsSignin')).toMatch(/your details do not match/i)
    expect(await say('SessionRequired')).toMatch(/to see this page/)
    for (const error of ['MissingCSRF', 'AccountNotLinked', 'constructor', '__proto__', '<b>']) {
      expect(await say(error)).toMatch(/could not be signed in/)
    }
    for (const none of ['', undefined])
      expect((await say(none)).trim()).toMatch(/^Sign in\W+Back to\W+app\.example$/)
  })

  it('IL-04 shows no text from the error', async () => {
    const { html } = await renderPage({ ...signInPage, error: 'SELECT * FROM users' }, {})
    expect(html).not.toContain('SELECT')
  })
})

describe('the other pages', () => {
  const errorPage: ErrorPage = {
    page: 'error',
    origin: 'https://app.example',
    signinUrl: `${base}/signin`,
  }

  it('WIR-056 have a status that depends on the kind of error', () => {
    const statusOf = (error?: string) => pageStatus({ ...errorPage, error })
    expect(statusOf('Configuration')).toBe(500)
    expect(statusOf('AccessDenied')).toBe(403)
    expect(statusOf('Verification')).toBe(403)
    expect(statusOf('InvalidCheck')).toBe(400)
    for (const error of [undefined, '', 'Other', 'toString']) expect(statusOf(error)).toBe(200)
    expect(pageStatus(signInPage)).toBe(200)
  })

  it('WIR-061 link from an error to the next step', async () => {
    const links = async (error?: string) => {
      const { html } = await renderPage({ ...errorPage, error }, {})
      return findAll(html, 'a').map((link) => [link.get('class'), link.get('href')])
    }
    for (const error of ['AccessDenied', 'Verification', 'InvalidCheck']) {
      expect(await links(error)).toEqual([
        ['button', `${base}/signin`],
        ['site', origin],
      ])
    }
    for (const error of ['Configuration', 'Other', undefined]) {
      expect(await links(error)).toEqual([['site', origin]])
    }
    expect((await renderPage({ ...errorPage, error: 'Verification' }, {})).html).toContain('class="message"')
  })

  it('IL-04 show no text from the error, and a trace only if there is one', async () => {
    const { html } = await renderPage({ ...errorPage, error: 'SELECT * FROM users' }, {})
    expect(html).not.toContain('SELECT')
    expect(html).not.toContain('<details')
    const traced = await renderPage(
      {
        ...errorPage,
        trace: { url: '/devtools/runs/1', path: ['exchangingCode'] },
      },
      {},
    )
    expect(readText(traced.html)).toContain('exchangingCode')
  })

  it('WIR-056 say that a path has no page', async () => {
    const page = { ...errorPage, isMissing: true } as const
    const { html } = await renderPage(page, {})
    expect(readText(html)).toContain('There is no page at this address.')
    expect(pageStatus(page)).toBe(404)
    const answer = await openApp().agent().send('/auth/nonsense')
    expect([answer.status, readText(await answer.text())]).toEqual([
      404,
      expect.stringContaining('Page not found'),
    ])
  })

  it('WIR-061 show names of options as code in an explanation', async () => {
    const explanation = {
      type: 'MissingSecret',
      sentence: 'Set `secret`.',
      fix: 'Run `npx authmachine secret`, then restart.',
      section: { guide: 'Troubleshooting', heading: 'MissingSecret' },
    } as const
    const { html } = await renderPage({ ...errorPage, explanation }, {})
    expect(html).toContain('<p>Run <code>npx authmachine secret</code>, then restart.</p>')
    expect(html).not.toContain('`')
  })

  it('SF-06 offer recovery codes as a text file', async () => {
    const shown: ShownCodes = { recoveryCodes: ['ab-cd', 'ef gh'], callbackUrl: '/' }
    const page = await createSample(['factor', 'factor-enrolment', 'recovery-codes', shown], null)
    const { html } = await renderPage(page, {})
    const [file] = findAll(html, 'a')
    expect(file?.get('download')).toBe('recovery-codes.txt')
    expect(await (await fetch(file?.get('href') ?? '')).text()).toBe('ab-cd\nef gh\n')
  })

  it('PAG-09 WIR-061 sign out with one button, or cancel', async () => {
    const page = { page: 'signout', origin, action: `${base}/signout` } as const
    const { html } = await renderPage({ ...page, csrfToken: 'c0ffee' }, {})
    expect(findAll(html, 'form')[0]?.get('action')).toBe(`${base}/signout`)
    expect(findAll(html, 'input').map((input) => [input.get('name'), input.get('value')])).toEqual([
      ['csrfToken', 'c0ffee'],
    ])
    expect(findAll(html, 'button')[0]?.get('id')).toBe('submitButton')
    expect(html).toContain('<h1>Sign out</h1>')
    const [cancel, ...others] = findAll(html, 'a')
    expect([cancel?.get('class'), cancel?.get('href')]).toEqual(['button secondary', origin])
    expect(others).toEqual([])
    const open = await renderPage(page, {})
    expect(findAll(open.html, 'input')).toEqual([])
  })

  it('PAG-09 lead back to the site, unless its host is not trusted', async () => {
    for (const page of [...everyPageIn({}), ...(await createSamples({}))]) {
      const { html } = await renderPage(page, {})
      const back = findAll(html, 'a').filter((link) => link.get('href') === origin)
      expect([page.page, back.length]).toEqual([page.page, 1])
    }
    const { html } = await renderPage({ ...errorPage, origin: undefined }, {})
    expect(html).not.toContain('class="back"')
  })

  it('PAG-11 write dates out in the language of the page, with their time zone', async () => {
    const expires = new Date(Date.UTC(2030, 0, 31, 18, 5))
    const account: ShownAccount = {
      userId: 'ada',
      sessions: [{ id: '1', isCurrent: false, expires: expires.getTime() }],
      canEndOthers: false,
    }
    const show = async (locale: PageLocale) => {
      const page = await createSample(['account', 'account', 'account', account], null, { locale })
      const { html } = await renderLocalised(page, { theme: {}, locale, texts: {} })
      expect(findAll(html, 'time')[0]?.get('datetime')).toBe('2030-01-31T18:05:00.000Z')
      return /<time[^>]*>([^<]*)/.exec(html)?.[1]
    }
    expect(await show('en')).toMatch(/^31 January 2030\W.*\b18:05 UTC$/)
    expect(await show('de')).toMatch(/^31\. Januar 2030\W.*\b18:05 UTC$/)
    expect(await show('ar')).toMatch(/^\D*(?:31|٣١) يناير (?:2030|٢٠٣٠)\W.*UTC/)
  })

  it('WIR-061 link from the e-mail confirmation back to the site', async () => {
    const { html } = await renderPage({ page: 'verify-request', origin: 'https://app.example:8443' }, {})
    expect(findAll(html, 'a').map((link) => [link.get('class'), link.get('href')])).toEqual([
      ['site', 'https://app.example:8443'],
    ])
    expect(readText(html)).toContain('app.example:8443')
  })
})
