import { ContractBreach, expectNothing, expectNull, expectRecord, expectSame, expectThrow } from './expect.ts'
import {
  account,
  accountKey,
  expires,
  nobody,
  other,
  passkey,
  seed,
  session,
  untyped,
  user,
} from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for users. */
export const usersRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-003'],
    name: 'createUser returns the stored user with its id',
    uses: ['createUser', 'getUser'],
    async run(store) {
      const created = await store.createUser(user)
      expectRecord('createUser', created, { ...user, id: created.id })
      expectRecord('getUser', await store.getUser(created.id), created)
    },
  }),
  rule({
    proves: ['REC-023'],
    name: 'user ids are unique strings',
    uses: ['createUser'],
    async run(store) {
      const ids = [(await store.createUser(user)).id, (await store.createUser(other)).id]
      for (const id of ids)
        if (typeof id !== 'string') throw new ContractBreach('id', 'text', `got a ${typeof id}`)
      expectSame('the number of ids', new Set(ids).size, 2)
    },
  }),
  rule({
    proves: ['ADP-003', 'REC-024'],
    name: 'createUser throws for a duplicate address, and leaves the first user unchanged',
    guards: true,
    uses: ['createUser', 'getUserByEmail'],
    async run(store) {
      const { id } = await store.createUser(user)
      await expectThrow('createUser with a taken address', () =>
        store.createUser({ ...other, email: user.email }),
      )
      expectSame('the user with the address', (await store.getUserByEmail(user.email))?.id, id)
    },
  }),
  rule({
    proves: ['DEC-13e'],
    name: 'any number of users without an address can be stored, and none is found by address',
    guards: true,
    uses: ['createUser', 'getUser', 'getUserByEmail'],
    async run(store) {
      const { id } = await store.createUser({ ...user, email: untyped(null) })
      await store.createUser({ ...other, email: untyped(null) })
      expectNothing('the address', (await store.getUser(id))?.email)
      expectNull('getUserByEmail of empty text', await store.getUserByEmail(''))
      expectNull('getUserByEmail of null', await store.getUserByEmail(untyped(null)))
    },
  }),
  rule({
    proves: ['REC-026'],
    name: 'name and image are stored, and may be null or missing',
    uses: ['createUser', 'getUser'],
    async run(store) {
      const named = await store.createUser({ ...user, image: 'https://example.com/a.png' })
      expectRecord('getUser', await store.getUser(named.id), {
        name: 'Ada',
        image: 'https://example.com/a.png',
      })
      const { id, email, emailVerified } = other
      const bare = await store.createUser({ id, email, emailVerified })
      expectRecord('getUser', await store.getUser(bare.id), { email, name: null, image: null })
    },
  }),
  rule({
    proves: ['ADP-004'],
    name: 'getUser returns null for an unknown id',
    uses: ['createUser', 'getUser'],
    async run(store) {
      await store.createUser(user)
      for (const id of [nobody, '', untyped<string>(undefined)])
        expectNull('getUser of an unknown id', await store.getUser(id))
    },
  }),
  rule({
    proves: ['ADP-005'],
    name: 'getUserByEmail finds by the exact address, and returns null for another',
    uses: ['createUser', 'getUserByEmail'],
    async run(store) {
      const created = await store.createUser(user)
      expectRecord('getUserByEmail', await store.getUserByEmail(user.email), created)
      for (const wrong of ['ada@example.co', 'ada@example.com ', 'da@example.com', '%@example.com'])
        expectNull('getUserByEmail of another address', await store.getUserByEmail(wrong))
    },
  }),
  rule({
    proves: ['ADP-007'],
    name: 'updateUser changes the given members, and ignores undefined ones',
    uses: ['createUser', 'updateUser', 'getUser'],
    async run(store) {
      const { id } = await seed(store)
      const changed = await store.updateUser({ id, emailVerified: expires, name: undefined })
      expectRecord('updateUser', changed, { ...user, id, emailVerified: expires })
      expectRecord('getUser', await store.getUser(id), { ...user, id, emailVerified: expires })
      expectNothing('the name set to null', (await store.updateUser({ id, name: null })).name)
      expectRecord('updateUser of nothing', await store.updateUser({ id }), {
        id,
        email: user.email,
        name: null,
      })
    },
  }),
  rule({
    proves: ['REC-025'],
    name: 'emailVerified is null until it is set, then a date',
    uses: ['createUser', 'updateUser', 'getUser'],
    async run(store) {
      const { id, emailVerified } = await seed(store)
      expectNull('emailVerified when created', emailVerified)
      expectNull('emailVerified when read', (await store.getUser(id))?.emailVerified)
      await store.updateUser({ id, emailVerified: expires })
      expectSame('emailVerified when set', (await store.getUser(id))?.emailVerified, expires)
    },
  }),
  rule({
    proves: ['ADP-007'],
    name: 'updateUser throws for an unknown user and for another user’s address',
    guards: true,
    uses: ['createUser', 'updateUser', 'getUser', 'getUserByEmail'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await expectThrow('updateUser of an unknown id', () => store.updateUser({ id: nobody, name: 'x' }))
      expectNull('getUser of that id', await store.getUser(nobody))
      await expectThrow('updateUser with another user’s address', () =>
        store.updateUser({ id: second.id, email: user.email }),
      )
      expectSame('the address of the other user', (await store.getUser(second.id))?.email, other.email)
      expectSame('the user with the address', (await store.getUserByEmail(user.email))?.id, id)
    },
  }),
  rule({
    proves: ['ADP-007'],
    name: 'a changed address finds its user, and the old one is free again',
    guards: true,
    uses: ['createUser', 'updateUser', 'getUserByEmail'],
    async run(store) {
      const { id } = await seed(store)
      await store.updateUser({ id, email: 'new@example.com' })
      expectSame('the user with the new address', (await store.getUserByEmail('new@example.com'))?.id, id)
      expectNull('getUserByEmail of the old address', await store.getUserByEmail(user.email))
      const next = await store.createUser({ ...user, id: other.id })
      expectSame('the user with the old address', (await store.getUserByEmail(user.email))?.id, next.id)
    },
  }),
  rule({
    proves: ['ADP-008'],
    name: 'deleteUser deletes only that user’s accounts and sessions',
    guards: true,
    uses: [
      ...([
        'createUser',
        'deleteUser',
        'getUser',
        'getUserByEmail',
        'linkAccount',
        'getUserByAccount',
      ] as const),
      ...(['createSession', 'getSessionAndUser'] as const),
    ],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.linkAccount({ ...account, userId: id })
      await store.createSession({ ...session, userId: id })
      await store.linkAccount({ ...account, providerAccountId: 'Ab:2', userId: second.id })
      await store.createSession({ ...session, sessionToken: 'Token-2', userId: second.id })
      await store.deleteUser(id)
      expectNull('getUser', await store.getUser(id))
      expectNull('getUserByEmail', await store.getUserByEmail(user.email))
      expectNull('getUserByAccount', await store.getUserByAccount(accountKey))
      expectNull('getSessionAndUser', await store.getSessionAndUser('Token-1'))
      await store.linkAccount({ ...account, userId: second.id })
      const kept = await store.getUserByAccount({ ...accountKey, providerAccountId: 'Ab:2' })
      expectSame('the owner of the other account', kept?.id, second.id)
      expectSame(
        'the user of the other session',
        (await store.getSessionAndUser('Token-2'))?.user.id,
        second.id,
      )
    },
  }),
  rule({
    proves: ['ADP-008'],
    name: 'deleteUser deletes only that user’s authenticators',
    guards: true,
    uses: [
      'createUser',
      'deleteUser',
      'createAuthenticator',
      'getAuthenticator',
      'listAuthenticatorsByUserId',
    ],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.createAuthenticator({ ...passkey, userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'b', userId: second.id })
      await store.deleteUser(id)
      expectNull('getAuthenticator', await store.getAuthenticator(passkey.credentialID))
      expectSame(
        'the number of remaining authenticators',
        (await store.listAuthenticatorsByUserId(second.id)).length,
        1,
      )
    },
  }),
  rule({
    proves: ['ADP-008'],
    name: 'deleteUser does not throw for an unknown user, and frees the deleted address',
    uses: ['createUser', 'deleteUser', 'getUserByEmail'],
    async run(store) {
      expectNothing('deleteUser of an unknown id', await store.deleteUser(nobody))
      const { id } = await seed(store)
      await store.deleteUser(id)
      const next = await store.createUser({ ...user, id: other.id })
      expectSame('the user with the address', (await store.getUserByEmail(user.email))?.id, next.id)
    },
  }),
  rule({
    proves: ['CC-02'],
    name: 'only one of several concurrent createUser calls with one address succeeds',
    guards: true,
    uses: ['createUser', 'getUserByEmail'],
    async run(store) {
      const ids = Array.from({ length: 10 }, (_, n) => `${user.id.slice(0, -1)}${n}`)
      const settled = await Promise.allSettled(ids.map(async (id) => store.createUser({ ...user, id })))
      const created = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
      expectSame('the created users', created, [(await store.getUserByEmail(user.email))?.id])
    },
  }),
]
