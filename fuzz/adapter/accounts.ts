import { expectNull, expectNothing, expectRecord, expectSame, expectThrow } from './expect.ts'
import { account, accountKey, nobody, other, seed } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for accounts. */
export const accountsRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-006'],
    name: 'getUserByAccount finds the owner by provider and id',
    guards: true,
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      const found = await store.getUserByAccount({ provider: 'github', providerAccountId: 'Ab:1' })
      expectSame('the owner', found?.id, id)
      for (const [provider, providerAccountId] of [
        ['gitlab', 'Ab:1'],
        ['github', 'Ab:2'],
        ['github:Ab', '1'],
        ['github', ''],
      ] as const) {
        expectNull(
          'getUserByAccount of another account',
          await store.getUserByAccount({ provider, providerAccountId }),
        )
      }
    },
  }),
  rule({
    proves: ['ADP-006'],
    name: 'getUserByAccount returns the complete user',
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const created = await seed(store)
      await store.linkAccount({ ...account, userId: created.id })
      expectRecord('getUserByAccount', await store.getUserByAccount(accountKey), created)
    },
  }),
  rule({
    proves: ['ADP-009', 'REC-008'],
    name: 'linkAccount stores the account with every member of the token response',
    uses: ['createUser', 'linkAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      const full = {
        ...account,
        userId: id,
        access_token: 'at',
        refresh_token: 'rt',
        id_token: 'x.y.z',
        expires_at: 4_102_444_800,
        scope: 'a b',
        token_type: 'bearer',
        session_state: 's',
      } as const
      await store.linkAccount(full)
      expectRecord('getAccount', await store.getAccount('Ab:1', 'github'), full)
    },
  }),
  rule({
    proves: ['REC-009'],
    name: 'an account keeps its authorization_details',
    uses: ['createUser', 'linkAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      const authorization_details = [
        { type: 'account', actions: ['read', 'list'], limit: 5, more: { a: null } },
      ]
      await store.linkAccount({ ...account, userId: id, authorization_details })
      const found = await store.getAccount('Ab:1', 'github')
      expectSame('authorization_details', found?.authorization_details, authorization_details)
    },
  }),
  rule({
    proves: ['REC-027', 'REC-007'],
    name: 'accounts of every type are stored under their owners',
    uses: ['createUser', 'linkAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      for (const type of ['oauth', 'oidc', 'email', 'webauthn'] as const) {
        const linked = { provider: `a ${type}`, providerAccountId: '1', type, userId: id }
        await store.linkAccount(linked)
        expectRecord(`getAccount of type ${type}`, await store.getAccount('1', `a ${type}`), linked)
      }
    },
  }),
  rule({
    proves: ['REC-013'],
    name: 'a user may have several accounts, even at one provider',
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      const accounts = [
        account,
        { ...account, providerAccountId: 'Ab:2' },
        { ...account, provider: 'gitlab' },
      ]
      for (const each of accounts) await store.linkAccount({ ...each, userId: id })
      for (const { provider, providerAccountId } of accounts)
        expectSame('the owner', (await store.getUserByAccount({ provider, providerAccountId }))?.id, id)
    },
  }),
  rule({
    proves: ['ADP-009'],
    name: 'linkAccount throws for an unknown user',
    guards: true,
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      await expectThrow('linkAccount to an unknown user', () =>
        store.linkAccount({ ...account, userId: nobody }),
      )
      await store.linkAccount({ ...account, userId: id })
      expectSame('the owner', (await store.getUserByAccount(accountKey))?.id, id)
    },
  }),
  rule({
    proves: ['ADP-009'],
    name: 'linkAccount throws for a linked account, and leaves it unchanged',
    guards: true,
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.linkAccount({ ...account, userId: id })
      await expectThrow('linkAccount of a taken pair', () =>
        store.linkAccount({ ...account, userId: second.id }),
      )
      expectSame('the owner', (await store.getUserByAccount(accountKey))?.id, id)
    },
  }),
  rule({
    proves: ['AL-02'],
    name: 'only one of several concurrent linkAccount calls succeeds',
    guards: true,
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      const owners = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? id : second.id))
      const settled = await Promise.allSettled(
        owners.map(async (userId) => store.linkAccount({ ...account, userId })),
      )
      const winners = owners.filter((_, n) => settled[n]?.status === 'fulfilled')
      expectSame('the successful calls', winners, [(await store.getUserByAccount(accountKey))?.id])
    },
  }),
  rule({
    proves: ['ADP-011'],
    name: 'unlinkAccount removes that account, and does not throw if there is none',
    guards: true,
    uses: ['createUser', 'linkAccount', 'unlinkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      await store.unlinkAccount({ provider: 'gitlab', providerAccountId: 'Ab:1' })
      expectSame('the owner', (await store.getUserByAccount(accountKey))?.id, id)
      await store.unlinkAccount(accountKey)
      expectNull('getUserByAccount', await store.getUserByAccount(accountKey))
      expectNothing('unlinkAccount of a removed account', await store.unlinkAccount(accountKey))
    },
  }),
  rule({
    proves: ['OPT-002'],
    name: 'updateAccount changes the given members of one account, and returns the complete account',
    uses: ['createUser', 'linkAccount', 'updateAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      const linked = { ...account, userId: id, refresh_token: 'r1', scope: 'a b' } as const
      const beside = { ...linked, providerAccountId: 'Ab:2' }
      await store.linkAccount(linked)
      await store.linkAccount(beside)
      const { provider, providerAccountId } = account
      const patch = { access_token: 'a2', expires_at: 4_102_444_800 }
      const whole = { ...linked, ...patch }
      const changed = await store.updateAccount({ provider, providerAccountId, ...patch })
      expectRecord('updateAccount', changed, whole)
      expectRecord('getAccount', await store.getAccount('Ab:1', 'github'), whole)
      expectRecord('the other account', await store.getAccount('Ab:2', 'github'), beside)
      expectNull(
        'updateAccount of an unknown account',
        await store.updateAccount({ provider, providerAccountId: 'nothing', ...patch }),
      )
    },
  }),
  rule({
    proves: ['OPT-002'],
    name: 'only one of several concurrent refresh token updates succeeds',
    guards: true,
    uses: ['createUser', 'linkAccount', 'updateAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id, refresh_token: 'r1' })
      const key = { provider: account.provider, providerAccountId: account.providerAccountId }
      const next = Array.from({ length: 10 }, (_, n) => `next ${n}`)
      const results = await Promise.all(
        next.map(async (refresh_token) =>
          store.updateAccount({ ...key, refresh_token }, { refresh_token: 'r1' }),
        ),
      )
      const winners = next.filter((_, n) => results[n])
      const held = await store.getAccount('Ab:1', 'github')
      expectSame('the successful calls', winners, [held?.refresh_token])
    },
  }),
  rule({
    proves: ['DEC-39b'],
    name: 'listAccountsByUserId lists the accounts of the user, or none for an unknown one',
    guards: true,
    uses: ['createUser', 'linkAccount', 'unlinkAccount', 'listAccountsByUserId'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      expectSame('the accounts of a user without any', await store.listAccountsByUserId(id), [])
      await store.linkAccount({ ...account, userId: id })
      await store.linkAccount({ provider: 'passkey', providerAccountId: 'b', type: 'webauthn', userId: id })
      await store.linkAccount({ ...account, providerAccountId: 'Ab:2', userId: second.id })
      const typesOf = async (userId: string) =>
        (await store.listAccountsByUserId(userId))
          .map(({ type, provider, providerAccountId }) => `${type} ${provider} ${providerAccountId}`)
          .toSorted()
      expectSame('the accounts of the user', await typesOf(id), ['oauth github Ab:1', 'webauthn passkey b'])
      await store.unlinkAccount(accountKey)
      expectSame('the remaining accounts', await typesOf(id), ['webauthn passkey b'])
      expectSame('the accounts of the other user', await typesOf(second.id), ['oauth github Ab:2'])
      expectSame('the accounts of an unknown user', await store.listAccountsByUserId(nobody), [])
    },
  }),
  rule({
    proves: ['ADP-013', 'ERR-014'],
    name: 'getAccount takes the account’s id first, and returns null if there is none',
    uses: ['createUser', 'linkAccount', 'getAccount'],
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      expectSame('the owner', (await store.getAccount('Ab:1', 'github'))?.userId, id)
      expectNull('getAccount of another account', await store.getAccount('github', 'Ab:1'))
    },
  }),
  rule({
    proves: ['OI-19'],
    name: 'account ids are compared case-sensitively',
    guards: true,
    uses: ['createUser', 'linkAccount', 'getUserByAccount'],
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      for (const providerAccountId of ['ab:1', 'AB:1', 'Ab:1 ', ' Ab:1', 'Ab:', 'Ab%', 'Ab_1', 'Áb:1']) {
        const found = await store.getUserByAccount({ ...accountKey, providerAccountId })
        expectNull(`getUserByAccount of ${providerAccountId}`, found)
      }
      expectNull(
        'getUserByAccount of GitHub',
        await store.getUserByAccount({ ...accountKey, provider: 'GitHub' }),
      )
    },
  }),
]
