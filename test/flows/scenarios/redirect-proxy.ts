import { expect } from 'vitest'
import { openAgent, type Agent } from '../../support/browser-agent.ts'
import { secret, sessionOf, signIn, startSignIn, visitProvider, type App } from '../../support/app.ts'
import { reveal, seal } from '../../support/sealed.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, expectError, locationOf } from '../expectations.ts'

const preview = 'https://preview.test'
const proxied = { redirectProxyUrl: 'https://app.test/auth', redirectProxy: { allow: [preview] } }

/** One application on two hosts. The one at app.test forwards to the other. */
function openBoth(open: Stage['open'], options: Parameters<Stage['open']>[0] = {}) {
  const app = open({ ...options, config: { ...proxied, ...options.config } })
  return { app, proxy: app.agent(), own: openAgent(preview, app.handle) }
}

/** Starts at the preview's host. @returns the response that the provider sends to the proxy */
async function askFrom(app: App, own: Agent) {
  const started = await startSignIn(own)
  const asked = locationOf(started)
  const { parameters } = await app.idp.authorize(asked.href)
  return { asked, parameters }
}

/** Responses that arrive at one host for a sign-in that started at another. */
export const redirectProxyScenarios = [
  scenario(
    'DEC-41c a registered site without the redirect proxy names the host of the sign-in',
    async ({ open }) => {
      const { app, own } = openBoth(open)
      const { parameters } = await askFrom(app, own)
      const registered = open()
      const refused = await registered.agent().send(`/auth/callback/idp?${parameters}`)
      expectError(refused, 'InvalidCheck')
      expect(registered.ended()).toBe('refused')
      expect(registered.errors.at(-1)?.message).toBe(
        'The response belongs to a sign-in that started at https://preview.test. To forward it, set `AUTH_REDIRECT_PROXY_URL` and `redirectProxy.allow` on this host, too',
      )
      // A response for this host, in a browser without its cookies.
      const { parameters: others } = await visitProvider(registered, registered.agent())
      await registered.agent().send(`/auth/callback/idp?${others}`)
      expect(registered.errors.at(-1)?.message).not.toContain('belongs to')
    },
  ),

  scenario(
    'PRV-016 DEC-06c WIR-034 TX-14 a sign-in through the proxy has a state with its origin',
    async ({ open }) => {
      const { app, own } = openBoth(open)
      const { asked } = await askFrom(app, own)
      expect(asked.searchParams.get('redirect_uri')).toBe('https://app.test/auth/callback/idp')
      const state = asked.searchParams.get('state') ?? ''
      expect(await reveal(app, state, 'encodedState')).toMatchObject({
        origin: 'https://preview.test/auth/callback/idp',
        random: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect(Object.keys(own.cookies())).toContain(checkCookies.state)
    },
  ),

  scenario(
    'WIR-035 DEC-14b TX-14 TX-20 the proxy forwards the response, and the original host validates it',
    async ({ open }) => {
      const { app, proxy, own } = openBoth(open)
      const { parameters } = await askFrom(app, own)
      parameters.set('extra', 'kept & whole')
      const hop = await proxy.send(`/auth/callback/idp?${parameters}`)
      expect(hop.status).toBe(302)
      expect(hop.headers.get('location')).toBe(`https://preview.test/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('forwarded')
      expect(hop.headers.getSetCookie()).toEqual([])
      expect(app.idp.requestsTo('token')).toEqual([])

      const stranger = openAgent(preview, app.handle)
      const refused = await stranger.send(`/auth/callback/idp?${parameters}`)
      expect(refused.headers.get('location')).toBe('https://preview.test/auth/error?error=InvalidCheck')
      expect(app.ended()).toBe('refused')
      expect(app.idp.requestsTo('token')).toEqual([])

      const done = await own.send(`/auth/callback/idp?${parameters}`)
      expect(done.headers.get('location')).toBe('https://preview.test')
      expect(app.ended()).toBe('signedIn')
      expect(app.idp.requestsTo('token')[0]?.parameters.get('redirect_uri')).toBe(
        'https://app.test/auth/callback/idp',
      )
      expect(await sessionOf(own)).toMatchObject({ user: { name: 'Ada' } })
      expect(await sessionOf(proxy)).toBeNull()
    },
  ),

  scenario('DEC-14a TX-20 the proxy forwards only states sealed with the secret', async ({ open }) => {
    const { app, proxy } = openBoth(open)
    const evil = { origin: 'https://evil.test/auth/callback/idp' }
    const foreign = open({ config: { ...proxied, secret: 'a secret of another application, long enough' } })
    const other = openAgent('https://evil.test', foreign.handle)
    const sealedByOther = locationOf(await startSignIn(other)).searchParams.get('state') ?? ''
    const expired = await seal(app, evil, 'encodedState')
    app.clock.advance(900)
    const states = [
      'https://evil.test',
      JSON.stringify(evil),
      btoa(JSON.stringify(evil)),
      sealedByOther,
      expired,
      await seal(app, evil, checkCookies.state),
      await seal(app, evil, '__Secure-authjs.session-token'),
    ]
    for (const state of states) {
      const response = await proxy.send(`/auth/callback/idp?code=c&state=${encodeURIComponent(state)}`)
      expectError(response, 'InvalidCheck')
      expect(app.hops.at(-1)?.event).toBe('state.unreadable')
      expect(app.ended()).toBe('refused')
      expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidCheck' })
    }
    expect(secret).not.toBe(foreign.config.secret)
  }),

  scenario('DEC-41a TX-20 the proxy forwards only to origins that it lists or accepts', async ({ open }) => {
    const odd = (value: unknown) => (() => value) as () => boolean
    const refusing = [
      undefined,
      {},
      { allow: [] },
      { allow: ['http://preview.test', 'https://preview.test:8443', 'https://sub.preview.test'] },
      { allow: (origin: string) => origin === 'https://preview.test/' },
      ...[undefined, 1, 'true', {}].map((value) => ({ allow: odd(value) })),
      { allow: async () => false },
    ]
    for (const redirectProxy of refusing) {
      const { app, proxy, own } = openBoth(open, { config: { redirectProxy } })
      const { parameters } = await askFrom(app, own)
      const response = await proxy.send(`/auth/callback/idp?${parameters}`)
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=InvalidCheck')
      expect(app.hops.at(-1)?.event).toBe('hop.forbidden')
      expect(app.ended()).toBe('refused')
      expect(app.errors.at(-1)?.message).toContain('https://preview.test. If this is one of your deployments')
    }
    for (const allow of [[`${preview}/`], (origin: string) => origin === preview, async () => true]) {
      const { app, proxy, own } = openBoth(open, { config: { redirectProxy: { allow } } })
      const { parameters } = await askFrom(app, own)
      const hop = await proxy.send(`/auth/callback/idp?${parameters}`)
      expect(hop.headers.get('location')).toBe(`https://preview.test/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('forwarded')
    }
  }),

  scenario('TX-20 DEC-12a the proxy completes its own sign-ins itself', async ({ open }) => {
    const { app, proxy } = openBoth(open, { provider: { checks: ['state'] } })
    const { parameters } = await visitProvider(app, proxy)
    expect(app.idp.requestsTo('authorize')[0]?.parameters.get('redirect_uri')).toBe(
      'https://app.test/auth/callback/idp',
    )
    await proxy.send(`/auth/callback/idp?${parameters}`)
    expect(app.hops.map(({ event }) => event)).toContain('hop.none')
    expect(app.ended()).toBe('signedIn')
    expect(Object.keys(proxy.cookies())).not.toContain(checkCookies.state)
  }),

  scenario('TX-20 a host that is not the proxy forwards nothing', async ({ open }) => {
    const { app } = openBoth(open)
    const agent = openAgent('https://third.test', app.handle)
    const state = await seal(app, { origin: 'https://evil.test/auth/callback/idp' }, 'encodedState')
    const response = await agent.send(`/auth/callback/idp?code=c&state=${state}`)
    expect(response.headers.get('location')).toBe('https://third.test/auth/error?error=InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('check.missing')
    expect(app.ended()).toBe('refused')
  }),

  scenario('PRV-022 a provider may have its own proxy', async ({ open }) => {
    const { app, own } = openBoth(open, { provider: { redirectProxyUrl: 'https://other.test/auth/' } })
    const { asked } = await askFrom(app, own)
    expect(asked.searchParams.get('redirect_uri')).toBe('https://other.test/auth/callback/idp')
    expect(app.ended()).toBe('sentToProvider')
  }),

  scenario('DEC-06c DEC-06d without any check there is no sign-in through the proxy', async ({ open }) => {
    const { app, own } = openBoth(open, { provider: { checks: ['none'] } })
    const response = await startSignIn(own)
    expect(response.headers.get('location')).toBe('https://preview.test/auth/error?error=Configuration')
    expect(app.hops.at(-1)).toMatchObject({ state: 'mintingChecks', event: 'fault' })
    expect(app.ended()).toBe('faulted')
    expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidConfig' })
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('TX-20 TX-05 the proxy forwards no response to another provider’s callback', async ({ open }) => {
    const client = { name: 'Idp', type: 'oidc', issuer: 'https://idp.test', clientId: 'client' } as const
    const providers = ['idp', 'other', 'prefixed-idp'].map((id) => ({
      ...client,
      id,
      clientSecret: 'client-secret',
    }))
    const { app, proxy, own } = openBoth(open, { providers })
    const asked = locationOf(await startSignIn(own, 'prefixed-idp'))
    for (const id of ['idp', 'other']) {
      asked.searchParams.set('redirect_uri', `https://app.test/auth/callback/${id}`)
      const { parameters } = await app.idp.authorize(asked.href)
      const hop = await proxy.send(`/auth/callback/${id}?${parameters}`)
      expectError(hop, 'InvalidCheck')
      expect(app.ended()).toBe('refused')
      expect(app.errors.at(-1)?.message).toContain('another provider')
    }
  }),
]
