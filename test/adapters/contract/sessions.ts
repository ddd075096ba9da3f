import assert from 'node:assert/strict'
import {
  type AdapterRule,
  account,
  user,
  expires,
  later,
  session,
  mail,
  seed,
  throws,
  pick,
} from './records.ts'

/** What a store has to do with sessions, and with the dates and objects it is given. */
export const sessionsRules: readonly AdapterRule[] = [
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
