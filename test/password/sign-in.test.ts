import crypto from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashPassword, Password, type PasswordOptions } from '../../src/password.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'
import { type AppOptions, csrfOf, openApp, sessionOf } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { watching, type Call } from '../support/watch-store.ts'

afterEach(() => vi.restoreAllMocks())

const parameters = '$scrypt$ln=4,r=8,p=1'
const password = 'correct horse battery staple'
const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: null, image: null }

function openPasswordApp(options: Partial<PasswordOptions> = {}, more: AppOptions = {}) {
  const provider = Password({ sendLink() {}, parameters, ...options })
  return openApp({ strategy: 'database', providers: [provider], ...more })
}

async function signIn(agent: Agent, email: string, given = password) {
  const csrfToken = await csrfOf(agent)
  return agent.send('/auth/callback/password', { form: { csrfToken, email, password: given } })
}

/** What a stranger sees of a response. */
async function seen(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''))
  return { status: response.status, headers, cookies, body: await response.text() }
}

describe('a sign-in with a password', () => {
  it('PW-01 gets a session, whatever the case of the address', async () => {
    const app = openPasswordApp()
    await app.store.createUser(ada)
    await app.store.setPassword('ada', await hashPassword(password, parameters))
    const agent = app.agent()
    await signIn(agent, ' Ada@Example.com')
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('PW-02 is refused in the same way with a wrong password, for an unknown address, and without a password', async () => {
    const calls: Call[] = []
    const app = openPasswordApp({}, { wrap: watching(calls) })
    await app.store.createUser(ada)
    await app.store.createUser({ ...ada, id: 'bob', email: 'bob@example.com' })
    await app.store.setPassword('ada', await hashPassword(password, parameters))
    const results = []
    for (const email of ['ada@example.com', 'eve@example.com', 'bob@example.com']) {
      calls.length = 0
      const derive = vi.spyOn(crypto, 'scrypt')
      const response = await seen(await signIn(app.agent(), email, 'wrong'))
      const work = derive.mock.calls.length
      derive.mockRestore()
      results.push({ ...response, work, calls: calls.map(({ operation }) => operation) })
    }
    expect(results[0]?.work).toBe(1)
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
    expect(app.ended()).toBe('declined')
  })

  it('PW-15 gets status 429 beyond the queue, and no server error', async () => {
    const app = openPasswordApp()
    await app.store.createUser(ada)
    const agents = Array.from({ length: 110 }, () => app.agent())
    const tokens = await Promise.all(agents.map(csrfOf))
    const responses = await Promise.all(
      agents.map(async (agent, n) =>
        agent.send('/auth/callback/password', {
          form: { csrfToken: tokens[n] ?? '', email: 'ada@example.com', password: 'wrong' },
          headers: { 'x-auth-return-redirect': '1' },
        }),
      ),
    )
    const errors = await Promise.all(
      responses.map(async (response) => {
        const { url } = (await response.json()) as { readonly url: string }
        return `${response.status} ${new URL(url).searchParams.get('error')}`
      }),
    )
    expect(errors.filter((error) => error === '429 RateLimited')).toHaveLength(8)
    expect(new Set(errors)).toEqual(new Set(['200 CredentialsSignin', '429 RateLimited']))
  })

  it('PW-02 does not match a user whose address the store considers equal', async () => {
    const app = openPasswordApp(
      {},
      {
        wrap: (adapter) => ({ ...adapter, getUserByEmail: async () => ada }),
      },
    )
    await app.store.createUser(ada)
    await app.store.setPassword('ada', await hashPassword(password, parameters))
    await signIn(app.agent(), 'ädä@example.com')
    expect(app.ended()).toBe('declined')
  })

  it('PW-03 replaces a hash with other parameters, once, and only if the password is right', async () => {
    const app = openPasswordApp()
    await app.store.createUser(ada)
    const old = await hashPassword(password, '$scrypt$ln=3,r=8,p=1')
    await app.store.setPassword('ada', old)
    await signIn(app.agent(), ada.email, 'wrong')
    expect(await app.store.getPassword('ada')).toBe(old)
    await signIn(app.agent(), ada.email)
    const renewed = await app.store.getPassword('ada')
    expect(renewed?.startsWith(`${parameters}$`)).toBe(true)
    await signIn(app.agent(), ada.email)
    expect(app.ended()).toBe('signedIn')
    expect(await app.store.getPassword('ada')).toBe(renewed)
  })

  it('PW-03 PW-05 does not undo a reset that happens at the same time', async () => {
    const reset = await hashPassword('another password', parameters)
    const app = openPasswordApp(
      {},
      {
        wrap: (adapter) => ({
          ...adapter,
          async setPassword(...args) {
            await app.store.setPassword('ada', reset)
            return app.store.setPassword(...args)
          },
        }),
      },
    )
    await app.store.createUser(ada)
    await app.store.setPassword('ada', await hashPassword(password, '$scrypt$ln=3,r=8,p=1'))
    await signIn(app.agent(), ada.email)
    expect(await app.store.getPassword('ada')).toBe(reset)
  })

  it('PW-03 accepts a hash of another format with verifyLegacy, and replaces it', async () => {
    const verifyLegacy = vi.fn((hash: string, given: string) => hash === `md5:${given.length}`)
    const app = openPasswordApp({ verifyLegacy })
    await app.store.createUser(ada)
    await app.store.setPassword('ada', `md5:${password.length}`)
    await signIn(app.agent(), ada.email, 'wrong')
    expect(app.ended()).toBe('declined')
    await signIn(app.agent(), ada.email)
    expect(app.ended()).toBe('signedIn')
    expect(await app.store.getPassword('ada')).toMatch(/^\$scrypt/)
  })

  it('PW-16 answers a user whose hash cannot be verified as one who does not exist', async () => {
    const failures: Parameters<typeof openPasswordApp>[0][] = [
      {},
      {
        verifyLegacy: () => {
          throw new Error('the database of hashes is gone')
        },
      },
    ]
    for (const options of failures) {
      const app = openPasswordApp(options)
      await app.store.createUser(ada)
      for (const hash of [
        '$2b$10$x',
        'md5:1',
        '$argon2id$v=19$m=19456,t=99,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo',
      ]) {
        await app.store.setPassword('ada', hash)
        const known = await signIn(app.agent(), ada.email)
        const unknown = await signIn(app.agent(), 'nobody@example.com')
        expect([known.status, known.headers.get('location')]).toEqual([
          unknown.status,
          unknown.headers.get('location'),
        ])
        expect(app.errors.some(({ name }) => name === 'CallbackRouteError')).toBe(true)
      }
    }
  })

  it('PW-16 does the same work for a legacy hash, another hash and no user', async () => {
    const verifyLegacy = vi.fn((hash: string, given: string) => hash === `md5:${given}`)
    const app = openPasswordApp({ verifyLegacy, legacyExample: 'md5:example' })
    await app.store.createUser(ada)
    const count = async (email: string, typed: string) => {
      const hashing = vi.spyOn(crypto, 'scrypt')
      verifyLegacy.mockClear()
      await signIn(app.agent(), email, typed)
      const done = [hashing.mock.calls.length, verifyLegacy.mock.calls.length]
      hashing.mockRestore()
      return done
    }
    await app.store.setPassword('ada', 'md5:legacy')
    expect(await count(ada.email, 'wrong')).toEqual([1, 1])
    expect(await count('nobody@example.com', 'wrong')).toEqual([1, 1])
    // The example belongs to nobody.
    await count('nobody@example.com', 'example')
    expect(app.ended()).toBe('declined')
    await app.store.setPassword('ada', await hashPassword(password, '$scrypt$ln=3,r=8,p=1'))
    expect(await count(ada.email, 'wrong')).toEqual([1, 1])
    await count(ada.email, 'example')
    expect(app.ended()).toBe('declined')
  })

  it('PW-17 accepts an imported hash of the NFKC form, and replaces it', async () => {
    const typed = 'ﬁsh-and-chips-１２３４'
    const app = openPasswordApp()
    await app.store.createUser(ada)
    const hash = await hashPassword(typed.normalize('NFKC'), '$scrypt$ln=3,r=8,p=1')
    await app.store.setPassword('ada', hash)
    await signIn(app.agent(), ada.email, `${typed}!`)
    expect(app.ended()).toBe('declined')
    await signIn(app.agent(), ada.email, typed)
    expect(app.ended()).toBe('signedIn')
    expect(await app.store.getPassword('ada')).not.toBe(hash)
    await signIn(app.agent(), ada.email, typed)
    expect(app.ended()).toBe('signedIn')
  })

  it('PW-12 fails without revealing the hash if its format is unknown', async () => {
    const app = openPasswordApp()
    await app.store.createUser(ada)
    await app.store.setPassword('ada', '$2b$10$secret')
    const response = await signIn(app.agent(), ada.email)
    const unknown = await signIn(app.agent(), 'nobody@example.com')
    expect(response.headers.get('location')).toContain('error=CredentialsSignin')
    expect(response.headers.get('location')).toBe(unknown.headers.get('location'))
    expect(app.errors[0]?.cause).toMatchObject({ err: { message: expect.stringContaining('verifyLegacy') } })
    expect(JSON.stringify([app.errors, app.debugs, app.events])).not.toMatch(/secret'|\$2b|correct horse/)
  })

  it.each([
    ['a longer one that starts the same', `${'a'.repeat(1024)}b`, 'a'.repeat(1024)],
    ['one that is too long, for the hash of the empty text', 'b'.repeat(1025), ''],
  ])('PW-06 refuses %s', async (_, given, stored) => {
    const app = openPasswordApp()
    await app.store.createUser(ada)
    await app.store.setPassword('ada', await hashPassword(stored, parameters))
    await signIn(app.agent(), ada.email, given)
    expect(app.ended()).toBe('declined')
  })

  it('PW-02 calls neither store nor hash for text that is not an address', async () => {
    const calls: Call[] = []
    const app = openPasswordApp({}, { wrap: watching(calls) })
    await signIn(app.agent(), 'ada')
    expect(app.ended()).toBe('declined')
    expect(calls).toEqual([])
  })

  it('RL-03 names its account to the rate limit', async () => {
    const asked: RateLimitParams[] = []
    const rateLimit = (attempt: RateLimitParams) => Boolean(asked.push(attempt))
    const app = openPasswordApp({}, { config: { callbacks: { rateLimit } } })
    await signIn(app.agent(), 'Ada@Example.com')
    await signIn(app.agent(), 'ada')
    expect(asked).toMatchObject([{ account: 'ada@example.com' }, { account: 'ada' }])
  })
})

describe('the options of Password', () => {
  it.each([
    [{ minLength: 7 }, '`minLength` of `Password` must be an integer from 8 to 64, got 7'],
    [{ minLength: 65 }, 'got 65'],
    [{ minLength: 8.5 }, 'got 8.5'],
    [{ maxAge: 0 }, '`maxAge` of `Password` must be a positive number of seconds, at most 30 days, got 0'],
    [{ maxAge: 1e300 }, 'got 1e+300'],
    [{ checkBreached: 'yes' as never }, '`checkBreached` of `Password` must be true, false or a function'],
    [{ verifyLegacy: 'x' as never }, '`verifyLegacy` of `Password` must be a function'],
    [{ maxAge: Number.NaN }, 'got NaN'],
    [{ parameters: 'bcrypt' }, '`parameters` must look like'],
    [{ sendLink: undefined as never }, '`sendLink` of `Password` must be a function'],
  ])('are refused: %j', (options, message) => {
    expect(() => Password({ sendLink() {}, ...options })).toThrow(message)
  })

  it('are refused if there are none', () => {
    expect(() => (Password as () => unknown)()).toThrow('`sendLink` of `Password` must be a function')
  })

  it('PW-14 need an adapter with the operations', async () => {
    const message = async (options: AppOptions) => {
      const app = openPasswordApp({}, options)
      expect((await app.agent().send('/auth/session')).status).toBe(500)
      return app.errors[0]?.message
    }
    expect(await message({ strategy: 'jwt' })).toContain('Sign-in by password needs an adapter')
    for (const name of ['getPassword', 'setPassword', 'deletePassword', 'listSessionsByUserId'] as const)
      expect(await message({ wrap: (adapter) => ({ ...adapter, [name]: undefined }) })).toContain(name)
    const lacking = openPasswordApp(
      {},
      {
        strategy: 'jwt-stored',
        wrap: (adapter) => ({ ...adapter, listSessionsByUserId: undefined }),
      },
    )
    expect((await lacking.agent().send('/auth/session')).status).toBe(200)
  })
})
