import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../src/types/config.ts'
import {
  issuer,
  openApp,
  origin,
  secret,
  sessionOf,
  signOut,
  startSignIn,
  visitProvider,
  type App,
  type AppOptions,
} from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { createCanaries, loggedBy, type Canaries } from '../support/canaries.ts'
import type { Fault } from '../../fuzz/world/idp/faults.ts'
import { askForLink, openMailApp } from '../support/mail.ts'

const clientSecret = 'canary-of-the-client'
const idp = { clients: [{ id: 'client', secret: clientSecret }] }

/** An application whose every secret is a canary. */
function openWatched(canaries: Canaries, { config, provider, ...options }: AppOptions): App {
  canaries.add('secret', secret)
  canaries.add('client secret', clientSecret)
  return openApp({
    ...options,
    idp: { ...idp, ...options.idp },
    provider: { clientSecret, checks: ['pkce', 'state', 'nonce'], ...provider } as AppOptions['provider'],
    config: {
      ...config,
      callbacks: {
        signIn({ account }) {
          for (const token of ['access_token', 'id_token', 'refresh_token'] as const)
            canaries.add(token, account?.[token])
          return true
        },
        ...config?.callbacks,
      },
    },
  })
}

/** The query with which the provider redirects back. Empty if the sign-in does not get that far. */
async function askProvider(app: App, agent: Agent): Promise<URLSearchParams> {
  const location = (await startSignIn(agent)).headers.get('location') ?? ''
  return location.startsWith(issuer) ? (await app.idp.authorize(location)).parameters : new URLSearchParams()
}

/** A complete visit: signing in, reading, updating, signing in again, signing out, and some malformed requests. */
async function live(app: App, agent: Agent, canaries: Canaries): Promise<void> {
  const parameters = await askProvider(app, agent)
  canaries.addCookies(agent)
  canaries.add('callback code', parameters.get('code'))
  await agent.send(`/auth/callback/idp?${parameters}`)
  canaries.addCookies(agent)
  await sessionOf(agent)
  canaries.addCookies(agent)
  await agent.send('/auth/session', {
    json: { csrfToken: 'canary-csrf-token', data: { canary: 'canary-data' } },
  })
  await agent.send(`/auth/callback/idp?${parameters}`)
  await agent.send(`/auth/callback/idp?${await askProvider(app, agent)}`)
  canaries.addCookies(agent)
  await agent.send('/auth/signin/idp?prompt=none', {
    form: { csrfToken: 'canary-csrf-token', password: 'canary-password' },
  })
  await signOut(agent)
  canaries.addRequests(app)
  for (const canary of ['canary-csrf-token', 'canary-data', 'canary-password']) canaries.add(canary, canary)
}

const faults: readonly Fault[] = [
  ...([
    'iss-wrong',
    'state-wrong',
    'state-missing',
    'code-twice',
    'access-denied',
    'error-of-its-own',
    'implicit',
  ] as const),
  ...([
    'token:500',
    'token:400',
    'token:html',
    'token:500-json',
    'token:truncated',
    'token:oversize',
    'token:302',
  ] as const),
  ...([
    'error-with-200',
    'error-beside-tokens',
    'token-type-mac',
    'id-token-garbage',
    'id-token-missing',
  ] as const),
  ...([
    'nonce-wrong',
    'audience-wrong',
    'issuer-wrong',
    'expired',
    'at-hash-wrong',
    'sub-empty',
    'exp-text',
  ] as const),
  ...(['signature-flipped', 'alg-none', 'kid-unknown', 'crit-header', 'jwks:500', 'jwks:html'] as const),
  ...([
    'userinfo:500',
    'userinfo:html',
    'userinfo-sub-wrong',
    'discovery:500',
    'discovery-issuer-wrong',
  ] as const),
]

/** Faults of the application: it throws its own errors, which contain none of the library's secrets. */
const broken = () => {
  throw new Error('broken')
}
const brokenHooks: readonly Partial<AuthConfig>[] = [
  { callbacks: { signIn: broken } },
  { callbacks: { jwt: broken } },
  { callbacks: { session: broken } },
  { callbacks: { redirect: broken } },
  { events: { signIn: broken, signOut: broken } },
  { jwt: { decode: broken } },
]

describe('the logs', () => {
  it('IL-02 DEC-35 contain no secrets if nothing fails, with and without debug', async () => {
    for (const strategy of ['jwt', 'database', 'jwt-stored'] as const)
      for (const debug of [true, false]) {
        const canaries = createCanaries()
        const app = openWatched(canaries, { strategy, config: { debug } })
        await live(app, app.agent(), canaries)
        const logs = loggedBy(app)
        expect(canaries.size()).toBeGreaterThan(20)
        expect(canaries.foundIn(logs)).toEqual([])
        if (debug) expect(logs).toContain('exchangingCode')
        if (debug) expect(app.ended()).toBe('signedOut')
        else expect(logs).not.toContain('exchangingCode')
      }
  })

  it('IL-02 IL-03 DEC-35 contain no secrets, whatever the provider does wrong', async () => {
    for (const fault of faults) {
      const canaries = createCanaries()
      const app = openWatched(canaries, { idp: { misbehave: [fault] }, provider: { idToken: false } })
      await live(app, app.agent(), canaries)
      expect(app.errors.length, fault).toBeGreaterThan(0)
      expect(canaries.foundIn(loggedBy(app)), fault).toEqual([])
      expect(app.ended()).toBe('signedOut')
    }
  })

  it('IL-02 IL-03 DEC-35 contain no secrets, whatever the application does wrong', async () => {
    for (const config of brokenHooks) {
      const canaries = createCanaries()
      const app = openWatched(canaries, { config })
      await live(app, app.agent(), canaries)
      expect(app.errors.length).toBeGreaterThan(0)
      expect(canaries.foundIn(loggedBy(app))).toEqual([])
      expect(app.ended()).toBe('signedOut')
    }
    for (const operation of [
      'createUser',
      'linkAccount',
      'createSession',
      'getSessionAndUser',
      'deleteSession',
    ] as const) {
      const canaries = createCanaries()
      const wrap: AppOptions['wrap'] = (store) => ({ ...store, [operation]: broken })
      const app = openWatched(canaries, { strategy: 'database', wrap })
      await live(app, app.agent(), canaries)
      expect(
        app.errors.map(({ name }) => name),
        operation,
      ).toContain('AdapterError')
      expect(canaries.foundIn(loggedBy(app)), operation).toEqual([])
      expect(['signedOut', 'faulted']).toContain(app.ended())
    }
  })

  it('IL-06 RD-07 pages, JSON and URLs contain no tokens or session ids', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const canaries = createCanaries()
      const app = openWatched(canaries, { strategy })
      const shown: string[] = []
      const agent = openAgent(origin, async (request) => {
        const response = await app.handle(request)
        shown.push(response.headers.get('location') ?? '', await response.clone().text())
        return response
      })
      const { parameters } = await visitProvider(app, agent)
      shown.length = 0
      await agent.send(`/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('signedIn')
      canaries.add('code', parameters.get('code'))
      canaries.addCookies(agent)
      canaries.add('session id', app.rows.sessions()[0]?.sessionToken)
      for (const page of ['session', 'signin', 'signout', 'error', 'providers', 'verify-request'])
        await agent.send(`/auth/${page}`)
      canaries.addCookies(agent)
      canaries.addRequests(app)
      const csrf = canaries.foundIn(shown.join('\n'))
      expect(new Set(csrf)).toEqual(new Set(['__Host-authjs.csrf-token']))
      await signOut(agent)
      expect(app.ended()).toBe('signedOut')
    }
  })

  it('IL-02 IL-03 DEC-35 contain no e-mail token, whether sent, used, used again, or never sent', async () => {
    for (const mail of [{}, { sendVerificationRequest: broken }, { confirm: true }]) {
      const canaries = createCanaries()
      const app = openMailApp(openApp, {
        mail: { generateVerificationToken: () => 'canary-of-the-link', ...mail },
        wrap: (store) => ({
          ...store,
          createVerificationToken(row) {
            canaries.add('hash', row.token)
            return store.createVerificationToken?.(row)
          },
        }),
      })
      canaries.add('token', 'canary-of-the-link')
      const agent = app.agent()
      await askForLink(agent, 'ada@example.com')
      for (let time = 0; time < 2; time++)
        await agent.send('/auth/callback/mail?token=canary-of-the-link&email=ada@example.com')
      await agent.send('/auth/callback/mail?token=canary-of-the-link')
      canaries.addCookies(agent)
      expect(canaries.size()).toBeGreaterThan(2)
      expect(app.errors.length + app.debugs.length).toBeGreaterThan(2)
      expect(canaries.foundIn(loggedBy(app))).toEqual([])
    }
  })
})
