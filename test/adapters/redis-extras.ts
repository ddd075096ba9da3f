import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redisAdapter } from '../../src/adapters/redis.ts'
import type { AdapterAccount, AdapterUser } from '../../src/types/adapter.ts'
import { locationOf } from '../flows/expectations.ts'
import { openApp, origin, visitProvider } from '../support/app.ts'
import type { RedisServer } from '../support/redis.ts'
import type { OpenClient } from './redis-clients.ts'

const day = 86_400_000
const user = { id: 'u', email: 'ada@example.com', emailVerified: null }
const account = { userId: 'u', type: 'oauth', provider: 'p', providerAccountId: 'a' } as const
const passkey = {
  userId: 'u',
  credentialID: 'c',
  credentialPublicKey: 'k',
  counter: 0,
  credentialBackedUp: true,
  credentialDeviceType: 'multiDevice',
  providerAccountId: 'c',
}
const at = (key: string) => `{authmachine}:1:${key}`

/** Tests of the Redis adapter beyond the contract, with each client. `open` returns a client of an empty server. */
export function judgeRedis(name: string, open: () => Promise<OpenClient>, server: () => RedisServer): void {
  const openSeeded = async () => {
    const { client, send } = await open()
    const store = redisAdapter(client)
    await store.createUser(user)
    const expires = new Date(Date.now() + day)
    return { store, send, client, expires, late: (by: number) => new Date(expires.getTime() + by) }
  }

  it(`WA-14 the Redis adapter stores the backup state of a passkey with its counter: ${name}`, async () => {
    const { store } = await openSeeded()
    await store.createAuthenticator(passkey)
    for (const [counter, credentialBackedUp] of [false, true].entries()) {
      await store.updateAuthenticatorCounter('c', counter + 1, { counter }, { credentialBackedUp })
      expect(await store.getAuthenticator('c')).toMatchObject({ counter: counter + 1, credentialBackedUp })
    }
  })

  describe(`the keys of the Redis adapter: ${name}`, { timeout: 30_000 }, () => {
    it('CB-08 have the documented names and types, and one hash tag', async () => {
      const { store, send, expires } = await openSeeded()
      await store.linkAccount(account)
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      await store.createVerificationToken({ identifier: user.email, token: 'h', expires })
      await store.createAuthenticator(passkey)
      const keys = ((await send('KEYS', '*')) as string[]).toSorted()
      const types = await Promise.all(keys.map(async (key) => [key, await send('TYPE', key)]))
      expect(types).toEqual([
        [at('account:["p","a"]'), 'hash'],
        [at('accounts-of:u'), 'zset'],
        [at('authenticator:c'), 'hash'],
        [at('authenticators-of:u'), 'zset'],
        [at('email:ada@example.com'), 'string'],
        [at('session:t'), 'hash'],
        [at('sessions-of:u'), 'zset'],
        [at('token:["ada@example.com","h"]'), 'hash'],
        [at('user:u'), 'hash'],
      ])
      expect(await send('HGET', at('session:t'), 'expires')).toBe(`@${expires.getTime()}`)
      await store.deleteUser('u')
      expect(await send('KEYS', '*')).toEqual([at('token:["ada@example.com","h"]')])
    })

    it('CC-07 start with the prefix, so that two applications can share a server', async () => {
      const { client, send } = await openSeeded()
      const other = redisAdapter(client, { prefix: 'other' })
      expect(await other.getUser('u')).toBeNull()
      expect(await other.getUserByEmail(user.email)).toBeNull()
      await other.createUser(user)
      expect(await send('EXISTS', '{other}:1:user:u')).toBe(1)
      for (const prefix of ['', '{a}', 'a}'])
        expect(() => redisAdapter(client, { prefix })).toThrow('`prefix` must be text without braces')
    })

    it('CB-08 leave nothing behind when every row is removed on its own', async () => {
      const { store, send, expires } = await openSeeded()
      await store.linkAccount(account)
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      await store.createAuthenticator(passkey)
      await store.createVerificationToken({ identifier: user.email, token: 'h', expires })
      expect(await store.unlinkAccount(account)).toEqual(account)
      expect(await store.deleteSession('t')).toEqual({ sessionToken: 't', userId: 'u', expires })
      expect(await store.deleteAuthenticator('c')).toEqual(passkey)
      expect(await store.useVerificationToken({ identifier: user.email, token: 'h' })).not.toBeNull()
      expect(((await send('KEYS', '*')) as string[]).toSorted()).toEqual([
        at('email:ada@example.com'),
        at('user:u'),
      ])
      expect(await store.deleteUser('u')).toEqual(user)
      expect(await send('DBSIZE')).toBe(0)
    })

    it('CB-08 expire with their session, token or keyed record, and are extended and shortened with it', async () => {
      const { store, send, expires, late } = await openSeeded()
      const expiryOf = async (key: string) => Number(await send('PEXPIRETIME', at(key)))
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      await store.createVerificationToken({ identifier: user.email, token: 'h', expires })
      expect(await expiryOf('token:["ada@example.com","h"]')).toBe(expires.getTime())
      await store.setKeyedRecord({ key: 'k', value: 'old', expires })
      let value = 'old'
      for (const until of [expires, late(day), late(-day / 2)]) {
        const next = { key: 'k', value: `${value}er`, expires: until }
        expect(await store.setKeyedRecord(next, { value })).toBe(true)
        value = next.value
        expect(await expiryOf('keyed:k')).toBe(until.getTime())
        await store.updateSession({ sessionToken: 't', expires: until })
        expect(await expiryOf('session:t')).toBe(until.getTime())
        expect(await expiryOf('sessions-of:u')).toBe(until.getTime())
      }
      for (const key of ['user:u', 'email:ada@example.com']) expect(await expiryOf(key)).toBe(-1)
    })

    it('DEC-17c are removed when a session is cut to the past, and the index forgets expired sessions', async () => {
      const { store, send, expires } = await openSeeded()
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      const past = new Date(0)
      expect((await store.updateSession({ sessionToken: 't', expires: past }))?.expires).toEqual(past)
      expect(await store.getSessionAndUser('t')).toBeNull()
      expect(await store.updateSession({ sessionToken: 't', expires })).toBeNull()
      expect(await send('EXISTS', at('session:t'), at('sessions-of:u'))).toBe(0)
      await store.createSession({ sessionToken: 'short', userId: 'u', expires: new Date(Date.now() + 30) })
      await expect.poll(() => store.getSessionAndUser('short')).toBeNull()
      await store.createSession({ sessionToken: 'next', userId: 'u', expires })
      expect(await send('ZRANGE', at('sessions-of:u'), '0', '-1')).toEqual(['next'])
    })
  })

  describe(`the records of the Redis adapter: ${name}`, { timeout: 30_000 }, () => {
    it('CB-08 keep members of the site, dates and any text exactly', async () => {
      const { store } = await openSeeded()
      const members = {
        role: 'admin',
        age: 40,
        tags: [],
        nested: { a: null, b: [{}] },
        born: new Date(-1),
        dated: '@1',
        text: 'a\0b\ud800 "\\',
        flag: false,
        nothing: null,
      }
      const given: AdapterUser = { ...user, id: 'v', email: 'v@example.com', ...members }
      expect(await store.createUser(given)).toEqual(given)
      expect(await store.getUser('v')).toEqual(given)
      await store.updateUser(Object.assign({}, given, { role: undefined, name: undefined }))
      expect(await store.getUser('v')).toEqual(given)
    })

    it('CB-08 are refused if a member cannot be stored exactly', async () => {
      const { store, send } = await openSeeded()
      const before = await send('DBSIZE')
      const given: Omit<AdapterUser, 'id'> = { email: 'v@example.com', emailVerified: null }
      for (const wrong of [NaN, Infinity, 1n, () => {}, new Date(NaN), Symbol('s')])
        await expect(store.createUser(Object.assign({ id: 'v' }, given, { wrong }))).rejects.toThrow(Error)
      await expect(store.updateSession({ sessionToken: 't', expires: new Date(NaN) })).rejects.toThrow(
        RangeError,
      )
      expect(await send('DBSIZE')).toBe(before)
    })

    it('CB-08 are not found under a key that no row can have, and not stored under one', async () => {
      const { store, expires } = await openSeeded()
      // The replacement character, which UTF-8 has instead of a lone surrogate.
      const replaced = '\ufffd'
      await store.createUser({ ...user, id: replaced, email: replaced })
      await store.linkAccount({ ...account, userId: replaced, providerAccountId: replaced })
      await store.createSession({ sessionToken: replaced, userId: replaced, expires })
      for (const key of ['a\0', '\ud800', 'a\udc00b']) {
        expect(await store.getUser(key)).toBeNull()
        expect(await store.getUserByEmail(key)).toBeNull()
        expect(await store.getUserByAccount({ provider: 'p', providerAccountId: key })).toBeNull()
        expect(await store.getSessionAndUser(key)).toBeNull()
        expect(await store.updateSession({ sessionToken: key, expires })).toBeNull()
        expect(await store.deleteUser(key)).toBeNull()
        expect(await store.useVerificationToken({ identifier: key, token: 'a' })).toBeNull()
        expect(await store.listAccountsByUserId(key)).toEqual([])
        await expect(store.updateUser({ id: key })).rejects.toThrow('The user does not exist')
        await expect(store.updateAuthenticatorCounter(key, 1)).rejects.toThrow('does not exist')
        await expect(store.createUser({ ...user, id: 'v', email: key })).rejects.toThrow('`email` contains')
        await expect(store.updateUser({ id: 'u', email: key })).rejects.toThrow('`email` contains')
        await expect(store.linkAccount({ ...account, providerAccountId: key })).rejects.toThrow('contains')
        await expect(store.createSession({ sessionToken: key, userId: 'u', expires })).rejects.toThrow(
          'contains',
        )
      }
    })

    it('CB-08 are refused without a key or an owner', async () => {
      const { store, expires } = await openSeeded()
      await expect(store.createSession({ sessionToken: '', userId: 'u', expires })).rejects.toThrow('no key')
      await expect(store.linkAccount({ ...account, provider: '' })).rejects.toThrow('The account has no key')
      await expect(store.createSession({ sessionToken: 't', userId: '', expires })).rejects.toThrow(
        'The user does not exist',
      )
      const orphan = { ...account, userId: undefined } as unknown as AdapterAccount
      await expect(store.linkAccount(orphan)).rejects.toThrow('The user does not exist')
    })

    it('CB-08 are refused if they would never expire', async () => {
      const { store, expires } = await openSeeded()
      const untyped = { expires: expires.toISOString() } as unknown as { expires: Date }
      const session = { sessionToken: 't', userId: 'u' }
      const token = { identifier: user.email, token: 'h' }
      await expect(store.createSession({ ...session, ...untyped })).rejects.toThrow('must be a Date')
      await expect(store.createVerificationToken({ ...token, ...untyped })).rejects.toThrow('must be a Date')
      await store.createSession({ ...session, expires })
      await expect(store.updateSession({ sessionToken: 't', ...untyped })).rejects.toThrow(
        'The expiry of a session must be a Date',
      )
      expect((await store.getSessionAndUser('t'))?.session).toEqual({ ...session, expires })
    })

    it('CB-08 get an id if a user has none', async () => {
      const { store } = await openSeeded()
      const { id } = await store.createUser({ ...user, id: '', email: 'v@example.com' })
      expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      expect((await store.getUserByEmail('v@example.com'))?.id).toBe(id)
    })

    it('OI-19 are found by exactly their keys, whatever characters these have', async () => {
      const { store, expires } = await openSeeded()
      const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => !each.includes('\0'))
      await fc.assert(
        fc.asyncProperty(text, text, async (a, b) => {
          await store.createUser({ id: `id ${a}`, email: `mail ${b}`, emailVerified: null })
          await store.linkAccount({ userId: `id ${a}`, type: 'oidc', provider: a, providerAccountId: b })
          await store.createSession({ sessionToken: a, userId: `id ${a}`, expires })
          expect((await store.getUserByEmail(`mail ${b}`))?.id).toBe(`id ${a}`)
          expect((await store.getUserByAccount({ provider: a, providerAccountId: b }))?.id).toBe(`id ${a}`)
          expect((await store.getSessionAndUser(a))?.user.email).toBe(`mail ${b}`)
          expect(await store.listAccountsByUserId(`id ${a}`)).toHaveLength(1)
          await store.deleteUser(`id ${a}`)
          expect(await store.getUserByEmail(`mail ${b}`)).toBeNull()
          expect(await store.getAccount(b, a)).toBeNull()
          expect(await store.getSessionAndUser(a)).toBeNull()
        }),
        { numRuns: 50 },
      )
    })

    it('CC-05 keep and return the later expiry when an older extension arrives late', async () => {
      const { store, expires, late } = await openSeeded()
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      for (const by of [-1, -29_999])
        expect((await store.updateSession({ sessionToken: 't', expires: late(by) }))?.expires).toEqual(
          expires,
        )
      for (const until of [late(1), late(-29_999)])
        expect((await store.updateSession({ sessionToken: 't', expires: until }))?.expires).toEqual(until)
    })

    it('ADP-016 move to the index of another user with their owner', async () => {
      const { store, expires } = await openSeeded()
      await store.createUser({ ...user, id: 'v', email: 'v@example.com' })
      await store.createSession({ sessionToken: 't', userId: 'u', expires })
      await store.updateSession({ sessionToken: 't', userId: 'v' })
      await expect(store.updateSession({ sessionToken: 't', userId: 'w' })).rejects.toThrow('does not exist')
      await store.deleteSessionsByUserId('u')
      expect((await store.getSessionAndUser('t'))?.user.id).toBe('v')
      await store.deleteSessionsByUserId('v')
      expect(await store.getSessionAndUser('t')).toBeNull()
    })

    it('OPT-046 list no session of another user who got the token of an expired one', async () => {
      const { store, expires } = await openSeeded()
      await store.createUser({ ...user, id: 'v', email: 'v@example.com' })
      await store.createSession({ sessionToken: 'lasting', userId: 'u', expires })
      await store.createSession({ sessionToken: 't', userId: 'u', expires: new Date(Date.now() + 50) })
      await expect.poll(() => store.getSessionAndUser('t')).toBeNull()
      await store.createSession({ sessionToken: 't', userId: 'v', expires })
      expect(await store.listSessionsByUserId('u')).toMatchObject([{ sessionToken: 'lasting' }])
      expect(await store.listSessionsByUserId('v')).toMatchObject([{ sessionToken: 't' }])
    })

    it('ADP-007 ADP-003 keep the address index exact when addresses move', async () => {
      const { store, send } = await openSeeded()
      await store.createUser({ ...user, id: 'v', email: 'v@example.com' })
      await expect(store.updateUser({ id: 'v', email: user.email, name: 'x' })).rejects.toThrow(
        'The e-mail address belongs to another user',
      )
      expect(await store.getUser('v')).toEqual({ ...user, id: 'v', email: 'v@example.com' })
      await store.updateUser({ id: 'u', email: user.email, name: 'Ada' })
      expect((await store.getUserByEmail(user.email))?.name).toBe('Ada')
      await store.updateUser({ id: 'u', email: 'new@example.com' })
      await expect(store.createUser({ ...user, email: 'w@example.com' })).rejects.toThrow(
        'The user exists already',
      )
      expect(((await send('KEYS', '*:email:*')) as string[]).toSorted()).toEqual([
        at('email:new@example.com'),
        at('email:v@example.com'),
      ])
    })
  })

  describe(`the server of the Redis adapter: ${name}`, { timeout: 30_000 }, () => {
    it('CB-08 may forget its scripts at any time', async () => {
      const { store, send } = await openSeeded()
      await send('SCRIPT', 'FLUSH')
      expect((await store.getUser('u'))?.email).toBe(user.email)
      await Promise.all([
        send('SCRIPT', 'FLUSH'),
        store.getUser('u'),
        send('SCRIPT', 'FLUSH'),
        store.getUser('u'),
      ])
    })

    it('CB-08 gets the text of the script only once, and never scans', async () => {
      const { store, send } = await openSeeded()
      await send('SCRIPT', 'FLUSH')
      await send('CONFIG', 'RESETSTAT')
      for (let n = 0; n < 5; n++) await store.getUserByEmail(user.email)
      await store.deleteUser('u')
      const stats = String(await send('INFO', 'commandstats'))
      expect(stats).toMatch(/cmdstat_eval:calls=1,/)
      expect(stats).not.toMatch(/cmdstat_(keys|scan|hscan|zscan)/)
    })

    it('CB-08 does each operation completely or not at all when its memory is full, and passes the error on', async () => {
      const { store, send } = await openSeeded()
      await send('CONFIG', 'SET', 'maxmemory', '1')
      try {
        await expect(store.createUser({ ...user, id: 'v', email: 'v@example.com' })).rejects.toThrow('OOM')
        await expect(store.linkAccount(account)).rejects.toThrow('OOM')
        // If a script has freed memory first, Redis lets it finish.
        await store.updateUser({ id: 'u', email: 'moved@example.com' })
      } finally {
        await send('CONFIG', 'SET', 'maxmemory', '0')
      }
      expect(((await send('KEYS', '*')) as string[]).toSorted()).toEqual([
        at('email:moved@example.com'),
        at('user:u'),
      ])
      expect((await store.getUserByEmail('moved@example.com'))?.id).toBe('u')
    })

    it('CB-08 keeps every reported write when it is killed and restarted with an append-only file', async () => {
      const { store, client, expires } = await openSeeded()
      const session = { sessionToken: 't', userId: 'u', expires }
      await store.linkAccount(account)
      await store.createSession(session)
      await store.createAuthenticator(passkey)
      await store.createVerificationToken({ identifier: user.email, token: 'used', expires })
      await store.createVerificationToken({ identifier: user.email, token: 'open', expires })
      await store.useVerificationToken({ identifier: user.email, token: 'used' })
      await store.updateUser({ id: 'u', email: 'moved@example.com' })
      await server().restart()
      const again = redisAdapter(client)
      const moved = { ...user, email: 'moved@example.com' }
      await expect.poll(async () => again.getUserByEmail(moved.email)).toEqual(moved)
      expect(await again.getUserByEmail(user.email)).toBeNull()
      expect(await again.getSessionAndUser('t')).toEqual({ session, user: moved })
      expect(await again.listAccountsByUserId('u')).toEqual([account])
      expect(await again.listAuthenticatorsByUserId('u')).toEqual([passkey])
      expect(await again.useVerificationToken({ identifier: user.email, token: 'used' })).toBeNull()
      expect((await again.useVerificationToken({ identifier: user.email, token: 'open' }))?.token).toBe(
        'open',
      )
    })
  })

  describe(`races on the Redis adapter: ${name}`, { timeout: 30_000 }, () => {
    const many = Array.from({ length: 200 }, (_, n) => n)

    it('SU-01 a token is returned to one of 200 concurrent callers', async () => {
      const { store, expires } = await openSeeded()
      const token = { identifier: user.email, token: 'h', expires }
      await store.createVerificationToken(token)
      const used = await Promise.all(many.map(async () => store.useVerificationToken(token)))
      expect(used.filter((each) => each !== null)).toEqual([token])
    })

    it('CC-01 CC-02 one of 200 concurrent creations of an address or an account succeeds, and leaves one row', async () => {
      const { store, send } = await openSeeded()
      const created = await Promise.allSettled(
        many.map(async (n) => store.createUser({ ...user, id: `n${n}`, email: 'new@example.com' })),
      )
      expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(created.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { message: 'The e-mail address belongs to another user' },
      })
      expect(await send('KEYS', '*:user:n*')).toHaveLength(1)
      const linked = await Promise.allSettled(many.map(async () => store.linkAccount(account)))
      expect(linked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(linked.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { message: 'The account exists already' },
      })
    })

    it.each([
      ['with an address', { email: 'ada@example.com' }],
      ['without an address', {}],
    ])('CC-01 50 concurrent first sign-ins, %s, create one user and one account', async (_name, claims) => {
      const { client, send } = await open()
      const idp = { users: [{ sub: 'ada', claims }] }
      const app = openApp({ strategy: 'database', apart: true, idp, wrap: () => redisAdapter(client) })
      const agents = Array.from({ length: 50 }, () => app.agent())
      const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
      const responses = await Promise.all(
        agents.map((agent, n) => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)),
      )
      expect(responses.map((response) => locationOf(response).href)).toEqual(agents.map(() => `${origin}/`))
      for (const [kind, count] of [['user', 1] as const, ['account', 1] as const, ['session', 50] as const])
        expect(await send('KEYS', at(`${kind}:*`)), kind).toHaveLength(count)
    })

    it('CC-04 a user who is deleted while sessions are opened leaves no session', async () => {
      const { store, send, expires } = await openSeeded()
      await Promise.allSettled(
        many.map(async (n) =>
          n === 100
            ? store.deleteUser('u')
            : store.createSession({ sessionToken: `t${n}`, userId: 'u', expires }),
        ),
      )
      expect(await send('DBSIZE')).toBe(0)
    })
  })
}
