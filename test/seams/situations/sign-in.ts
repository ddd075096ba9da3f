import type { Call, Situation, Stage } from '../situation.ts'
import {
  emailProvider,
  formProvider,
  metadata,
  oauthProvider,
  oidcProvider,
  store,
  throwError,
} from './support.ts'

const signIn: Call = { path: '/auth/signin/idp', form: {} }

function atProvider(title: string, change: (stage: Stage) => object, call = signIn): Situation {
  return {
    group: 'Sign-in at a provider',
    title,
    play(stage) {
      Object.assign(stage.config, { providers: [oauthProvider(stage)] }, change(stage))
      return call
    },
  }
}

const unreachable = () => {
  throw new TypeError('fetch failed')
}

/** `signIn('idp')` in a server action. */
export const signInSituations: readonly Situation[] = [
  atProvider('works', () => ({})),
  atProvider('no CSRF token', () => ({ skipCSRFCheck: undefined })),
  atProvider('unknown provider', () => ({}), { path: '/auth/signin/nope', form: {} }),
  atProvider('no provider', () => ({}), { path: '/auth/signin', form: {} }),
  atProvider('GET', () => ({}), { path: '/auth/signin/idp' }),
  atProvider('unknown action', () => ({}), { path: '/auth/nope' }),
  atProvider('method PUT', () => ({}), { path: '/auth/signin/idp', method: 'PUT' }),
  atProvider('`redirect` callback throws', () => ({ callbacks: { redirect: throwError } }), {
    ...signIn,
    form: { callbackUrl: '/members' },
  }),
  atProvider('discovery: provider unreachable', (stage) => ({
    providers: [oidcProvider(stage, { discovery: unreachable })],
  })),
  atProvider('discovery: status 500', (stage) => ({
    providers: [oidcProvider(stage, { discovery: () => new Response('down', { status: 500 }) })],
  })),
  atProvider('discovery: wrong issuer', (stage) => ({
    providers: [
      oidcProvider(stage, { discovery: () => Response.json({ ...metadata, issuer: 'https://other.test' }) }),
    ],
  })),
  atProvider('discovery: no authorization endpoint', (stage) => ({
    providers: [
      oidcProvider(stage, {
        discovery: () => Response.json({ ...metadata, authorization_endpoint: undefined }),
      }),
    ],
  })),
]

function byMail(
  title: string,
  change: (broken: Set<string>) => object,
  form: Call['form'] = { email: 'ada@example.com' },
) {
  return {
    group: 'Sign-in by e-mail',
    title,
    play(stage: Stage): Call {
      const broken = new Set<string>()
      const base = { adapter: store(broken), session: { strategy: 'jwt' }, providers: [emailProvider()] }
      Object.assign(stage.config, base, change(broken))
      return { path: '/auth/signin/mail', form }
    },
  }
}

const breaks = (operation: string) => (broken: Set<string>) => {
  broken.add(operation)
  return {}
}

class Refused extends Error {}

/** `signIn('mail', { email })` in a server action. */
export const mailSituations: readonly Situation[] = [
  byMail('works', () => ({})),
  byMail('no address', () => ({}), {}),
  byMail('invalid address', () => ({}), { email: 'ada' }),
  byMail('`normalizeIdentifier` throws', () => ({
    providers: [emailProvider([], { normalizeIdentifier: throwError })],
  })),
  byMail('sender rejects', () => ({
    providers: [
      emailProvider([], {
        sendVerificationRequest: async () => {
          // Deferred: an early rejection ends the process with the published library.
          await new Promise((resolve) => setTimeout(resolve, 5))
          throw new Error('mailbox full')
        },
      }),
    ],
  })),
  byMail('sender throws', () => ({
    providers: [emailProvider([], { sendVerificationRequest: throwError })],
  })),
  byMail('`generateVerificationToken` throws', () => ({
    providers: [emailProvider([], { generateVerificationToken: throwError })],
  })),
  byMail('store: `getUserByEmail` throws', breaks('getUserByEmail')),
  byMail('store: `createVerificationToken` throws', breaks('createVerificationToken')),
  byMail('`signIn` callback returns false', () => ({ callbacks: { signIn: () => false } })),
  byMail('`signIn` callback returns a path', () => ({ callbacks: { signIn: () => '/waiting-list' } })),
  byMail('`signIn` callback throws', () => ({ callbacks: { signIn: throwError } })),
]

function byForm(title: string, change: (stage: Stage) => object, call: Partial<Call> = {}): Situation {
  return {
    group: 'Sign-in with credentials',
    title,
    play(stage) {
      Object.assign(stage.config, { providers: [formProvider()] }, change(stage))
      return { path: '/auth/callback/form', form: { name: 'ada' }, ...call }
    },
  }
}

const throwing = (make: (stage: Stage) => Error) => (stage: Stage) => ({
  providers: [
    formProvider(() => {
      throw make(stage)
    }),
  ],
})

function errorOf({ lib }: Stage, name: string, message?: string): Error {
  const Class = lib.errors[name] ?? Refused
  return new Class(message)
}

/** `signIn('form', { name })` in a server action. */
export const formSituations: readonly Situation[] = [
  byForm('works', () => ({})),
  byForm('no CSRF token', () => ({ skipCSRFCheck: undefined })),
  byForm('`authorize` returns null', () => ({ providers: [formProvider(() => null)] })),
  byForm(
    '`authorize` throws `CredentialsSignin`',
    throwing((stage) => errorOf(stage, 'CredentialsSignin')),
  ),
  byForm(
    '`authorize` throws `CredentialsSignin` with a code',
    throwing((stage) => Object.assign(errorOf(stage, 'CredentialsSignin'), { code: 'locked' })),
  ),
  byForm(
    '`authorize` throws `AccessDenied`',
    throwing((stage) => errorOf(stage, 'AccessDenied', 'no')),
  ),
  byForm(
    '`authorize` throws `AuthError`',
    throwing((stage) => errorOf(stage, 'AuthError', 'no')),
  ),
  byForm('`authorize` throws another error', () => ({ providers: [formProvider(throwError)] })),
  byForm('user without an id', () => ({
    providers: [formProvider(() => ({ name: 'Ada', email: 'ada@example.com' }))],
  })),
  byForm('user without id and address', () => ({ providers: [formProvider(() => ({ name: 'Ada' }))] })),
  byForm('user without an id, with an adapter', () => ({
    adapter: store(),
    session: { strategy: 'jwt' },
    providers: [formProvider(() => ({ name: 'Ada', email: 'ada@example.com' }))],
  })),
  byForm('`signIn` callback returns false', () => ({ callbacks: { signIn: () => false } })),
  byForm('`signIn` callback returns a path', () => ({ callbacks: { signIn: () => '/waiting-list' } })),
  byForm('`signIn` callback throws', () => ({ callbacks: { signIn: throwError } })),
  byForm('`jwt` callback returns null', () => ({ callbacks: { jwt: () => null } })),
  byForm('`jwt` callback throws', () => ({ callbacks: { jwt: throwError } })),
  byForm('`jwt.encode` throws', () => ({ jwt: { encode: throwError } })),
  byForm('`signIn` event throws', () => ({ events: { signIn: throwError } })),
  byForm('`rateLimit` returns false (authmachine only)', () => ({ callbacks: { rateLimit: () => false } })),
  byForm('GET', () => ({}), { form: undefined }),
]
