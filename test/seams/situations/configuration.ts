import type { Call, Situation, Stage } from '../situation.ts'
import { emailProvider, formProvider, oauthProvider, store, throwError } from './support.ts'

const signIn: Call = { path: '/auth/signin/idp', form: {} }

function configured(title: string, change: (stage: Stage) => object, call = signIn): Situation {
  return {
    group: 'Configuration',
    title,
    play(stage) {
      Object.assign(stage.config, { providers: [oauthProvider(stage)] }, change(stage))
      return call
    },
  }
}

const webauthn = {
  type: 'webauthn',
  name: 'Passkey',
  enableConditionalUI: true,
  simpleWebAuthnBrowserVersion: 'v9.0.1',
  formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
  simpleWebAuthn: {
    generateAuthenticationOptions: throwError,
    generateRegistrationOptions: throwError,
    verifyAuthenticationResponse: throwError,
    verifyRegistrationResponse: throwError,
  },
}
const withPasskeys = (providers: readonly object[]) => ({
  adapter: store(),
  session: { strategy: 'jwt' },
  experimental: { enableWebAuthn: true },
  providers,
})

/** Errors before a request is processed. Each is a POST that starts a sign-in, unless it says otherwise. */
export const configurationSituations: readonly Situation[] = [
  configured('no secret', () => ({ secret: undefined })),
  configured('host not trusted', () => ({ trustHost: undefined })),
  configured('provider without endpoints and issuer', (stage) => ({
    providers: [oauthProvider(stage, {}, { authorization: undefined })],
  })),
  configured('provider without a client id', (stage) => ({
    providers: [oauthProvider(stage, {}, { clientId: undefined })],
  })),
  configured('provider factory throws', () => ({ providers: [throwError] })),
  configured('two providers with one id', (stage) => ({
    providers: [oauthProvider(stage), oauthProvider(stage)],
  })),
  configured('credentials without `authorize`', () => ({
    providers: [formProvider(undefined, { authorize: undefined })],
  })),
  configured(
    'database sessions with a credentials provider only',
    () => ({ adapter: store(), session: { strategy: 'database' }, providers: [formProvider()] }),
    { path: '/auth/callback/form', form: {} },
  ),
  configured('e-mail provider without an adapter', () => ({ providers: [emailProvider()] })),
  configured('database sessions without an adapter', () => ({ session: { strategy: 'database' } })),
  configured('adapter with `getUserByAccount: undefined`', () => ({
    adapter: { ...store(), getUserByAccount: undefined },
    session: { strategy: 'database' },
  })),
  configured('adapter without `getUserByAccount`', () => {
    const { getUserByAccount: _getUserByAccount, ...adapter } = store()
    return { adapter, session: { strategy: 'database' } }
  }),
  configured('WebAuthn without `experimental.enableWebAuthn`', () => ({
    ...withPasskeys([{ ...webauthn, id: 'passkey' }]),
    experimental: {},
  })),
  configured('two WebAuthn providers with conditional UI', () =>
    withPasskeys([
      { ...webauthn, id: 'one' },
      { ...webauthn, id: 'two' },
    ]),
  ),
  configured('conditional UI without an autocomplete field', () =>
    withPasskeys([{ ...webauthn, id: 'passkey', formFields: { email: { label: 'Email' } } }]),
  ),
  configured('`simpleWebAuthnBrowserVersion` that is not a version', () =>
    withPasskeys([{ ...webauthn, id: 'passkey', simpleWebAuthnBrowserVersion: 'latest' }]),
  ),
  configured('`callbacks.signIn` is not a function', () => ({ callbacks: { signIn: 'yes' } })),
  configured('`callbackUrl` in the query is not a URL', () => ({}), {
    path: '/auth/signin/idp?callbackUrl=http%3A%2F%2F%5B',
    form: {},
  }),
  configured('`callbackUrl` in the form is not a URL', () => ({}), {
    path: '/auth/signin/idp',
    form: { callbackUrl: 'http://[' },
  }),
  {
    group: 'Configuration',
    title: '`callbackUrl` cookie is not a URL',
    play(stage) {
      stage.config.providers = [oauthProvider(stage)]
      stage.cookies.set('__Secure-authjs.callback-url', 'http%3A%2F%2F%5B')
      return signIn
    },
  },
  {
    ...configured('`AUTH_URL` is not a URL', () => ({})),
    environment: { AUTH_URL: 'app.test/auth' },
  },
  configured('no secret, GET of the session', () => ({ secret: undefined }), { path: '/auth/session' }),
  configured('no secret, GET of the sign-in page', () => ({ secret: undefined }), {
    path: '/auth/signin',
  }),
  configured(
    'no secret, and `pages.error` is the built-in page',
    () => ({ secret: undefined, pages: { error: '/auth/error' } }),
    { path: '/auth/error?error=Configuration' },
  ),
  configured(
    'no secret, and `pages.error` needs a session',
    () => ({ secret: undefined, pages: { error: '/oops' } }),
    { path: '/auth/error?callbackUrl=%2Foops' },
  ),
]
