import { expect } from 'vitest'
import { decode, encode } from '../../../src/jwt.ts'
import { platform } from '../../../src/types/symbols.ts'
import type { JWTDecodeParams, JWTEncodeParams } from '../../../src/types/jwt.ts'
import { csrfOf, origin, sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { heldSession, sentExpiry, sessionCookie } from '../../support/session-cookie.ts'
import { scenario, type Stage } from '../scenario.ts'

const old = 'the old secret of the application, 1'
const fresh = 'the new secret of the application, 2'
const foreign = 'a secret of another application, long enough'

/** The same browser at the same application, restarted with another secret. */
async function restart(
  open: Stage['open'],
  { app, agent }: { app: App; agent: Agent },
  secret: readonly string[],
) {
  const next = open({ config: { secret: [...secret], [platform]: app.config[platform] } })
  const same = next.agent()
  for (const cookie of await agent.jar.getCookies(origin)) await same.jar.setCookie(cookie, origin)
  return { app: next, agent: same }
}

const headerOf = (token: string) =>
  JSON.parse(atob(token.split('.')[0]?.replaceAll('-', '+') ?? '')) as object

export const secretScenarios = [
  scenario('CFG-018 CFG-017 a JWT session is an encrypted token', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await signIn(app, agent)
    expect(app.ended()).toBe('signedIn')
    const token = heldSession(agent)
    expect(headerOf(token)).toMatchObject({ alg: 'dir', enc: 'A256CBC-HS512' })
    expect(token.split('.')).toHaveLength(5)
    expect(
      token
        .split('.')
        .map((part) => atob(part.replaceAll('-', '+').replaceAll('_', '/')))
        .join(),
    ).not.toContain('ada@')
  }),

  scenario(
    'CFG-033 CFG-034 CFG-035 with a list of secrets the first encrypts tokens, and all decrypt them',
    async ({ open }) => {
      const app = open({ config: { secret: old } })
      const agent = app.agent()
      await signIn(app, agent)
      const token = heldSession(agent)

      const after = await restart(open, { app, agent }, [fresh, old])
      expect(await sessionOf(after.agent)).toMatchObject({ user: { name: 'Ada' } })
      expect(after.app.ended()).toBe('presented')

      const renewed = heldSession(after.agent)
      const salt = sessionCookie
      expect(renewed).not.toBe(token)
      const opens = async (secret: string) => (await decode({ token: renewed, secret, salt }))?.name
      expect(await opens(fresh)).toBe('Ada')
      expect(await opens(old)).toBeUndefined()

      const lost = await restart(open, { app, agent }, [fresh, foreign])
      expect(await sessionOf(lost.agent)).toBeNull()
      expect(lost.app.ended()).toBe('ended')
    },
  ),

  scenario(
    'CFG-033 RO-03 DEC-25a a sign-in in progress survives a change of the secret',
    async ({ open }) => {
      const app = open({ config: { secret: old } })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      const token = await csrfOf(agent)

      const finish = async (secret: readonly string[]) => {
        const after = await restart(open, { app, agent }, secret)
        expect((await csrfOf(after.agent)) === token).toBe(secret.includes(old))
        await after.agent.send(`/auth/callback/idp?${parameters}`)
        return after.app.ended()
      }
      expect(await finish([fresh, foreign])).toBe('refused')
      expect(await finish([fresh, old])).toBe('signedIn')
    },
  ),

  scenario(
    'TOK-002 TOK-003 CFG-019 DEC-24c jwt.encode and decode replace the built-in ones',
    async ({ open }) => {
      const encoded: JWTEncodeParams[] = []
      const decoded: JWTDecodeParams[] = []
      const jwt = {
        maxAge: 60,
        encode: (params: JWTEncodeParams) => {
          encoded.push(params)
          return Promise.resolve(btoa(JSON.stringify(params.token)).replaceAll('=', ''))
        },
        decode: (params: JWTDecodeParams) => {
          decoded.push(params)
          return JSON.parse(atob(params.token ?? '')) as object & Record<string, unknown>
        },
      }
      const app = open({ config: { jwt, secret: [fresh, old] } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(app.ended()).toBe('signedIn')
      expect(encoded).toMatchObject([
        { salt: sessionCookie, maxAge: 60, secret: [fresh, old], token: { name: 'Ada' } },
      ])
      expect(sentExpiry(response)).toBe(app.clock.now() + 60_000)
      const value = heldSession(agent)
      expect(JSON.parse(atob(value))).toMatchObject({ name: 'Ada', sub: expect.any(String) })
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      expect(app.ended()).toBe('presented')
      expect(decoded).toEqual([{ token: value, salt: sessionCookie, secret: [fresh, old] }])
    },
  ),

  scenario('TOK-001 LIM-003 a session token lasts 30 days, or as long as jwt.maxAge', async ({ open }) => {
    for (const [jwt, seconds] of [
      [undefined, 2_592_000],
      [{ maxAge: 90 }, 90],
    ] as const) {
      const app = open({ config: { jwt } })
      const agent = app.agent()
      await signIn(app, agent)
      const token = heldSession(agent)
      app.clock.advance(seconds - 1)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      expect(app.ended()).toBe('presented')
      agent.set(`${sessionCookie}=${token}; Path=/; Secure`)
      app.clock.advance(1)
      expect(await sessionOf(agent)).toBeNull()
      expect(app.ended()).toBe('ended')
    }
  }),

  scenario(
    'TOK-002 CFG-019 an application may override only one of jwt.encode and jwt.decode',
    async ({ open }) => {
      const salt = sessionCookie
      const app = open({
        config: {
          jwt: {
            encode: ({ token, secret, maxAge }) =>
              encode({ token: { ...token, mine: 1 }, secret, maxAge, salt }),
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      expect(app.ended()).toBe('signedIn')
      expect(await decode({ token: heldSession(agent), secret: app.config.secret, salt })).toMatchObject({
        mine: 1,
        name: 'Ada',
      })
    },
  ),
]
