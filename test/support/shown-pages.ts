import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import type { PasswordSettings } from '../../src/config/settings.ts'
import { describeProvider } from '../../src/pages/feature-page.ts'
import type { PageLocale } from '../../src/types/page-texts.ts'
import { createSample, shown } from '../pages/feature-samples.ts'
import { passkey } from '../pages/samples.ts'
import type { Page, PageProvider } from '../../src/pages/page.ts'
import { everyFeature } from './every-option.ts'

const [origin, base] = ['https://app.example', 'https://app.example/auth']
const form = { csrfToken: 'token', callbackUrl: `${origin}/` }
const email = 'ada@example.com'

const providersIn = (locale: PageLocale): readonly PageProvider[] => [
  { id: 'github', name: 'GitHub', kind: 'oauth', style: GitHub().style },
  { id: 'google', name: 'Google', kind: 'oauth', style: Google().style },
  { id: 'company', name: 'Company ID', kind: 'oauth' },
  { id: 'mail', name: 'Email link', kind: 'email' },
  { id: 'code', name: 'Email code', kind: 'email' },
  passkey(
    'passkey',
    {
      name: 'Passkey',
      formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
      enableConditionalUI: true,
    },
    { locale },
  ),
]

const password = {
  id: 'password',
  name: 'Password',
  kind: 'password',
  credentials: {
    email: { label: 'Email', type: 'email', required: true },
    password: { label: 'Password', type: 'password', required: true },
  },
} as const

/** Returns the password provider with the link that its feature adds. */
async function passwordIn(locale: PageLocale): Promise<PageProvider> {
  const site = { base, hasRoute: () => true }
  const settings = { kind: 'password', id: password.id } as PasswordSettings
  return {
    ...password,
    ...(await describeProvider(settings, everyFeature(), site, { texts: {}, locale }, null)),
  }
}

const signInPage = { page: 'signin', origin, base, ...form } as const
const others = providersIn('en').slice(0, 2)

/** Samples of the built-in pages, for the screenshots of the guide. */
export const shownPages: Readonly<Record<string, Page>> = {
  'sign-in-required': { ...signInPage, error: 'SessionRequired', providers: others },
  'verify-request': {
    page: 'verify-request',
    origin,
    mail: { email, action: `${base}/signin/mail`, signinUrl: `${base}/signin` },
  },
  confirm: { page: 'confirm', origin, action: `${base}/callback/mail`, token: 'token', email },
  'sign-out': { page: 'signout', origin, action: `${base}/signout` },
  error: { page: 'error', error: 'Verification', origin, signinUrl: `${base}/signin` },
}

/** Samples of pages with parts of optional features, in the language that the browser accepts. */
export const shownFeaturePages: Readonly<Record<string, (accepted: PageLocale) => Promise<Page>>> = {
  'sign-in': async (accepted) => ({ ...signInPage, providers: providersIn(accepted) }),
  'sign-in-refused': async (accepted) => ({
    ...signInPage,
    error: 'CredentialsSignin',
    providers: [...others.slice(0, 1), await passwordIn(accepted)],
    refusedBy: password.id,
    name: email,
  }),
  ...Object.fromEntries(
    Object.entries(shown).map(([name, sample]) => [
      name,
      async (accepted: PageLocale) => createSample(sample, accepted),
    ]),
  ),
}
