import assert from 'node:assert/strict'
import type { AdapterUser } from '../../../src/types/adapter.ts'
import { type AdapterRule, account, passkey, session, user, other, expires, seed, throws } from './records.ts'

/** What a store has to do with users. */
export const usersRules: readonly AdapterRule[] = [
  {
    id: 'ADP-003',
    name: 'createUser answers the user as stored, under the id that finds it',
    async run(store) {
      const created = await store.createUser(user)
      assert.deepEqual(created, { ...user, id: created.id })
      assert.deepEqual(await store.getUser(created.id), created)
    },
  },
  {
    id: 'ADP-003',
    name: 'createUser throws when the address is taken, and leaves the first user alone',
    async run(store) {
      const { id } = await store.createUser(user)
      await throws(() => store.createUser({ ...other, email: user.email }))
      assert.equal((await store.getUserByEmail(user.email))?.id, id)
    },
  },
  {
    id: 'DEC-13e',
    name: 'users without an address are stored, any number of them, and found by none',
    async run(store) {
      const nobody = { ...user, email: null } as unknown as AdapterUser
      const { id } = await store.createUser(nobody)
      await store.createUser({ ...nobody, id: 'u2' })
      assert.equal((await store.getUser(id))?.email ?? null, null)
      assert.equal(await store.getUserByEmail(''), null)
      assert.equal(await store.getUserByEmail(null as unknown as string), null)
    },
  },
  {
    id: 'ADP-004',
    name: 'getUser answers null for an unknown id',
    async run(store) {
      await store.createUser(user)
      for (const id of ['', 'nobody', undefined as unknown as string])
        assert.equal(await store.getUser(id), null)
    },
  },
  {
    id: 'ADP-005',
    name: 'getUserByEmail finds by the exact address, and answers null for another',
    async run(store) {
      const created = await store.createUser(user)
      assert.deepEqual(await store.getUserByEmail(user.email), created)
      assert.equal(await store.getUserByEmail('ada@example.co'), null)
    },
  },
  {
    id: 'ADP-007',
    name: 'updateUser changes what is given, and an undefined member is not given',
    async run(store) {
      const { id } = await seed(store)
      const changed = await store.updateUser({ id, emailVerified: expires, name: undefined })
      assert.deepEqual(changed, { ...user, id, emailVerified: expires })
      assert.deepEqual(await store.getUser(id), changed)
      assert.equal((await store.updateUser({ id, name: null })).name, null)
    },
  },
  {
    id: 'ADP-007',
    name: 'updateUser throws for an unknown user and for an address of another',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await throws(() => store.updateUser({ id: 'nobody', name: 'x' }))
      assert.equal(await store.getUser('nobody'), null)
      await throws(() => store.updateUser({ id: second.id, email: user.email }))
      assert.equal((await store.getUser(second.id))?.email, other.email)
      assert.equal((await store.getUserByEmail(user.email))?.id, id)
    },
  },
  {
    id: 'ADP-007',
    name: 'a changed address finds its user, the old one nobody, and may be taken again',
    async run(store) {
      const { id } = await seed(store)
      await store.updateUser({ id, email: 'new@example.com' })
      assert.equal((await store.getUserByEmail('new@example.com'))?.id, id)
      assert.equal(await store.getUserByEmail(user.email), null)
      assert.notEqual((await store.createUser({ ...user, id: 'u3' })).id, id)
    },
  },
  {
    id: 'ADP-008',
    name: 'deleteUser takes accounts, sessions and authenticators along, of that user alone',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      for (const [userId, suffix] of [
        [id, ''],
        [second.id, '2'],
      ] as const) {
        await store.linkAccount({ ...account, providerAccountId: `Ab:1${suffix}`, userId })
        await store.createSession({ ...session, sessionToken: `Token-1${suffix}`, userId })
        await store.createAuthenticator({ ...passkey, credentialID: `Y3JlZA==${suffix}`, userId })
      }
      await store.deleteUser(id)
      assert.equal(await store.getUser(id), null)
      assert.equal(await store.getUserByEmail(user.email), null)
      assert.equal(await store.getAccount('Ab:1', 'github'), null)
      assert.equal(await store.getSessionAndUser('Token-1'), null)
      assert.equal(await store.getAuthenticator('Y3JlZA=='), null)
      assert.equal((await store.getUserByAccount({ ...account, providerAccountId: 'Ab:12' }))?.id, second.id)
      assert.equal((await store.getSessionAndUser('Token-12'))?.user.id, second.id)
      assert.equal((await store.listAuthenticatorsByUserId(second.id)).length, 1)
    },
  },
  {
    id: 'ADP-008',
    name: 'deleteUser of an unknown user is quiet, and a deleted address may be taken again',
    async run(store) {
      assert.equal((await store.deleteUser('nobody')) ?? null, null)
      const { id } = await seed(store)
      await store.deleteUser(id)
      await store.createUser({ ...user, id: 'u3' })
    },
  },
  {
    id: 'CC-02',
    name: 'of many who create a user with one address at once, one succeeds',
    async run(store) {
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, async (_, n) => store.createUser({ ...user, id: `u${n}` })),
      )
      const created = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
      assert.deepEqual(created, [(await store.getUserByEmail(user.email))?.id])
    },
  },
]
