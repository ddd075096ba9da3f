import { describe, expect, it } from 'vitest'
import { memoryRevocations } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { JWT, JWTDecodeParams, JWTEncodeParams } from '../../src/types/jwt.ts'
import type { RevocationStore } from '../../src/types/revocation.ts'
import { openApp, origin, secret, sessionOf, signIn, signOut, type AppOptions } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { claimsOf, heldSession, plant, sentCookie, sessionCookie } from '../support/session-cookie.ts'
import { unreachable } from '../support/watch-store.ts'

const day = 86_400

/** A list in memory that records its calls. */
function watched() {
  const list = memoryRevocations()
  const asked: (readonly string[])[] = []
  const added: { readonly key: string; readonly value: number; readonly seconds: number }[] = []
  const revocations: RevocationStore = {
    find(keys) {
      asked.push(keys)
      return list.find(keys)
    },
    add(key, value, seconds) {
      added.push({ key, value, seconds })
      return list.add(key, value, seconds)
    },
  }
  return { revocations, asked, added }
}

function open(config: Partial<AuthConfig> = {}, options: AppOptions = {}) {
  const { jwt, ...others } = config
  const app = openApp({
    ...options,
    config: { ...others, jwt: { revocations: memoryRevocations(), ...jwt } },
  })
  return { app, auth: createAuth(app.config) }
}

/** Another browser with a copy of the session cookie. */
function copyOf(app: ReturnType<typeof openApp>, value: string): Agent {
  const agent = app.agent()
  plant(agent, value)
  return agent
}

function requestOf(agent: Agent): Request {
  return new Request(`${origin}/account`, { headers: { cookie: `${sessionCookie}=${heldSession(agent)}` } })
}

async function userOf(app: ReturnType<typeof openApp>, agent: Agent): Promise<string> {
  return String((await claimsOf(app, heldSession(agent)))['sub'])
}

describe('a revocation list with an encoder of the application', () => {
  it('OPT-049 keeps a session in use whose token has the iat of the sign-in', async () => {
    const keyring = new Map<string, JWT>()
    const encode = ({ token }: JWTEncodeParams) => {
      const text = `token-${keyring.size}`
      keyring.set(text, { iat: 1_893_456_000, ...token })
      return text
    }
    const decode = ({ token }: JWTDecodeParams) => keyring.get(String(token)) ?? null
    const { app } = open({ session: { maxAge: 1000 }, jwt: { encode, decode } })
    const agent = app.agent()
    await signIn(app, agent)
    for (let reads = 0; reads < 8; reads++) {
      app.clock.advance(300)
      expect(await sessionOf(agent)).not.toBeNull()
    }
    const copy = copyOf(app, heldSession(agent))
    await signOut(agent)
    expect(await sessionOf(copy)).toBeNull()
  })
})

describe('a sign-out with a revocation list', () => {
  it('OPT-047 SE-10 CC-03 ends all copies of the cookie, older and newer ones', async () => {
    const { app } = open()
    const agent = app.agent()
    await signIn(app, agent)
    const copies = [heldSession(agent)]
    for (let n = 0; n < 3; n++) {
      app.clock.advance(60)
      await sessionOf(agent)
      copies.push(heldSession(agent))
    }
    expect(new Set(copies).size).toBe(4)
    const thief = copyOf(app, copies[1] ?? '')
    await sessionOf(thief)
    copies.push(heldSession(thief))
    expect((await signOut(agent)).headers.get('location')).toBe(origin)
    for (const copy of copies) {
      const browser = copyOf(app, copy)
      const response = await browser.send('/auth/session')
      expect(await response.json()).toBeNull()
      expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
    }
  })

  it('OPT-047 keeps the revocation until the last copy has expired', async () => {
    const { revocations, added } = watched()
    const { app } = open({ jwt: { revocations, maxAge: 7 * day } })
    const agent = app.agent()
    await signIn(app, agent)
    await signOut(agent)
    expect(added).toHaveLength(1)
    expect(added[0]?.seconds).toBeGreaterThanOrEqual(7 * day + 120)
    expect(added[0]?.seconds).toBeLessThan(8 * day)
  })

  it('OPT-047 leaves the other sessions of the user alone', async () => {
    const { app } = open()
    const [phone, laptop] = [app.agent(), app.agent()]
    for (const agent of [phone, laptop]) await signIn(app, agent)
    await signOut(phone)
    expect(await sessionOf(laptop)).not.toBeNull()
  })

  it('OPT-047 SE-12 fails if the store does not accept the revocation, and clears the cookie', async () => {
    const { app } = open({ jwt: { revocations: { ...memoryRevocations(), add: unreachable } } })
    const agent = app.agent()
    await signIn(app, agent)
    const response = await signOut(agent)
    expect(response.headers.get('location')).toContain('/auth/error?error=')
    expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
    expect(app.ended()).toBe('faulted')
    expect(app.errors.map(({ name }) => name)).toEqual(['SignOutError'])
  })

  it('OPT-047 SE-02 a new sign-in ends the previous session of the browser', async () => {
    const { app } = open()
    const agent = app.agent()
    await signIn(app, agent)
    const before = heldSession(agent)
    await signIn(app, agent)
    expect(await sessionOf(copyOf(app, before))).toBeNull()
    expect(await sessionOf(agent)).not.toBeNull()
  })
})

describe('revokeSessions with a revocation list', () => {
  it('OPT-048 ends all JWT sessions of a user that started before, without an adapter', async () => {
    // Otherwise, each sign-in without an adapter gets a new user id.
    const { app, auth } = open({
      callbacks: {
        jwt: ({ token, account }) => (account ? { ...token, sub: account.providerAccountId } : token),
      },
    })
    const [phone, laptop, bobs] = [app.agent(), app.agent(), app.agent()]
    for (const agent of [phone, laptop]) await signIn(app, agent)
    app.idp.choose('bob')
    await signIn(app, bobs)
    const ada = await userOf(app, phone)
    app.events.length = 0
    expect(await auth.revokeSessions(ada)).toBeNull()
    expect(app.events).toEqual([])
    for (const agent of [phone, laptop]) expect(await sessionOf(agent)).toBeNull()
    expect(await sessionOf(bobs)).not.toBeNull()
    expect(ada).toBe('ada')
  })

  it('OPT-048 ends neither sessions that start later nor those of others', async () => {
    const { app, auth } = open({}, { strategy: 'jwt-stored' })
    const [phone, laptop, bobs] = [app.agent(), app.agent(), app.agent()]
    await signIn(app, phone)
    app.idp.choose('bob')
    await signIn(app, bobs)
    app.idp.choose('ada')
    await auth.revokeSessions(await userOf(app, phone))
    app.clock.advance(1)
    await signIn(app, laptop)
    const live = await Promise.all([phone, laptop, bobs].map(sessionOf))
    expect(live.map((session) => session !== null)).toEqual([false, true, true])
  })

  it('OPT-048 with except, keeps that session, now and after it was extended', async () => {
    const { revocations, added } = watched()
    const { app, auth } = open({ jwt: { revocations } }, { strategy: 'jwt-stored' })
    const [phone, laptop] = [app.agent(), app.agent()]
    for (const agent of [phone, laptop]) await signIn(app, agent)
    const ada = await userOf(app, phone)
    added.length = 0
    await auth.revokeSessions(ada, { except: requestOf(phone) })
    expect(await sessionOf(laptop)).toBeNull()
    for (let n = 0; n < 2; n++) expect(await sessionOf(phone)).not.toBeNull()
    // The entry that keeps the session must not expire before the one that ends the others.
    expect(added[0]?.seconds).toBeGreaterThan(added[1]?.seconds ?? Infinity)
    app.clock.advance(1)
    await auth.revokeSessions(ada)
    expect(await sessionOf(phone)).toBeNull()
  })

  it('OPT-048 with except, keeps no session of another user, and revives none that was signed out', async () => {
    const { app, auth } = open({}, { strategy: 'jwt-stored' })
    const [phone, bobs] = [app.agent(), app.agent()]
    await signIn(app, phone)
    app.idp.choose('bob')
    await signIn(app, bobs)
    const [ada, bob] = [await userOf(app, phone), await userOf(app, bobs)]
    await auth.revokeSessions(ada, { except: requestOf(bobs) })
    expect(await sessionOf(phone)).toBeNull()
    const copy = copyOf(app, heldSession(bobs))
    await signOut(bobs)
    await auth.revokeSessions(bob, { except: requestOf(copy) })
    expect(await sessionOf(copy)).toBeNull()
  })

  it('OPT-048 with except, revives no session that revokeSessions has ended', async () => {
    const { app, auth } = open({}, { strategy: 'jwt-stored' })
    const phone = app.agent()
    await signIn(app, phone)
    const [ada, held] = [await userOf(app, phone), requestOf(phone)]
    await auth.revokeSessions(ada)
    app.clock.advance(1)
    await auth.revokeSessions(ada, { except: held })
    expect(await sessionOf(phone)).toBeNull()
  })

  it('OPT-048 deleteUser ends the JWT sessions of the user', async () => {
    const { app, auth } = open({}, { strategy: 'jwt-stored' })
    const [phone, bobs] = [app.agent(), app.agent()]
    await signIn(app, phone)
    app.idp.choose('bob')
    await signIn(app, bobs)
    await auth.deleteUser(await userOf(app, phone))
    expect(await sessionOf(phone)).toBeNull()
    expect(await sessionOf(bobs)).not.toBeNull()
  })

  it('OPT-048 rejects if the store fails, or does not respond in time', async () => {
    const failing = open({ jwt: { revocations: { ...memoryRevocations(), add: unreachable } } })
    await expect(failing.auth.revokeSessions('ada')).rejects.toThrow()
    const hanging = open({ jwt: { revocations: { find: () => [], add: () => new Promise(() => {}) } } })
    const asked = hanging.auth.revokeSessions('ada')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    hanging.app.clock.advance(31)
    await expect(asked).rejects.toThrow('took longer than')
  })

  it('OPT-045 OPT-048 validates the user id first', async () => {
    const { revocations, added } = watched()
    const { auth } = open({ jwt: { revocations } })
    for (const id of ['', undefined, null] as const)
      await expect((auth.revokeSessions as (id: unknown) => Promise<unknown>)(id)).rejects.toThrow(TypeError)
    expect(added).toEqual([])
  })
})

describe('reading a session with a revocation list', () => {
  it('OPT-049 a store that fails signs nobody in, and keeps the cookie', async () => {
    const failures: RevocationStore['find'][] = [
      unreachable,
      async () => unreachable(),
      () => undefined as never,
      () => [],
      (keys) => keys.map(() => undefined) as never,
      (keys) => keys.map(() => Number.NaN),
      (keys) => keys.map(() => '0') as never,
    ]
    for (const find of failures) {
      let current: RevocationStore['find'] = (keys) => keys.map(() => null)
      const { app } = open({ jwt: { revocations: { find: (keys) => current(keys), add: () => {} } } })
      const agent = app.agent()
      await signIn(app, agent)
      const held = heldSession(agent)
      current = find
      const response = await agent.send('/auth/session')
      expect(response.status).toBe(503)
      expect(await response.json()).toBeNull()
      expect(heldSession(agent)).toBe(held)
      expect(app.ended()).toBe('unavailable')
    }
  })

  it('OPT-049 a store that does not respond signs nobody in', async () => {
    let isHanging = false
    const find: RevocationStore['find'] = (keys) => (isHanging ? new Promise(() => {}) : keys.map(() => null))
    const { app } = open({ jwt: { revocations: { find, add: () => {} } } })
    const agent = app.agent()
    await signIn(app, agent)
    isHanging = true
    const asked = agent.send('/auth/session')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    app.clock.advance(31)
    expect((await asked).status).toBe(503)
  })

  it('OPT-049 OPT-006 works beside isRevoked', async () => {
    let isRevoked = false
    const { app, auth } = open({ jwt: { isRevoked: () => isRevoked } }, { strategy: 'jwt-stored' })
    const [phone, laptop] = [app.agent(), app.agent()]
    for (const agent of [phone, laptop]) await signIn(app, agent)
    expect(await sessionOf(phone)).not.toBeNull()
    await auth.revokeSessions(await userOf(app, phone), { except: requestOf(laptop) })
    expect(await sessionOf(phone)).toBeNull()
    expect(await sessionOf(laptop)).not.toBeNull()
    isRevoked = true
    expect(await sessionOf(laptop)).toBeNull()
  })

  it('OPT-049 refuses tokens that nothing can revoke: without the claim, and older than jwt.maxAge', async () => {
    const { app } = open({ jwt: { maxAge: day } })
    const keys = createKeyring([secret], systemPlatform)
    const now = app.clock.now()
    const seal = (claims: JWT, age = 0) =>
      keys.seal(claims, { salt: sessionCookie, maxAge: 30 * day, now: now - age * 1000 })
    const revocable = { session: 'AAAAAAAAAAAAAAAAAAAAAA', at: now }
    const opens = async (token: string | Promise<string>) =>
      (await sessionOf(copyOf(app, await token))) !== null
    expect(await opens(seal({ sub: '1', name: 'Ada', revocable }))).toBe(true)
    expect(await opens(seal({ sub: '1', name: 'Ada' }))).toBe(false)
    expect(await opens(seal({ sub: '1', name: 'Ada', revocable: { session: 1 } }))).toBe(false)
    expect(await opens(seal({ sub: '1', name: 'Ada', revocable }, day - 1))).toBe(true)
    expect(await opens(seal({ sub: '1', name: 'Ada', revocable }, day))).toBe(false)
  })

  it('OPT-049 callbacks and clients cannot change what revokes a session', async () => {
    const changes: NonNullable<AuthConfig['callbacks']>['jwt'][] = [
      ({ token: { sub } }) => ({ sub: sub ?? '' }),
      ({ token, session }) => Object.assign(token, session, { revocable: { session: 'mine', at: Infinity } }),
      ({ token }) => {
        Object.assign(token['revocable'] ?? {}, { session: 'mine', at: Infinity })
        return token
      },
    ]
    for (const jwt of changes) {
      const { app } = open({
        callbacks: {
          ...(jwt && { jwt }),
          session({ session, token }) {
            Object.assign(token['revocable'] ?? {}, { session: 'theirs' })
            return session
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const first = heldSession(agent)
      await sessionOf(agent)
      expect((await claimsOf(app, heldSession(agent)))['revocable']).toEqual(
        (await claimsOf(app, first))['revocable'],
      )
      await signOut(agent)
      expect(await sessionOf(copyOf(app, first))).toBeNull()
    }
  })

  it('OPT-049 asks the store once for each read, and for nothing that identifies the user', async () => {
    const { revocations, asked } = watched()
    const { app } = open({ jwt: { revocations } }, { strategy: 'jwt-stored' })
    const agent = app.agent()
    await signIn(app, agent)
    await sessionOf(agent)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.map((key) => key.length)).toEqual([22, 43])
  })

  it('OPT-049 without the option, a token has no other claims than before', async () => {
    const app = openApp()
    const agent = app.agent()
    await signIn(app, agent)
    expect(Object.keys(await claimsOf(app, heldSession(agent))).toSorted()).toEqual([
      'email',
      'exp',
      'iat',
      'jti',
      'name',
      'picture',
      'sub',
    ])
  })
})
