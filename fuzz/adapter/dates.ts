import { expectNull, expectSame } from './expect.ts'
import { expires, later, mail, mailKey, seed, session, user } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** What a store has to do with the dates and objects that it is given. */
export const datesRules: readonly AdapterRule[] = [
  rule({
    proves: ['CB-08'],
    name: 'dates of users and sessions come back as dates of the same millisecond, and null as null',
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
    name: 'a date far from here, or long ago, is the same date',
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
    name: 'the date of a verification token comes back as a date of the same millisecond',
    uses: ['createVerificationToken', 'useVerificationToken'],
    async run(store) {
      await store.createVerificationToken(mail)
      expectSame('expires', (await store.useVerificationToken(mailKey))?.expires, expires)
    },
  }),
  rule({
    proves: ['CB-08'],
    name: 'what a caller changes on its own objects changes nothing stored, on the way in or out',
    uses: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(store) {
      const given = { ...user, emailVerified: new Date(expires) }
      const created = await store.createUser(given)
      const row = { ...session, userId: created.id, expires: new Date(expires) }
      const answered = await store.createSession(row)
      const found = await store.getSessionAndUser('Token-1')
      for (const date of [given.emailVerified, created.emailVerified, row.expires, answered.expires]) {
        spoil(date)
      }
      spoil(found?.session.expires)
      spoil(found?.user.emailVerified)
      created.name = 'changed'
      const patch = { sessionToken: 'Token-1', expires: new Date(later) }
      const changed = await store.updateSession(patch)
      spoil(patch.expires)
      spoil(changed?.expires)
      const after = await store.getSessionAndUser('Token-1')
      expectSame('expires', after?.session.expires, later)
      expectSame('emailVerified', after?.user.emailVerified, expires)
      expectSame('name', after?.user.name, 'Ada')
    },
  }),
]

/** Only where it is one: that it is, another rule says. */
function spoil(date: unknown): void {
  if (date instanceof Date) date.setTime(0)
}
