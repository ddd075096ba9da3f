import { expect } from 'vitest'
import { settingsOf } from '../../../src/config/derive-settings.ts'
import { sessionOf, signIn, startSignIn, visitProvider, type AppOptions } from '../../support/app.ts'
import { openAgent } from '../../support/browser-agent.ts'
import { withEnvironment } from '../../support/environment.ts'
import { checkCookies, eventsOf, locationOf, sessionCookie } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const proxied = 'https://login.test/base/auth'

export const configurationScenarios = [
  scenario(
    'CC-07 DEC-33a two configurations in one process do not affect each other, in whatever order they are used',
    async ({ open }) => {
      const one = open({ config: { secret: 'the secret of the first application' } })
      const two = open({
        strategy: 'database',
        config: { secret: 'the secret of the second application', experimental: { enableWebAuthn: true } },
      })
      const three = open({ provider: { id: 'other' }, config: { trustHost: false } })
      const agent = one.agent()
      const other = openAgent('https://app.test', two.handle)
      const [first, second] = [await visitProvider(one, agent), await visitProvider(two, other)]
      expect((await openAgent('https://app.test', three.handle).send('/auth/csrf')).status).toBe(500)
      await other.send(`/auth/callback/idp?${second.parameters}`)
      await agent.send(`/auth/callback/idp?${first.parameters}`)
      expect([one.ended(), two.ended(), three.ended()]).toEqual(['signedIn', 'signedIn', undefined])
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      expect(await sessionOf(other)).toMatchObject({ user: { name: 'Ada' } })
      expect([eventsOf(one), eventsOf(two)]).toEqual([
        ['signIn', 'session'],
        ['createUser', 'linkAccount', 'signIn', 'session'],
      ])
      expect([one.errors, two.errors]).toEqual([[], []])
      expect(two.warnings).toContain('experimental-webauthn')
      expect(one.warnings).not.toContain('experimental-webauthn')

      const lost = one.agent()
      for (const [name, value] of Object.entries(other.cookies()))
        lost.set(`${name}=${value}; Path=/; Secure`)
      expect(await sessionOf(lost)).toBeNull()
      expect(one.ended()).toBe('ended')
      expect((await agent.send('/auth/signin/other', { form: {} })).status).toBe(404)
    },
  ),

  scenario(
    'CFG-029 CFG-030 CFG-031 CFG-032 redirectProxyUrl determines the redirect_uri, with its whole path, and adds a state',
    async ({ open }) => {
      const ways: readonly AppOptions[] = [
        { config: { redirectProxyUrl: proxied } },
        { config: { redirectProxyUrl: `${proxied}/` } },
        { provider: { redirectProxyUrl: proxied } },
        { config: { redirectProxyUrl: 'https://never.test/auth' }, provider: { redirectProxyUrl: proxied } },
      ]
      for (const options of ways) {
        const app = open(options)
        const agent = app.agent()
        const asked = locationOf(await startSignIn(agent))
        expect(app.ended()).toBe('sentToProvider')
        expect(asked.searchParams.get('redirect_uri')).toBe('https://login.test/base/auth/callback/idp')
        expect(asked.searchParams.get('state')?.length).toBeGreaterThan(43)
        expect(Object.keys(agent.cookies())).toContain(checkCookies.state)
      }
      const plain = locationOf(await startSignIn(open().agent()))
      expect(plain.searchParams.get('redirect_uri')).toBe('https://app.test/auth/callback/idp')
      expect(plain.searchParams.has('state')).toBe(false)
    },
  ),

  scenario('CFG-028 DEC-04a the redirect proxy can be set in the environment', async ({ open }) => {
    const app = open()
    withEnvironment({ AUTH_REDIRECT_PROXY_URL: proxied }, () => settingsOf(app.config))
    const asked = locationOf(await startSignIn(app.agent()))
    expect(app.ended()).toBe('sentToProvider')
    expect(asked.searchParams.get('redirect_uri')).toBe('https://login.test/base/auth/callback/idp')
    expect(asked.searchParams.has('state')).toBe(true)
  }),

  scenario(
    'CFG-012 with debug the log contains the path of each flow, and each operation of the store',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const agent = app.agent()
      await signIn(app, agent)
      expect(app.ended()).toBe('signedIn')
      const received = app.debugs.map(({ message }) => message)
      expect(received).toEqual(
        expect.arrayContaining([
          'flow sign-in',
          'flow callback',
          'adapter_createUser',
          'adapter_createSession',
        ]),
      )
      const path = app.debugs.find(({ message }) => message === 'flow callback')?.metadata
      expect(path).toMatchObject({
        ended: 'signedIn',
        path: expect.stringMatching(/^readingResponse -\(response\.read\)-> .* signedIn$/),
      })
      app.idp.misbehave('token:500')
      const failing = open({
        config: { callbacks: { jwt: () => Promise.reject(new Error('why it failed')) } },
      })
      await signIn(failing, failing.agent())
      expect(failing.debugs.at(-1)?.metadata).toMatchObject({
        ended: 'faulted',
        failingState: 'admitting.issuingSession.issuingToken',
        fault: 'why it failed',
      })
      const silent = open({ strategy: 'database', config: { debug: false } })
      await signIn(silent, silent.agent())
      expect(silent.debugs.map(({ message }) => message)).not.toContain('flow callback')
    },
  ),

  scenario(
    'CFG-004 CFG-017 the strategy follows from the adapter, unless it is configured',
    async ({ open }) => {
      const session = { strategy: undefined }
      const stored = open({ strategy: 'database', config: { session } })
      await signIn(stored, stored.agent())
      expect(stored.ended()).toBe('signedIn')
      expect(stored.rows.sessions()).toHaveLength(1)
      const unstored = open({ config: { session } })
      const agent = unstored.agent()
      await signIn(unstored, agent)
      expect(unstored.ended()).toBe('signedIn')
      expect(agent.cookies()[sessionCookie]?.split('.')).toHaveLength(5)
      const named = open({ strategy: 'jwt-stored' })
      await signIn(named, named.agent())
      expect(named.rows.sessions()).toEqual([])
      expect(named.rows.users()).toHaveLength(1)
    },
  ),
]
