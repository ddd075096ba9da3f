import type { Call, Situation, Stage } from '../situation.ts'
import {
  ada,
  emailProvider,
  oauthProvider,
  profile,
  requestLink,
  startAtProvider,
  store,
  throwError,
  type Answers,
} from './support.ts'

interface Change {
  readonly answers?: Answers
  readonly provider?: object
  readonly config?: object
  readonly response?: Readonly<Record<string, string>>
  /** Changes the stage after the sign-in has started. */
  readonly after?: (stage: Stage, call: Call) => Call
}

function back(title: string, change: Change | ((stage: Stage) => Change)): Situation {
  return {
    group: 'Callback of a provider',
    title,
    async play(stage) {
      const { answers, provider, config, response, after } =
        typeof change === 'function' ? change(stage) : change
      Object.assign(stage.config, { providers: [oauthProvider(stage, answers, provider)] }, config)
      const call = await startAtProvider(stage, response)
      return after?.(stage, call) ?? call
    },
  }
}

const refusal = (status: number, error: string) => () => Response.json({ error }, { status })

function withStore(operation: string, strategy: 'jwt' | 'database' = 'database'): Situation {
  return back(`store: \`${operation}\` throws`, {
    config: { adapter: store(new Set([operation])), session: { strategy } },
  })
}

export const callbackSituations: readonly Situation[] = [
  back('works', {}),
  back('provider returns `access_denied`', { response: { error: 'access_denied' } }),
  back('provider returns `invalid_scope`', { response: { error: 'invalid_scope' } }),
  back('no code', { response: {} }),
  back('wrong state', { response: { code: 'code', state: 'other' } }),
  back('no check cookies', {
    after: (stage, call) => {
      stage.cookies.clear()
      return call
    },
  }),
  back('unreadable check cookies', {
    after: (stage, call) => {
      for (const name of stage.cookies.keys())
        if (/pkce|state/.test(name)) stage.cookies.set(name, 'nonsense')
      return call
    },
  }),
  back('unknown provider', { after: (_, call) => ({ path: call.path.replace('/idp', '/nope') }) }),
  back('no provider', { after: (_, call) => ({ path: call.path.replace('/idp', '') }) }),
  back('token endpoint: `invalid_client`', { answers: { token: refusal(401, 'invalid_client') } }),
  back('token endpoint: `invalid_grant`', { answers: { token: refusal(400, 'invalid_grant') } }),
  back('token endpoint: unreachable', { answers: { token: throwError } }),
  back('token endpoint: no token', { answers: { token: () => Response.json({}) } }),
  back('userinfo: status 401', { answers: { userinfo: () => new Response(null, { status: 401 }) } }),
  back('userinfo: not JSON', { answers: { userinfo: () => new Response('<html>') } }),
  back('`profile` throws', { provider: { profile: throwError } }),
  back('`profile` returns no id', { provider: { profile: () => ({ name: 'Ada' }) } }),
  back('`signIn` callback returns false', { config: { callbacks: { signIn: () => false } } }),
  back('`signIn` callback returns a path', { config: { callbacks: { signIn: () => '/waiting-list' } } }),
  back('`signIn` callback throws', { config: { callbacks: { signIn: throwError } } }),
  back('`jwt` callback returns null', { config: { callbacks: { jwt: () => null } } }),
  back('`jwt` callback throws', { config: { callbacks: { jwt: throwError } } }),
  withStore('getUserByAccount'),
  withStore('getUserByEmail'),
  withStore('createUser'),
  withStore('linkAccount'),
  withStore('createSession'),
  {
    group: 'Callback of a provider',
    title: 'a user with the same address exists',
    async play(stage) {
      const adapter = store()
      await adapter.createUser?.({ ...ada, emailVerified: null })
      Object.assign(stage.config, { adapter, providers: [oauthProvider(stage)] })
      return startAtProvider(stage)
    },
  },
  {
    group: 'Callback of a provider',
    title: 'the account belongs to another user than the one signed in',
    async play(stage) {
      const adapter = store()
      await adapter.createUser?.({ id: 'bob', email: 'bob@example.com', emailVerified: null })
      await adapter.createUser?.({ ...ada, emailVerified: null })
      await adapter.linkAccount?.({
        userId: 'bob',
        provider: 'idp',
        providerAccountId: profile.id,
        type: 'oauth',
      })
      const expires = new Date(Date.now() + 86_400_000)
      await adapter.createSession?.({ sessionToken: 'session-of-ada', userId: 'ada', expires })
      Object.assign(stage.config, { adapter, providers: [oauthProvider(stage)] })
      stage.cookies.set('__Secure-authjs.session-token', 'session-of-ada')
      return startAtProvider(stage)
    },
  },
]

function followed(title: string, change: (stage: Stage, call: Call, broken: Set<string>) => Call): Situation {
  return {
    group: 'E-mail link',
    title,
    async play(stage) {
      const links: string[] = []
      const broken = new Set<string>()
      const base = { adapter: store(broken), session: { strategy: 'jwt' }, providers: [emailProvider(links)] }
      Object.assign(stage.config, base)
      return change(stage, await requestLink(stage, links), broken)
    },
  }
}

export const linkSituations: readonly Situation[] = [
  followed('works', (_, call) => call),
  followed('no token', () => ({ path: '/auth/callback/mail' })),
  followed('wrong token', (_, call) => ({ path: call.path.replace(/token=[^&]*/, 'token=other') })),
  ...['useVerificationToken', 'getUserByEmail', 'createUser'].map((operation) =>
    followed(`store: \`${operation}\` throws`, (_, call, broken) => {
      broken.add(operation)
      return call
    }),
  ),
  followed('`signIn` callback returns false', (stage, call) => {
    stage.config.callbacks = { signIn: () => false }
    return call
  }),
  followed('`signIn` callback throws', (stage, call) => {
    stage.config.callbacks = { signIn: throwError }
    return call
  }),
]
