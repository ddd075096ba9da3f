import type { Page, PageProvider, SignInPage } from '../../src/pages/page.ts'

export const base = 'https://app.example/auth'

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

/** One of each built-in page, with all elements. */
export const pages: readonly Page[] = [
  signInPage,
  { ...signInPage, error: 'CredentialsSignin', email: 'ada@example.com' },
  { page: 'signout', action: `${base}/signout`, csrfToken: 'c0ffee' },
  ...[undefined, 'Configuration', 'AccessDenied', 'Verification', 'InvalidCheck', 'Other'].map((error) => ({
    page: 'error' as const,
    error,
    origin: 'https://app.example',
    signinUrl: `${base}/signin`,
    trace: { url: '/devtools/runs/1', path: ['readingCookie', 'anonymous'] },
  })),
  { page: 'verify-request', origin: 'https://app.example' },
  {
    page: 'verify-request',
    origin: 'https://app.example',
    form: { action: `${base}/callback/mail`, csrfToken: 'c0ffee', attempts: 4 },
  },
]
