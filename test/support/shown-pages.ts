import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import { createSample, shown } from '../pages/feature-samples.ts'
import type { Page, PageProvider, SignInPage } from '../../src/pages/page.ts'

const [origin, base] = ['https://app.example', 'https://app.example/auth']
const form = { csrfToken: 'token', callbackUrl: `${origin}/` }
const email = 'ada@example.com'

const providers: readonly PageProvider[] = [
  { id: 'github', name: 'GitHub', kind: 'oauth', style: GitHub().style },
  { id: 'google', name: 'Google', kind: 'oauth', style: Google().style },
  { id: 'company', name: 'Company ID', kind: 'oauth' },
  { id: 'mail', name: 'Email link', kind: 'email' },
  { id: 'code', name: 'Email code', kind: 'email' },
  {
    id: 'passkey',
    name: 'Passkey',
    kind: 'webauthn',
    formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
    ceremony: { conditional: true, twoButtons: true },
  },
]

const password: PageProvider = {
  id: 'password',
  name: 'Password',
  kind: 'password',
  credentials: {
    email: { label: 'Email', type: 'email', required: true },
    password: { label: 'Password', type: 'password', required: true },
  },
}

const signIn: SignInPage = { page: 'signin', origin, base, ...form, providers }

/** Samples of the built-in pages, for the screenshots of the guide. */
export const shownPages: Readonly<Record<string, Page>> = {
  'sign-in': signIn,
  'sign-in-required': { ...signIn, error: 'SessionRequired', providers: providers.slice(0, 2) },
  'sign-in-refused': {
    ...signIn,
    error: 'CredentialsSignin',
    providers: [...providers.slice(0, 1), password],
    refusedBy: password.id,
    name: email,
  },
  'verify-request': {
    page: 'verify-request',
    origin,
    mail: { email, action: `${base}/signin/mail`, signinUrl: `${base}/signin` },
  },
  confirm: { page: 'confirm', origin, action: `${base}/callback/mail`, token: 'token', email },
  'sign-out': { page: 'signout', origin, action: `${base}/signout` },
  error: { page: 'error', error: 'Verification', origin, signinUrl: `${base}/signin` },
}

/** Samples of the pages of optional features, in the language that the browser accepts. */
export const shownFeaturePages: Readonly<Record<string, (accepted: string) => Promise<Page>>> =
  Object.fromEntries(
    Object.entries(shown).map(([name, sample]) => [
      name,
      async (accepted: string) => createSample(sample, accepted),
    ]),
  )
