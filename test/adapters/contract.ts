import assert from 'node:assert/strict'
import type { RequirementId } from '../../spec/index.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
} from '../../src/types/adapter.ts'

/** A promise that a store makes. */
export interface AdapterRule {
  readonly id: RequirementId
  readonly name: string
  /** Rejects where the store, which holds nothing yet, breaks the promise. */
  readonly run: (store: Required<Adapter>) => Promise<void>
}

const user: AdapterUser = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: null,
  image: null,
}
const other: AdapterUser = { ...user, id: 'u2', email: 'bob@example.com', name: null }
const expires = new Date('2099-12-31T23:59:58.123Z')
const later = new Date('2100-01-02T03:04:05.678Z')
const account = { provider: 'github', providerAccountId: 'Ab:1', type: 'oauth' } as const
const session = { sessionToken: 'Token-1', expires }
const mail = { identifier: user.email, token: 'hash', expires }
const passkey = {
  credentialID: 'Y3JlZA==',
  credentialPublicKey: 'a2V5',
  counter: 0,
  credentialBackedUp: true,
  credentialDeviceType: 'multiDevice',
  providerAccountId: 'Y3JlZA==',
  transports: 'usb,nfc',
}

/** What every store has to do, rule by rule. */
export const rules: readonly AdapterRule[] = [
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
    id: 'OI-19',
    name: 'account ids and session tokens are compared exactly, case included',
    async run(store) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      await store.createSession({ ...session, userId: id })
      assert.equal(await store.getUserByAccount({ ...account, providerAccountId: 'ab:1' }), null)
      assert.equal(await store.getAccount('AB:1', 'github'), null)
      for (const token of ['token-1', 'TOKEN-1', 'Token-1 ', 'Token']) {
        assert.equal(await store.getSessionAndUser(token), null)
      }
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
  {
    id: 'ADP-014',
    name: 'createSession answers the session; a taken token and an unknown user throw',
    async run(store) {
      const { id } = await seed(store)
      assert.deepEqual(pick(await store.createSession({ ...session, userId: id })), {
        ...session,
        userId: id,
      })
      await throws(() => store.createSession({ ...session, userId: id, expires: later }))
      assert.deepEqual((await store.getSessionAndUser('Token-1'))?.session.expires, expires)
      await throws(() => store.createSession({ ...session, sessionToken: 'Token-2', userId: 'nobody' }))
      assert.equal(await store.getSessionAndUser('Token-2'), null)
    },
  },
  {
    id: 'ADP-015',
    name: 'getSessionAndUser answers both, and null for an unknown, empty or missing token',
    async run(store) {
      const created = await seed(store)
      await store.createSession({ ...session, userId: created.id })
      const found = await store.getSessionAndUser('Token-1')
      assert.deepEqual(found?.user, created)
      assert.deepEqual(found && pick(found.session), { ...session, userId: created.id })
      for (const token of ['', 'nothing', undefined as unknown as string]) {
        assert.equal(await store.getSessionAndUser(token), null)
      }
    },
  },
  {
    id: 'ADP-016',
    name: 'updateSession changes what is given, and answers nothing for a session that is gone',
    async run(store) {
      const { id } = await seed(store)
      await store.createSession({ ...session, userId: id })
      const changed = await store.updateSession({
        sessionToken: 'Token-1',
        expires: later,
        userId: undefined,
      })
      assert.deepEqual(changed && pick(changed), { ...session, userId: id, expires: later })
      assert.deepEqual((await store.getSessionAndUser('Token-1'))?.session.expires, later)
      assert.equal((await store.updateSession({ sessionToken: 'gone', expires, userId: id })) ?? null, null)
      assert.equal(await store.getSessionAndUser('gone'), null)
    },
  },
  {
    id: 'CC-04',
    name: 'updateSession and deleteSession at once leave no row',
    async run(store) {
      const { id } = await seed(store)
      for (const first of ['update', 'delete']) {
        await store.createSession({ ...session, userId: id })
        const update = async () => store.updateSession({ sessionToken: 'Token-1', expires: later })
        const remove = async () => store.deleteSession('Token-1')
        await Promise.all(first === 'update' ? [update(), remove()] : [remove(), update()])
        assert.equal(await store.getSessionAndUser('Token-1'), null)
      }
    },
  },
  {
    id: 'ADP-017',
    name: 'deleteSession removes that session, and is quiet where there is none',
    async run(store) {
      const { id } = await seed(store)
      await store.createSession({ ...session, userId: id })
      await store.createSession({ ...session, sessionToken: 'Token-2', userId: id })
      await store.deleteSession('Token-1')
      assert.equal(await store.getSessionAndUser('Token-1'), null)
      assert.equal((await store.getSessionAndUser('Token-2'))?.user.id, id)
      assert.equal((await store.deleteSession('Token-1')) ?? null, null)
    },
  },
  {
    id: 'ADP-018',
    name: 'createVerificationToken throws for a pair that is there; an address may have several',
    async run(store) {
      await store.createVerificationToken(mail)
      await throws(() => store.createVerificationToken({ ...mail, expires: later }))
      await store.createVerificationToken({ ...mail, token: 'hash2' })
      await store.createVerificationToken({ ...mail, identifier: other.email })
      assert.deepEqual((await store.useVerificationToken(mail))?.expires, expires)
      assert.equal((await store.useVerificationToken({ ...mail, token: 'hash2' }))?.identifier, user.email)
    },
  },
  {
    id: 'ADP-019',
    name: 'useVerificationToken needs address and token; a wrong one takes nothing',
    async run(store) {
      await store.createVerificationToken(mail)
      for (const wrong of [
        { identifier: other.email },
        { identifier: '' },
        { identifier: undefined },
        { token: 'Hash' },
        { token: '' },
        { token: undefined },
      ]) {
        assert.equal(await store.useVerificationToken({ ...mail, ...wrong } as typeof mail), null)
      }
      const { identifier, token } = mail
      assert.deepEqual({ ...(await store.useVerificationToken({ identifier, token })) }, mail)
    },
  },
  {
    id: 'ADP-020',
    name: 'a token works once, also when many use it at once',
    async run(store) {
      await store.createVerificationToken(mail)
      const uses = Array.from({ length: 10 }, async () => store.useVerificationToken(mail))
      assert.equal((await Promise.all(uses)).filter((used) => used !== null).length, 1)
      assert.equal(await store.useVerificationToken(mail), null)
    },
  },
  {
    id: 'ADP-021',
    name: 'createAuthenticator answers it; a taken credential and an unknown user throw',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      const whole: AdapterAuthenticator = { ...passkey, userId: id }
      assert.deepEqual({ ...(await store.createAuthenticator(whole)) }, whole)
      await throws(() => store.createAuthenticator({ ...whole, userId: second.id }))
      await throws(() => store.createAuthenticator({ ...whole, credentialID: 'other', userId: 'nobody' }))
      assert.equal((await store.getAuthenticator(passkey.credentialID))?.userId, id)
      assert.equal(await store.getAuthenticator('other'), null)
    },
  },
  {
    id: 'ADP-022',
    name: 'getAuthenticator finds by the exact credential id, and answers null for another',
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      assert.equal((await store.getAuthenticator('Y3JlZA=='))?.counter, 0)
      for (const wrong of ['y3jlza==', 'Y3JlZA', '']) assert.equal(await store.getAuthenticator(wrong), null)
    },
  },
  {
    id: 'ADP-023',
    name: 'listAuthenticatorsByUserId lists those of the user, none for an unknown one',
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.createAuthenticator({ ...passkey, userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'b', userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'c', userId: second.id })
      const listed = await store.listAuthenticatorsByUserId(id)
      assert.deepEqual(listed.map((one) => one.credentialID).toSorted(), ['Y3JlZA==', 'b'])
      assert.deepEqual(await store.listAuthenticatorsByUserId('nobody'), [])
    },
  },
  {
    id: 'ADP-024',
    name: 'updateAuthenticatorCounter changes the counter alone, and throws for an unknown credential',
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      const whole = { ...passkey, userId: id, counter: 7 }
      assert.deepEqual({ ...(await store.updateAuthenticatorCounter(passkey.credentialID, 7)) }, whole)
      assert.deepEqual({ ...(await store.getAuthenticator(passkey.credentialID)) }, whole)
      await throws(() => store.updateAuthenticatorCounter('nothing', 1))
    },
  },
  {
    id: 'CB-08',
    name: 'dates come back as dates of the same millisecond, and null as null',
    async run(store) {
      const { id, emailVerified } = await seed(store)
      assert.equal(emailVerified, null)
      const dated = await store.updateUser({ id, emailVerified: later })
      const created = await store.createSession({ ...session, userId: id })
      await store.createVerificationToken(mail)
      const found = await store.getSessionAndUser('Token-1')
      const used = await store.useVerificationToken(mail)
      for (const [date, wanted] of [
        [dated.emailVerified, later],
        [created.expires, expires],
        [found?.session.expires, expires],
        [found?.user.emailVerified, later],
        [used?.expires, expires],
      ]) {
        assert.ok(date instanceof Date)
        assert.equal(date.getTime(), wanted?.getTime())
      }
    },
  },
  {
    id: 'CB-08',
    name: 'what a caller changes on its own objects changes nothing stored, on the way in or out',
    async run(store) {
      const given = { ...user, emailVerified: new Date(expires) }
      const created = await store.createUser(given)
      const row = { ...session, userId: created.id, expires: new Date(expires) }
      const answered = await store.createSession(row)
      const found = await store.getSessionAndUser('Token-1')
      for (const date of [given.emailVerified, created.emailVerified, row.expires, answered.expires]) {
        date?.setTime(0)
      }
      found?.session.expires.setTime(0)
      found?.user.emailVerified?.setTime(0)
      created.name = 'changed'
      const patch = { sessionToken: 'Token-1', expires: new Date(later) }
      const changed = await store.updateSession(patch)
      patch.expires.setTime(0)
      changed?.expires.setTime(0)
      const after = await store.getSessionAndUser('Token-1')
      assert.equal(after?.session.expires.getTime(), later.getTime())
      assert.equal(after?.user.emailVerified?.getTime(), expires.getTime())
      assert.equal(after?.user.name, 'Ada')
    },
  },
]

function seed(store: Required<Adapter>): Promise<AdapterUser> {
  return Promise.resolve(store.createUser(user))
}

/** Rejects unless the operation throws or rejects, with an Error. */
async function throws(operation: () => unknown): Promise<void> {
  await assert.rejects(async () => operation(), Error)
}

/** A session's own fields; a store may add columns. */
function pick({ sessionToken, userId, expires: until }: AdapterSession): AdapterSession {
  return { sessionToken, userId, expires: until }
}
