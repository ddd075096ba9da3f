import { expectNull, expectSame } from './expect.ts'
import { expires, later, mail, mailKey, seed, session, user } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for dates and mutable objects. */
export const datesRules: readonly AdapterRule[] = [
  rule({
    proves: ['CB-08'],
    name: 'dates of users and sessions keep their millisecond, and null stays null',
    uses: ['createUser', 'updateUser', 'createSession', 'getSessionAndUser'],
    async run(store) {
      const { id, emailVerified } = await seed(store)
      expectNull('emailVerified', emailVerified)
      const created = await store.createSession({ ...session, userId: id })
      expectSame('createSession, expires', created.expires, expires)
      expectNull('emailVerified', (await store.getSessionAndUser('Token-1'))?.user.emailVerified)
      const dated = await store.updateUser({ id, emailVerified: later })
      expectSame('updateUser, emailVerified', dated.emailVerified, later)
      const found = await store.getSessionAndUser('Token-1')
      expectSame('getSessionAndUser, expires', found?.session.expires, expires)
      expectSame('getSessionAndUser, emailVerified', found?.user.emailVerified, later)
    },
  }),
  rule({
    proves: ['CB-08'],
    name: 'dates in the far future and past are preserved',
    uses: ['createUser', 'updateUser', 'getUser'],
    async run(store) {
      const { id } = await seed(store)
      for (const date of [new Date(0), new Date(1), new Date('2038-01-19T03:14:08.001Z'), later]) {
        await store.updateUser({ id, emailVerified: date })
        expectSame('emailVerified', (await store.getUser(id))?.emailVerified, date)
      }
    },
  }),
  rule({
    proves: ['CB-08', 'REC-033'],
    name: 'the date of a verification token keeps its millisecond',
    uses: ['createVerificationToken', 'useVerificationToken'],
    async run(store) {
      await store.createVerificationToken(mail)
      expectSame('expires', (await store.useVerificationToken(mailKey))?.expires, expires)
    },
  }),
  rule({
    proves: ['CB-08'],
    name: 'changes to a caller’s objects do not affect stored rows',
    uses: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(store) {
      const given = { ...user, emailVerified: new Date(expires) }
      const created = await store.createUser(given)
      const row = { ...session, userId: created.id, expires: new Date(expires) }
      const stored = await store.createSession(row)
      const found = await store.getSessionAndUser('Token-1')
      for (const date of [given.emailVerified, created.emailVerified, row.expires, stored.expires]) {
        modify(date)
      }
      modify(found?.session.expires)
      modify(found?.user.emailVerified)
      created.name = 'changed'
      const patch = { sessionToken: 'Token-1', expires: new Date(later) }
      const changed = await store.updateSession(patch)
      modify(patch.expires)
      modify(changed?.expires)
      const after = await store.getSessionAndUser('Token-1')
      expectSame('expires', after?.session.expires, later)
      expectSame('emailVerified', after?.user.emailVerified, expires)
      expectSame('name', after?.user.name, 'Ada')
    },
  }),
]

/** Skips values that are not dates; another rule checks that they are. */
function modify(date: unknown): void {
  if (date instanceof Date) date.setTime(0)
}
