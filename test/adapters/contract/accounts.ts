import assert from 'node:assert/strict'
import type { AdapterAccount } from '../../../src/types/adapter.ts'
import { type AdapterRule, other, account, seed, throws } from './records.ts'

/** What a store has to do with accounts. */
export const accountsRules: readonly AdapterRule[] = [
  {
    id: 'ADP-006',
    name: 'getUserByAccount finds the owner by provider and id together',
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      assert.equal((await store.getUserByAccount(account))?.id, id)
      for (const [provider, providerAccountId] of [
        ['gitlab', 'Ab:1'],
        ['github', 'Ab:2'],
        ['github:Ab', '1'],
        ['github', ''],
      ] as const) {
        assert.equal(await store.getUserByAccount({ provider, providerAccountId }), null)
      }
    },
  },
  {
    id: 'ADP-009',
    name: 'linkAccount stores the account with whatever the token endpoint said',
    async run(store) {
      const { id } = await seed(store)
      const full: AdapterAccount = {
        ...account,
        userId: id,
        access_token: 'at',
        expires_at: 4_102_444_800,
        scope: 'a b',
        token_type: 'bearer',
      }
      await store.linkAccount(full)
      const stored = await store.getAccount('Ab:1', 'github')
      assert.deepEqual({ ...stored }, { ...stored, ...full })
    },
  },
  {
    id: 'ADP-009',
    name: 'linkAccount throws for an unknown user and for a pair that is taken',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await throws(() => store.linkAccount({ ...account, userId: 'nobody' }))
      assert.equal(await store.getAccount('Ab:1', 'github'), null)
      await store.linkAccount({ ...account, userId: id })
      await throws(() => store.linkAccount({ ...account, userId: second.id }))
      assert.equal((await store.getUserByAccount(account))?.id, id)
    },
  },
  {
    id: 'AL-02',
    name: 'of many who link one account at once, one succeeds',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      const owners = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? id : second.id))
      const settled = await Promise.allSettled(
        owners.map(async (userId) => store.linkAccount({ ...account, userId })),
      )
      const winners = owners.filter((_, n) => settled[n]?.status === 'fulfilled')
      assert.deepEqual(winners, [(await store.getUserByAccount(account))?.id])
    },
  },
  {
    id: 'ADP-011',
    name: 'unlinkAccount removes that account, and is quiet where there is none',
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      await store.unlinkAccount({ provider: 'gitlab', providerAccountId: 'Ab:1' })
      assert.equal((await store.getUserByAccount(account))?.id, id)
      await store.unlinkAccount(account)
      assert.equal(await store.getUserByAccount(account), null)
      assert.equal(await store.unlinkAccount(account), undefined)
    },
  },
  {
    id: 'ADP-013',
    name: 'getAccount takes the account’s id first, and answers null where there is none',
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      assert.equal((await store.getAccount('Ab:1', 'github'))?.userId, id)
      assert.equal(await store.getAccount('github', 'Ab:1'), null)
    },
  },
]
