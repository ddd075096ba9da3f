import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createEdgeAuth } from '../../src/instance/create-edge-auth.ts'
import { openApp, origin, signIn, type AppOptions } from '../support/app.ts'
import { withEnvironment } from '../support/environment.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'

const accepted = { browser: 'text/html', script: '*/*' }

/** Describes what a function returned, without the ciphertext of tokens. */
async function describeFound(found: unknown): Promise<unknown> {
  if (found instanceof Response)
    return { status: found.status, headers: [...found.headers], body: await found.text() }
  const text = JSON.stringify(found)
  return JSON.parse(text.replace(/eyJ[\w.-]+/g, 'a token')) as unknown
}

describe('createEdgeAuth', () => {
  async function expectSame(options: AppOptions, state: 'expired' | 'signed in' | 'visitor') {
    const app = openApp(options)
    const agent = app.agent()
    if (state !== 'visitor') await signIn(app, agent)
    app.clock.advance(state === 'expired' ? 1e9 : 60)
    for (const accept of Object.values(accepted)) {
      const cookie = `${sessionCookie}=${heldSession(agent)}`
      const read = async ({ getSession, getSessionWithCookies, requireSession }: typeof instance) => {
        const request = () => new Request(`${origin}/members`, { headers: { accept, cookie } })
        const found = [await getSession(request()), await getSessionWithCookies(request())]
        return Promise.all([...found, await requireSession(request())].map(describeFound))
      }
      const instance = createEdgeAuth(app.config)
      const found = await read(instance)
      expect(found).toEqual(await read(createAuth(app.config)))
      expect(found[0] !== null).toBe(state === 'signed in')
    }
  }

  it.each(['jwt', 'database'] as const)(
    'EMB-029 reads sessions as createAuth does (%s)',
    async (strategy) => {
      const options = { strategy, config: { session: { maxAge: 86_400 } } }
      for (const state of ['signed in', 'visitor', 'expired'] as const) await expectSame(options, state)
    },
  )

  it('EMB-029 reads the environment as createAuth does', () =>
    withEnvironment({ AUTH_URL: 'https://canonical.test/accounts' }, async () => {
      const { config } = openApp({ config: { basePath: undefined } })
      const request = new Request(`${origin}/members`, { headers: { accept: 'text/html' } })
      const refused = await createEdgeAuth(Object.freeze(config)).requireSession(request)
      if (!(refused instanceof Response)) throw new Error('Access was granted')
      expect(refused.headers.get('location')).toMatch(/^https:\/\/canonical\.test\/accounts\/signin\?/)
    }))

  it('EMB-029 rejects if the configuration is faulty', async () => {
    const { config } = openApp({ config: { trustHost: false } })
    const { getSession } = createEdgeAuth(config)
    await expect(getSession(new Request(origin))).rejects.toMatchObject({ type: 'UntrustedHost' })
  })
})
