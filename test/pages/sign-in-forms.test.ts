import { describe, expect, it } from 'vitest'
import GitHub from '../../src/providers/github.ts'
import { renderPage } from '../../src/pages/render-page.ts'
import { findAll, readHtml } from './read-html.ts'
import { base, passkey as passkeyProvider, provider, sharedForm, signInPage } from './samples.ts'

type Page = typeof signInPage

async function render(page: Page): Promise<string> {
  return (await renderPage(page, {})).html
}

/** Returns the text of the message, and the action of the form that contains it. */
async function findMessage(page: Page) {
  let form: string | undefined
  let role: string | undefined
  for (const piece of readHtml(await render(page))) {
    if (typeof piece === 'string') {
      if (role) return { role, form, text: piece }
    } else if (piece.tag === 'form') form = piece.attributes.get('action')
    else role ??= piece.attributes.get('role')
  }
  return undefined
}

describe('the forms of the sign-in page', () => {
  it('PAG-01 has one primary action', async () => {
    const primaryOf = async (page: Page) =>
      findAll(await render(page), 'button').flatMap((button) =>
        button.get('class')?.split(' ').includes('primary') ? (button.get('id') ?? button.get('class')) : [],
      )
    expect(await primaryOf(signInPage)).toEqual(['submitButton'])
    expect(await primaryOf(sharedForm)).toEqual(['submitButton'])
    const [github, google, , , passkey] = signInPage.providers
    if (!github || !google || !passkey) throw new Error('Expected five providers')
    expect(await primaryOf({ ...signInPage, providers: [github, google] })).toEqual([
      'button brand-0 primary',
    ])
    expect(await primaryOf({ ...signInPage, providers: [github, passkey] })).toEqual(['submitButton-passkey'])
    expect(await primaryOf({ ...signInPage, providers: [] })).toEqual([])
  })

  it('PAG-02 has one e-mail field for links, codes and a passkey', async () => {
    const html = await render(sharedForm)
    const [form, ...others] = findAll(html, 'form')
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      action: `${base}/signin/link`,
      id: 'passkey-form',
      'data-options-url': `${base}/webauthn-options/passkey`,
      'data-callback-url': `${base}/callback/passkey`,
      'data-conditional': '',
    })
    expect(others.map((other) => other.get('action'))).toEqual([`${base}/callback/login`])
    const [, , field] = findAll(html, 'input')
    expect(Object.fromEntries(field ?? [])).toMatchObject({
      id: 'input-email-for-link-provider',
      name: 'email',
      type: 'email',
      autocomplete: 'username webauthn',
      required: '',
      'data-form-field': 'true',
    })
    const buttons = findAll(html, 'button').map((button) => [
      button.get('id'),
      button.get('formaction'),
      button.get('value'),
      button.has('formnovalidate'),
    ])
    expect(buttons).toEqual([
      ['submitButton', undefined, undefined, false],
      ['submitButton-code', `${base}/signin/code`, undefined, false],
      ['submitButton-passkey', `${base}/callback/passkey`, 'authenticate', true],
      ['submitButton-passkey-register', `${base}/callback/passkey`, 'register', false],
      ['submitButton-login', undefined, undefined, false],
    ])
  })

  it('PAG-02 keeps the form of a passkey that needs other fields, or has no script', async () => {
    const mail = provider('mail', 'email')
    const formFields = { email: {} }
    for (const passkey of [
      passkeyProvider('passkey', { formFields: { email: {}, name: {} } }),
      passkeyProvider('passkey', { formFields: {} }),
      passkeyProvider('passkey', { formFields, simpleWebAuthnBrowserVersion: false }),
    ]) {
      const forms = findAll(await render({ ...signInPage, providers: [mail, passkey] }), 'form')
      expect(forms.map((form) => form.get('action'))).toEqual([
        `${base}/signin/mail`,
        `${base}/callback/passkey`,
      ])
    }
    const alone = await render({
      ...signInPage,
      providers: [passkeyProvider('p', { formFields })],
    })
    expect(findAll(alone, 'form').map((form) => form.get('action'))).toEqual([`${base}/callback/p`])
  })

  it('PAG-03 shows a message in the form that it is about', async () => {
    const at = (error: string, more: Partial<Page> = {}) => findMessage({ ...sharedForm, error, ...more })
    expect(await at('CredentialsSignin')).toMatchObject({ role: 'alert', form: `${base}/callback/login` })
    expect(await at('EmailSignin')).toMatchObject({ role: 'alert', form: `${base}/signin/link` })
    expect(await at('OAuthAccountNotLinked')).toMatchObject({ role: 'alert', form: undefined })
    const two = [...sharedForm.providers, provider('pin', 'credentials', { credentials: { pin: {} } })]
    const refused = (refusedBy?: string) => at('CredentialsSignin', { providers: two, refusedBy })
    expect(await refused('pin')).toMatchObject({ form: `${base}/callback/pin` })
    expect(await refused('login')).toMatchObject({ form: `${base}/callback/login` })
    for (const unknown of ['link', 'other', undefined])
      expect(await refused(unknown)).toMatchObject({ form: undefined })
  })

  it('PAG-03 connects the message to the fields of its form', async () => {
    const html = await render({ ...sharedForm, error: 'CredentialsSignin' })
    const invalid = findAll(html, 'input').filter((input) => input.has('aria-invalid'))
    expect(invalid.map((input) => [input.get('name'), input.get('aria-describedby')])).toEqual([
      ['email', 'form-error'],
      ['password', 'form-error'],
    ])
    expect(html).toContain('<div class="error" role="alert" id="form-error">')
  })

  it('PAG-04 fills in the submitted name, and no other value', async () => {
    const values = async (more: Partial<Page>) =>
      findAll(await render({ ...sharedForm, error: 'CredentialsSignin', name: 'ada', ...more }), 'input')
        .filter((input) => input.get('type') !== 'hidden')
        .map((input) => [input.get('id')?.split('-')[1], input.get('value'), input.has('autofocus')])
    expect(await values({ refusedBy: 'login' })).toEqual([
      ['email', undefined, false],
      ['email', 'ada', false],
      ['password', undefined, true],
    ])
    for (const refusedBy of [undefined, 'link', 'other'])
      expect((await values({ refusedBy })).map(([, value]) => value)).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    const secrets = { credentials: { pin: {}, otp: {}, password: { type: 'password' } } }
    const page = { providers: [provider('login', 'credentials', secrets)], refusedBy: 'login' }
    expect((await values(page)).map(([, value]) => value)).toEqual([undefined, undefined, undefined])
  })

  it('PAG-05 reports a cancelled sign-in and a required one as notices', async () => {
    const notice = (error: string, code?: string) => findMessage({ ...signInPage, error, code })
    expect(await notice('OAuthCallbackError', 'access_denied')).toEqual({
      role: 'status',
      form: undefined,
      text: 'Sign-in was cancelled.',
    })
    expect(await notice('SessionRequired')).toMatchObject({ role: 'status' })
    expect(await notice('OAuthCallbackError', 'server_error')).toMatchObject({ role: 'alert' })
    expect(await notice('Callback', 'access_denied')).toMatchObject({ role: 'alert' })
  })
})

describe('the mark of a provider', () => {
  const styled = (style: object) =>
    render({ ...signInPage, providers: [provider('p', 'oauth', { name: 'Provider', style })] })
  const fillOf = async (brandColor: string) =>
    /\.brand-0 path\{fill:([^}]*)\}/.exec(await styled({ brandColor, mark: 'M0 0' }))?.[1]

  it('PAG-10 DEC-32c is inline, and loads nothing', async () => {
    const { style } = GitHub()
    const html = await styled(style ?? {})
    expect(findAll(html, 'path').map((path) => path.get('d'))).toEqual([style?.mark])
    expect(html).not.toContain('letter')
    expect(findAll(await styled({ ...style, logo: '/logo.svg' }), 'path')).toEqual([])
  })

  it('PAG-10 has the colour of the brand where it is visible, or else that of the text', async () => {
    expect(await fillOf('#24292f')).toBe('light-dark(#24292f,currentColor)')
    expect(await fillOf('#1db954')).toBe('light-dark(currentColor,#1db954)')
    expect(await fillOf('#1a73e8')).toBe('light-dark(#1a73e8,#1a73e8)')
    expect(await fillOf('#fff')).toBe('light-dark(currentColor,#fff)')
    expect(await fillOf('red')).toBe('light-dark(currentColor,currentColor)')
  })

  it('PAG-10 IL-05 is the first letter of the name if there is no path data', async () => {
    for (const mark of [undefined, '', 'M0"/><script>', 'url(x)', 1, { toString: () => 'M0' }]) {
      const html = await styled({ mark })
      expect(findAll(html, 'path')).toEqual([])
      expect(html).toContain('<span class="mark letter" aria-hidden="true">P</span>')
    }
  })
})
