import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { AdapterUser } from '../../src/types/adapter.ts'
import * as kysely from '../../src/adapters/kysely.ts'

/** Tests of the Kysely adapter beyond the contract, on each database. `open` returns a store with empty tables. */
/** @param load loads the adapter. By default, it is the one that other tests use */
export function judgeKysely(
  name: string,
  open: () => Promise<Kysely<unknown>>,
  load: () => Promise<typeof kysely> = async () => kysely,
): void {
  describe(`the Kysely adapter: ${name}`, { timeout: 30_000 }, () => {
    const expires = new Date('2030-01-01T00:00:00.500Z')
    const at = (milliseconds: number) => new Date(expires.getTime() + milliseconds)

    const openSeeded = async () => {
      const db = await open()
      const { kyselyAdapter } = await load()
      const store = kyselyAdapter(db)
      const { id: userId } = await store.createUser({
        id: 'u',
        email: 'ada@example.com',
        emailVerified: null,
      })
      await store.createSession({ sessionToken: 't', userId, expires })
      return { db, store, userId }
    }

    it('CB-08 finds nothing, and does not throw, for a key that no row can have', async () => {
      const { store } = await openSeeded()
      for (const key of ['a\0', '\0', '\ud800', 'a\udc00b']) {
        expect(await store.getUser(key)).toBeNull()
        expect(await store.getUserByEmail(key)).toBeNull()
        expect(await store.getUserByAccount({ provider: 'p', providerAccountId: key })).toBeNull()
        expect(await store.getAccount(key, 'p')).toBeNull()
        expect(await store.unlinkAccount({ provider: key, providerAccountId: 'a' })).toBeUndefined()
        expect(await store.getSessionAndUser(key)).toBeNull()
        expect(await store.updateSession({ sessionToken: key, expires })).toBeNull()
        expect(await store.deleteSession(key)).toBeNull()
        expect(await store.deleteUser(key)).toBeNull()
        expect(await store.useVerificationToken({ identifier: 'ada@example.com', token: key })).toBeNull()
        expect(await store.useVerificationToken({ identifier: key, token: 'a' })).toBeNull()
        expect(await store.getAuthenticator(key)).toBeNull()
        expect(await store.listAuthenticatorsByUserId(key)).toEqual([])
        await expect(store.updateUser({ id: key, name: 'x' })).rejects.toThrow('does not exist')
        await expect(store.updateAuthenticatorCounter(key, 1)).rejects.toThrow(
          'The authenticator does not exist',
        )
      }
      expect((await store.getSessionAndUser('t'))?.user.email).toBe('ada@example.com')
    })

    it('WA-14 stores the backup state of a passkey with its counter', async () => {
      const { store, userId } = await openSeeded()
      const passkey = { userId, credentialID: 'c', credentialPublicKey: 'k', counter: 0 }
      const other = { credentialDeviceType: 'multiDevice', providerAccountId: 'c', transports: null }
      await store.createAuthenticator({ ...passkey, ...other, credentialBackedUp: false })
      for (const [counter, credentialBackedUp] of [true, false].entries()) {
        await store.updateAuthenticatorCounter('c', counter + 1, { counter }, { credentialBackedUp })
        expect(await store.getAuthenticator('c')).toMatchObject({ counter: counter + 1, credentialBackedUp })
      }
    })

    it('CB-08 stores no row under a key that a database may change', async () => {
      const { db, store, userId } = await openSeeded()
      for (const key of ['7\0', '7\ud800']) {
        const account = { userId, type: 'oauth', provider: 'p', providerAccountId: key } as const
        await expect(store.linkAccount(account)).rejects.toThrow('`providerAccountId` contains')
        await expect(store.createSession({ sessionToken: key, userId, expires })).rejects.toThrow('contains')
        await expect(store.updateUser({ id: userId, email: key })).rejects.toThrow('`email` contains')
        await expect(
          store.createUser({ id: key, email: 'b@example.com', emailVerified: null }),
        ).rejects.toThrow('`id` contains')
      }
      expect(await store.listAccountsByUserId(userId)).toEqual([])
      expect(await (await load()).deleteExpired(db, at(0))).toMatchObject({
        sessions: 1,
        verificationTokens: 0,
      })
    })

    it('CC-05 keeps and returns the later expiry when an older extension arrives late', async () => {
      const { store } = await openSeeded()
      for (const late of [-1, -1000, -29_999]) {
        const answered = await store.updateSession({ sessionToken: 't', expires: at(late) })
        expect(answered?.expires).toEqual(expires)
      }
      expect((await store.updateSession({ sessionToken: 't', expires: at(1) }))?.expires).toEqual(at(1))
      expect((await store.getSessionAndUser('t'))?.session.expires).toEqual(at(1))
    })

    it('DEC-17c can shorten the lifetime of a session', async () => {
      const { store } = await openSeeded()
      for (const cut of [at(-30_000), at(-90_000), new Date(0)]) {
        expect((await store.updateSession({ sessionToken: 't', expires: cut }))?.expires).toEqual(cut)
        expect((await store.getSessionAndUser('t'))?.session.expires).toEqual(cut)
      }
    })

    it("REC-030 returns only the session's own members, not the other columns of the joined row", async () => {
      const { store, userId } = await openSeeded()
      const session = { sessionToken: 't', userId, expires }
      expect((await store.getSessionAndUser('t'))?.session).toEqual(session)
      expect(await store.updateSession({ sessionToken: 't' })).toEqual(session)
      expect(await store.deleteSession('t')).toEqual(session)
    })

    it('REC-030 returns columns that the site added to sessions, even if users has columns of the same names', async () => {
      const { db, store, userId } = await openSeeded()
      for (const table of ['sessions', 'users'])
        for (const column of ['device', 'note'])
          await db.schema.alterTable(table).addColumn(column, 'text').execute()
      const added = { device: 'phone', note: 'of the session' }
      await store.createSession({ sessionToken: 'u', userId, expires, ...added })
      const noted: Partial<AdapterUser> & { id: string; note: string } = { id: userId, note: 'of the user' }
      await store.updateUser(noted)
      const { kyselyAdapter } = await load()
      const fresh = kyselyAdapter(db)
      const read = await fresh.getSessionAndUser('u')
      expect(read?.session).toEqual({ sessionToken: 'u', userId, expires, ...added })
      expect(read?.user).toMatchObject({ note: 'of the user', device: null })
      // A migration drops a column while the process is running.
      await db.schema.alterTable('sessions').dropColumn('device').execute()
      expect((await fresh.getSessionAndUser('u'))?.session).toEqual({
        sessionToken: 'u',
        userId,
        expires,
        note: 'of the session',
      })
      for (const table of ['sessions', 'users'])
        await db.schema.alterTable(table).dropColumn('note').execute()
      await db.schema.alterTable('users').dropColumn('device').execute()
      expect(await fresh.getSessionAndUser('nothing')).toBeNull()
      expect((await fresh.getSessionAndUser('u'))?.session).toEqual({ sessionToken: 'u', userId, expires })
    })

    it('CB-08 rejects instead of throwing when it cannot serialize an argument', async () => {
      const { store } = await openSeeded()
      const writing = store.updateSession({ sessionToken: 't', expires: new Date(Number.NaN) })
      await expect(writing).rejects.toThrow(RangeError)
    })

    it('REC-027 returns an account with the members it was given, and without null members', async () => {
      const { store, userId } = await openSeeded()
      const account = {
        provider: 'p',
        providerAccountId: 'a',
        type: 'oidc',
        userId,
        scope: 'openid',
      } as const
      expect(await store.linkAccount(account)).toEqual(account)
      expect(await store.getAccount('a', 'p')).toEqual(account)
      expect(await store.unlinkAccount(account)).toEqual(account)
    })

    it('CB-08 rejects a member without a column, and stores nothing', async () => {
      const { store } = await openSeeded()
      const user = { id: 'v', email: 'v@example.com', emailVerified: null, shoeSize: 40 }
      await expect(store.createUser(user)).rejects.toThrow('shoeSize')
      expect(await store.getUserByEmail('v@example.com')).toBeNull()
    })

    it('CB-08 generates the id of a user without one, and returns that user', async () => {
      const { store } = await openSeeded()
      // The first row of the table.
      await store.createUser({ id: '!', email: 'w@example.com', emailVerified: null })
      const { id } = await store.createUser({ id: '', email: 'v@example.com', emailVerified: null })
      expect(id).toMatch(/^[0-9a-f-]{32,36}$/)
      expect((await store.getUser(id))?.email).toBe('v@example.com')
    })

    it('CB-08 deletes expired rows, and nothing else', async () => {
      const { db, store, userId } = await openSeeded()
      await store.createSession({ sessionToken: 'live', userId, expires: at(1) })
      for (const [token, until] of [
        ['over', at(-1)] as const,
        ['now', expires] as const,
        ['live', at(1)] as const,
      ])
        await store.createVerificationToken({ identifier: 'ada@example.com', token, expires: until })
      for (const [key, until] of [
        ['over', at(-1)] as const,
        ['late', at(-1)] as const,
        ['live', at(1)] as const,
      ])
        await store.setKeyedRecord({ key, value: key, expires: until })
      await store.setKeyedRecord({ key: 'late', value: 'kept', expires: at(1) }, { value: 'late' })
      const none = { sessions: 0, verificationTokens: 0, keyedRecords: 0 }
      expect(await (await load()).deleteExpired(db, at(-2))).toEqual(none)
      const gone = { sessions: 1, verificationTokens: 2, keyedRecords: 1 }
      expect(await (await load()).deleteExpired(db, expires)).toEqual(gone)
      expect(await store.getKeyedRecord('over')).toBeNull()
      expect(await store.getKeyedRecord('late')).toBe('kept')
      expect(await store.getKeyedRecord('live')).toBe('live')
      expect(await store.getSessionAndUser('t')).toBeNull()
      expect((await store.getSessionAndUser('live'))?.user.id).toBe(userId)
      expect(
        (await store.useVerificationToken({ identifier: 'ada@example.com', token: 'live' }))?.token,
      ).toBe('live')
    })

    it('CB-08 works within a transaction of the caller, and leaves nothing if that is rolled back', async () => {
      const { db, store } = await openSeeded()
      const work = db.transaction().execute(async (trx) => {
        const { kyselyAdapter } = await load()
        const within = kyselyAdapter(trx)
        await within.createUser({ id: 'v', email: 'v@example.com', emailVerified: null })
        await within.updateUser({ id: 'u', name: 'Grace' })
        await within.deleteSession('t')
        expect((await within.getUser('u'))?.name).toBe('Grace')
        throw new Error('rolled back')
      })
      await expect(work).rejects.toThrow('rolled back')
      expect(await store.getUser('v')).toBeNull()
      expect((await store.getSessionAndUser('t'))?.user.name).toBeNull()
    })

    it('CB-08 can migrate again without changing anything', async () => {
      const { db, store } = await openSeeded()
      await (await load()).migrate(db)
      expect((await store.getUser('u'))?.email).toBe('ada@example.com')
    })
  })
}
