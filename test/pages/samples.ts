import { expect } from 'vitest'
import type { WebAuthnSettings } from '../../src/config/settings.ts'
import { describeForm } from '../../src/features/passkeys/sign-in-form.ts'
import { textsOf } from '../../src/features/passkeys/texts.ts'
import { arabic } from '../../src/pages/arabic.ts'
import { english } from '../../src/pages/english.ts'
import { german } from '../../src/pages/german.ts'
import { fill } from '../../src/pages/language.ts'
import type { Page, PageProvider, SignInPage } from '../../src/pages/page.ts'
import type { AuthConfig } from '../../src/types/config.ts'

export const origin = 'https://app.example'
export const base = `${origin}/auth`

/** A provider as the routes pass it to a page. */
export function provider(
  id: string,
  kind: PageProvider['kind'],
  more: Partial<PageProvider> = {},
): PageProvider {
  return {
    id,
    name: `The ${id}`,
    kind,
    ...more,
  }
}

const library = { en: english, de: german, ar: arabic }

/** The options of a site that choose the texts. */
type Wording = Pick<AuthConfig, 'texts' | 'locale'>

/** A provider of passkeys, as its feature describes it in a language. */
export function passkey(
  id: string,
  { name = `The ${id}`, ...config }: Partial<WebAuthnSettings['config']>,
  { texts = {}, locale = 'en' }: Wording = {},
): PageProvider {
  const known = { ...library[locale], ...texts[locale], ...textsOf(texts)[locale] }
  const words = new Map<string, unknown>(Object.entries(known))
  const t = (key: string, values = {}) => fill(String(words.get(key)), values)
  const settings = { id, name, kind: 'webauthn', config } as WebAuthnSettings
  const link = () => expect.fail('The form has no link')
  return { id, name, kind: 'webauthn', ...describeForm(settings, { t, link, base }) }
}

export const signInPage: SignInPage = {
  page: 'signin',
  origin,
  base,
  providers: [
    provider('github', 'oauth', { name: 'GitHub', style: { brandColor: '#24292f' } }),
    provider('google', 'oauth', { name: 'Google', style: { bg: '#1a73e8' } }),
    provider('mail', 'email'),
    provider('login', 'credentials', {
      credentials: {
        username: { label: 'User name', required: true },
        password: { label: 'Password', type: 'password' },
      },
    }),
    passkey('passkey', {
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
      simpleWebAuthnBrowserVersion: false,
    }),
  ],
  csrfToken: 'c0ffee',
  callbackUrl: 'https://app.example/after',
}

/** A page on which a mailed link, a mailed code and a passkey share one form. */
export const sharedForm: SignInPage = {
  ...signInPage,
  providers: [
    provider('link', 'email', { name: 'a link' }),
    provider('code', 'email', { name: 'a code' }),
    provider('login', 'credentials', {
      credentials: { email: { label: 'Email' }, password: { label: 'Password', type: 'password' } },
    }),
    passkey('passkey', {
      name: 'a passkey',
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
      enableConditionalUI: true,
    }),
  ],
}

/** One of each built-in page, with all elements. */
export const pages: readonly Page[] = [
  signInPage,
  { ...signInPage, error: 'CredentialsSignin', email: 'ada@example.com' },
  { page: 'signout', origin, action: `${base}/signout`, csrfToken: 'c0ffee' },
  ...[undefined, 'Configuration', 'AccessDenied', 'Verification', 'InvalidCheck', 'Other'].map((error) => ({
    page: 'error' as const,
    error,
    origin,
    signinUrl: `${base}/signin`,
    trace: { url: '/devtools/runs/1', path: ['readingCookie', 'anonymous'] },
  })),
  { page: 'verify-request', origin },
]

const email = 'ada@example.com'
const form = { origin, csrfToken: 'c0ffee', callbackUrl: `${origin}/after` }

/** The providers whose names and labels the library translates. */
const ownProviders = (wording: Wording) => [
  provider('mail', 'email', { name: 'Email' }),
  provider('password', 'password', {
    name: 'Password',
    credentials: { email: { label: 'Email' }, password: { label: 'Password', type: 'password' } },
  }),
  passkey(
    'passkey',
    { name: 'Passkey', formFields: { email: { label: 'Email' } }, enableConditionalUI: true },
    wording,
  ),
]

const signInErrors =
  'Signin OAuthAccountNotLinked EmailSignInError CredentialsSignin SessionRequired Other'.split(' ')

/** Each built-in page in each of its states. Together, the pages show every text. */
export const everyPageIn = (wording: Wording): readonly Page[] => [
  ...pages.filter(({ page }) => page !== 'signin'),
  ...signInErrors.map((error): Page => ({ ...signInPage, error, providers: ownProviders(wording) })),
  { ...signInPage, providers: ownProviders(wording), error: 'OAuthCallbackError', code: 'access_denied' },
  ...['RateLimited', 'InvalidCheck'].map((error) => ({
    page: 'error' as const,
    error,
    origin,
    signinUrl: `${base}/signin`,
  })),
  { page: 'error', isMissing: true, origin, signinUrl: `${base}/signin` },
  {
    page: 'verify-request',
    origin,
    mail: { email, action: `${base}/signin/mail`, signinUrl: `${base}/signin` },
  },
  { page: 'confirm', ...form, action: `${base}/callback/mail`, token: 'token', email },
]
