import { expect } from 'vitest'
import { platform } from '../../../src/types/symbols.ts'
import type { CookieSerializeOptions } from '../../../src/types/cookies.ts'
import { sessionOf, signIn, signOut, type App, type AppOptions } from '../../support/app.ts'
import { openAgent } from '../../support/browser-agent.ts'
import { sentCookies } from '../../support/session-cookie.ts'
import { sessionCookie } from '../expectations.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'

const site = 'https://www.app.test'
const padding = { jwt: ({ token }: { token: object }) => ({ ...token, padding: '0'.repeat(9000) }) }

/** Opens a site whose session cookie gets other attributes, and a browser with a session from before. */
async function openChanged(
  open: Stage['open'],
  changes: readonly CookieSerializeOptions[],
  options: AppOptions,
) {
  const configure = (attributes: CookieSerializeOptions, first?: App) => {
    const shared = first && { [platform]: { now: first.clock.now, fetch: first.idp.fetch } }
    const cookies = { sessionToken: { options: attributes } }
    return open({
      ...options,
      ...(first && { wrap: () => first.store }),
      config: { ...options.config, ...shared, cookies },
    })
  }
  const [before = {}, after = {}] = changes
  const app = configure(before)
  const changed = configure(after, app)
  let deployed = app
  const agent = openAgent(site, (request) => deployed.handle(request))
  await signIn(app, agent)
  // Tokens name the second in which they were issued.
  app.clock.advance(1000)
  const deploy = () => (deployed = changed)
  return {
    app,
    agent,
    deploy,
    redeploy: () => (deployed = app),
    held: () => (agent.jar.serializeSync()?.cookies ?? []).filter(({ value }) => value),
  }
}

const isSession = ({ key }: { key?: string | null }) => key?.startsWith(sessionCookie) === true

const domain = { domain: 'app.test' }
const changes: readonly (readonly CookieSerializeOptions[])[] = [
  [{}, domain],
  [domain, {}],
  [{ path: '/auth' }, {}],
  [{}, { path: '/auth' }],
  [{}, { ...domain, path: '/auth' }],
]
const strategies: readonly AppOptions[] = [
  { strategy: 'jwt' },
  { strategy: 'database' },
  { strategy: 'jwt', config: { callbacks: padding } },
]

/** A session cookie whose attributes the configuration changes, in browsers that hold the earlier one. */
export const changedCookieScenarios = [
  scenario('CK-17 users sign out after the attributes of the session cookie changed', async ({ open }) => {
    for (const change of changes)
      for (const options of strategies)
        for (const isRead of [false, true]) {
          const { agent, deploy, held } = await openChanged(open, change, options)
          deploy()
          if (isRead) expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
          await signOut(agent)
          expect(await sessionOf(agent)).toBeNull()
          expect(held().filter(isSession)).toEqual([])
        }
  }),

  scenario('CK-17 the user who signed in last counts, and one token is left', async ({ open }) => {
    for (const change of changes)
      for (const options of strategies) {
        const { app, agent, deploy, held } = await openChanged(open, change, options)
        deploy()
        app.idp.choose('bob')
        // With a store, the other identity would be linked.
        if (options.strategy === 'database') await signOut(agent)
        await signIn(app, agent)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Bob' } })
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Bob' } })
        const variants = held().filter(isSession)
        const places = new Set(variants.map(({ domain, path }) => [domain, path].join()))
        expect(places.size).toBe(1)
      }
  }),

  scenario('CK-17 a change back leaves nobody signed in after a sign-out', async ({ open }) => {
    for (const options of strategies) {
      const { app, agent, deploy, held, redeploy } = await openChanged(open, [{}, domain], options)
      for (const move of [deploy, redeploy, deploy]) {
        move()
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        await signOut(agent)
        expect(await sessionOf(agent)).toBeNull()
        await signIn(app, agent)
      }
      expect(
        new Set(
          held()
            .filter(isSession)
            .map(({ domain }) => domain),
        ).size,
      ).toBe(1)
    }
  }),

  scenario('CK-17 CK-08 a response sets a name twice only while its scope changes', async ({ open }) => {
    for (const change of [...changes, [domain, domain]]) {
      const { agent, deploy } = await openChanged(open, change, { strategy: 'jwt' })
      deploy()
      const twice = async () => {
        const keys = sentCookies(await agent.send('/auth/session')).map(({ key }) => key)
        return keys.length > new Set(keys).size
      }
      expect([await twice(), await twice()]).toEqual([change[0] !== change[1], false])
    }
  }),

  scenario('CK-17 a sign-out clears the token under the name of another prefix', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const plain = open({ strategy, config: { useSecureCookies: false } })
      const shared = { [platform]: { now: plain.clock.now, fetch: plain.idp.fetch } }
      const secure = open({ strategy, wrap: () => plain.store, config: shared })
      let deployed = plain
      const agent = openAgent(site, (request) => deployed.handle(request))
      await signIn(plain, agent)
      deployed = secure
      expect(await sessionOf(agent)).toBeNull()
      await signIn(plain, agent)
      await signOut(agent)
      expect(Object.keys(agent.cookies()).filter((name) => name.includes('session-token'))).toEqual([])
      deployed = plain
      expect(await sessionOf(agent)).toBeNull()
    }
  }),

  scenario(
    'CK-17 an invalid cookie of the same name neither hides a session nor is cleared',
    async ({ open }) => {
      for (const options of strategies) {
        const { agent, held } = await openChanged(open, [{}, {}], options)
        agent.set(`${sessionCookie}=another-application; Domain=app.test; Path=/auth; Secure`)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        await signOut(agent)
        const left = held().filter(isSession)
        expect(left.map(({ value }) => value)).toEqual(['another-application'])
      }
    },
  ),
]
