import type { Page, PageProvider, SignInPage } from '../../src/pages/page.ts'

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
    provider('passkey', 'webauthn', {
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
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
    provider('passkey', 'webauthn', {
      name: 'a passkey',
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
      ceremony: { conditional: true, twoButtons: true },
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
const ownProviders = [
  provider('mail', 'email', { name: 'Email' }),
  provider('password', 'password', {
    name: 'Password',
    credentials: { email: { label: 'Email' }, password: { label: 'Password', type: 'password' } },
  }),
  provider('passkey', 'webauthn', {
    name: 'Passkey',
    formFields: { email: { label: 'Email' } },
    ceremony: { conditional: true, twoButtons: true },
  }),
]

const signInErrors = 'Signin OAuthAccountNotLinked EmailSignInError CredentialsSignin SessionRequired Other'
  .split(' ')
  .map((error): SignInPage => ({ ...signInPage, error, providers: ownProviders }))

/** Each built-in page in each of its states. Together, the pages show every text. */
export const everyPage: readonly Page[] = [
  ...pages,
  ...signInErrors,
  { ...signInPage, providers: ownProviders, error: 'OAuthCallbackError', code: 'access_denied' },
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
