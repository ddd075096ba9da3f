import { describe, expect, it } from 'vitest'
import { signIn, signOut } from '../../src/integrations/qwik/act.ts'
import {
  getSession,
  type QwikAuthConfig,
  serveEvent,
  sessionOf,
  setEnvDefaults,
} from '../../src/integrations/qwik/serve-event.ts'
import {
  issuer,
  openApp,
  origin,
  secret,
  sessionOf as sessionIn,
  signIn as signInAt,
  type AppOptions,
} from '../support/app.ts'
import { mailProvider, type Mail } from '../support/mail.ts'
import { idp, pinProvider } from '../support/providers.ts'
import { openQwikApp, type Ended } from './event.ts'

function open(options: AppOptions = {}) {
  const app = openApp({ providers: [idp, pinProvider('pin')], ...options })
  const qwik = openQwikApp(app)
  const post = { method: 'POST' }
  return {
    app,
    ...qwik,
    /** Runs an action as a form without scripts, or as a script request. */
    signIn: (data: Record<string, unknown>, path = '/page?qaction=abc&x=1') =>
      qwik.send(path, (event, config) => signIn(event, data, config), post),
    signOut: (data: Record<string, unknown>, path = '/page?qaction=abc&x=1') =>
      qwik.send(path, (event, config) => signOut(event, data, config), post),
  }
}

const script = '/page/q-data.json?qaction=abc'
const nothing = { failed: undefined, fieldErrors: undefined, formErrors: undefined }
const nameOf = (ended: Ended) => sessionOf(ended.event)?.user?.name

describe('signIn with a mailed code', () => {
  it('posts the address, and then the code to the callback', async () => {
    const mails: Mail[] = []
    const { agent, signIn } = open({
      strategy: 'database',
      providers: [mailProvider(mails, { method: 'code' })],
    })
    await signIn({ providerId: 'mail', options: { email: 'ada@example.com' } })
    await signIn({ providerId: 'mail', options: { code: mails[0]?.token ?? '' } })
    expect(await sessionIn(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
  })
})

describe('onRequest', () => {
  it('INT-003 INT-004 handles the routes, and adds the session to any other request', async () => {
    const { app, agent, serve } = open()
    const { response } = await serve('/auth/providers')
    expect(await response?.json()).toMatchObject({ idp: { id: 'idp' } })
    const account = await open({ config: { accountPage: true }, strategy: 'database' }).serve('/auth/account')
    expect(account.response).toBeInstanceOf(Response)
    const paths = '/ /auth /auth/ /auth/other /auth/session/x /authors/session /page/auth/session'
    for (const path of paths.split(' ')) {
      const ended = await serve(path)
      expect(ended, path).toMatchObject({ value: undefined })
      expect(sessionOf(ended.event), path).toBeNull()
    }
    await signInAt(app, agent)
    const ended = await serve('/members')
    expect(nameOf(ended)).toBe('Ada')
    expect(ended.cookies.join()).toContain('session-token=')
  })

  it('EMB-015 forbids caching of pages that carry the session, and of no others', async () => {
    const { app, agent, serve } = open()
    expect((await serve('/members')).event.headers.get('cache-control')).toBeNull()
    await signInAt(app, agent)
    expect((await serve('/members')).event.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('CK-05 a sign-out clears the chunks of a session that the same request has extended', async () => {
    let size = 10
    const jwt = ({ token }: { token: object }) => ({ ...token, pad: 'x'.repeat(size) })
    const { app, agent, send } = open({ config: { callbacks: { jwt } } })
    await signInAt(app, agent)
    size = 6000
    await send('/page?qaction=abc', async (event, config) => {
      await serveEvent(event, config)
      expect(sessionOf(event)?.user?.name).toBe('Ada')
      return signOut(event, {}, config)
    })
    expect(Object.keys(agent.cookies()).join()).not.toContain('session-token')
  })

  it('INT-003 sends each cookie of a route, with its original encoding', async () => {
    const { serve } = open()
    const { cookies, response } = await serve('/auth/signin?callbackUrl=/members')
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Secure-authjs.callback-url',
      '__Host-authjs.csrf-token',
    ])
    expect(cookies[0]).toContain(encodeURIComponent(`${origin}/members`))
    expect(cookies[0]).toMatch(/httpOnly/i)
    expect(cookies[0]).toMatch(/sameSite=lax/i)
    expect(response?.headers.getSetCookie()).toEqual([])
  })

  it('INT-012 getSession returns the session and its cookies', async () => {
    const { app, agent } = open()
    await signInAt(app, agent)
    const cookie = Object.entries(agent.cookies())
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const held = await getSession(new Request(origin, { headers: { cookie } }), app.config)
    expect(held.data).toMatchObject({ user: { name: 'Ada' } })
    expect(held.cookie.join()).toContain('session-token=')
    expect(await getSession(new Request(origin), app.config)).toMatchObject({ data: null })
  })

  it('INT-013 setEnvDefaults fills in options from the environment', () => {
    const variables: Record<string, string> = {
      AUTH_SECRET: secret,
      AUTH_IDP_ID: 'found',
      AUTH_TRUST_HOST: '1',
    }
    const config: QwikAuthConfig = { providers: [{ id: 'idp', name: 'Idp', type: 'oidc', issuer }] }
    expect(setEnvDefaults({ get: (name) => variables[name] }, config)).toBeUndefined()
    expect(config).toMatchObject({ basePath: '/auth', secret: [secret], trustHost: true })
    expect(config.providers).toMatchObject([{ clientId: 'found' }])
  })
})

describe('useSignIn', () => {
  it('INT-005 INT-006 redirects to the provider, and back to redirectTo', async () => {
    const { app, agent, signIn } = open()
    for (const data of [
      { providerId: 'idp', redirectTo: '/welcome' },
      { providerId: 'idp', redirectTo: '/other', options: { redirectTo: '/welcome' } },
    ]) {
      const { redirect } = await signIn(data)
      expect(redirect?.status).toBe(302)
      const { parameters } = await app.idp.authorize(redirect?.location ?? '')
      const answer = await agent.send(`/auth/callback/idp?${parameters}`)
      expect(answer.headers.get('location')).toBe(`${origin}/welcome`)
    }
  })

  it('INT-005 returns to the current page, and opens the sign-in page without a provider', async () => {
    const { app, agent, signIn } = open()
    const { redirect } = await signIn({ providerId: 'idp' })
    const { parameters } = await app.idp.authorize(redirect?.location ?? '')
    const answer = await agent.send(`/auth/callback/idp?${parameters}`)
    expect(answer.headers.get('location')).toBe(`${origin}/page?x=1`)
    const page = await signIn({ redirectTo: '/welcome' })
    expect(page.redirect?.location).toBe('/auth/signin?callbackUrl=%2Fwelcome')
  })

  it('INT-007 accepts parameters as a string, URLSearchParams or an object of strings', async () => {
    const { signIn } = open()
    for (const authorizationParams of [
      'login_hint=ada',
      new URLSearchParams({ login_hint: 'ada' }),
      { login_hint: 'ada' },
    ]) {
      const { redirect } = await signIn({ providerId: 'idp', authorizationParams })
      expect(new URL(redirect?.location ?? '').searchParams.get('login_hint')).toBe('ada')
    }
  })

  it('INT-006 INT-008 signs in with credentials, and returns the destination to a script', async () => {
    const { signIn, serve } = open()
    const options = { pin: '1234', name: 'Grace', empty: null }
    const ended = await signIn({ providerId: 'pin', redirectTo: '/welcome', options }, script)
    expect(ended.value).toEqual(nothing)
    expect(ended.redirect).toBeUndefined()
    expect(ended.event.headers.get('location')).toBe(`${origin}/welcome`)
    expect(nameOf(await serve('/'))).toBe('Grace')
  })

  it('DEC-36a ERR-006 passes a CredentialsSignin to the caller', async () => {
    const { signIn, serve } = open()
    for (const path of [script, undefined])
      for (const [pin, code] of [
        ['wrong', 'credentials'],
        ['locked', 'locked'],
      ]) {
        const { value, redirect, event } = await signIn({ providerId: 'pin', options: { pin } }, path)
        expect(value).toEqual({ status: 403, failed: true, fieldErrors: {}, formErrors: [code] })
        expect(redirect).toBeUndefined()
        expect(event.headers.get('location')).toBeNull()
      }
    expect(nameOf(await serve('/'))).toBeUndefined()
  })

  it('ERR-006 redirects to the error page for any other error', async () => {
    const signInCallback = () => false
    const { signIn } = open({ config: { callbacks: { signIn: signInCallback } } })
    const { redirect } = await signIn({ providerId: 'pin', options: { pin: '1234' } })
    expect(redirect?.location).toBe(`${origin}/auth/error?error=AccessDenied`)
  })

  it('INT-009 ERR-015 reports invalid input by field', async () => {
    const { signIn } = open()
    const params = 'Expected a string, URLSearchParams or strings by name'
    const options =
      'Expected an object of strings, numbers, booleans and lists of them, whose redirectTo is a string'
    for (const [data, fieldErrors] of [
      [{ providerId: 5 }, { providerId: ['Expected a string'] }],
      [{ providerId: null }, { providerId: ['Expected a string'] }],
      [{ redirectTo: {} }, { redirectTo: ['Expected a string'] }],
      [{ options: 'x' }, { options: [options] }],
      [{ options: [] }, { options: [options] }],
      [{ options: { redirectTo: 1 } }, { options: [options] }],
      [{ options: { pin: { toString: '1' } } }, { options: [options] }],
      [{ options: { pin: Object.create(null) } }, { options: [options] }],
      [{ options: { pin: ['1', {}] } }, { options: [options] }],
      [{ authorizationParams: 1 }, { authorizationParams: [params] }],
      [{ authorizationParams: { a: 1 } }, { authorizationParams: [params] }],
      [{ providerId: 'unknown' }, { providerId: ['There is no provider with this id'] }],
      [
        { providerId: 5, redirectTo: 5 },
        { providerId: ['Expected a string'], redirectTo: ['Expected a string'] },
      ],
    ]) {
      const { value } = await signIn(data ?? {})
      expect(value).toEqual({ status: 400, failed: true, fieldErrors, formErrors: [] })
    }
  })

  it('INT-009 LM-01 reports a request over the limits as such, and not as a configuration error', async () => {
    const { signIn } = open()
    const fields = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`f${n}`, '']))
    for (const [data, status] of [
      [{ providerId: 'pin', options: fields(501) }, 413],
      [{ providerId: 'pin', options: { pin: 'x'.repeat(110_000) } }, 413],
      [{ providerId: 'idp', authorizationParams: fields(501) }, 400],
    ] as const) {
      const { value } = await signIn(data)
      expect(value).toEqual({ status, failed: true, fieldErrors: {}, formErrors: ['Bad request'] })
    }
  })

  it('INT-009 reports a configuration error', async () => {
    const { signIn } = open({ config: { trustHost: false } })
    const { value } = await signIn({ providerId: 'idp' })
    expect(value).toEqual({ status: 500, failed: true, fieldErrors: {}, formErrors: ['Configuration'] })
  })
})

describe('useSignOut', () => {
  it('INT-010 signs out, and redirects to redirectTo', async () => {
    for (const path of [undefined, script]) {
      const { app, agent, signOut, serve } = open()
      await signInAt(app, agent)
      expect(nameOf(await serve('/'))).toBe('Ada')
      const { redirect, event } = await signOut({ redirectTo: '/bye' }, path)
      expect(redirect?.location ?? event.headers.get('location')).toBe(`${origin}/bye`)
      expect(nameOf(await serve('/'))).toBeUndefined()
    }
  })

  it('INT-011 returns the same as useSignIn', async () => {
    const { signOut } = open()
    expect((await signOut({ redirectTo: 1 })).value).toEqual({
      status: 400,
      failed: true,
      fieldErrors: { redirectTo: ['Expected a string'] },
      formErrors: [],
    })
    expect((await signOut({}, script)).value).toEqual(nothing)
    expect((await signOut({})).redirect?.location).toBe(`${origin}/page?x=1`)
  })
})
