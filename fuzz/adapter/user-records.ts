import { expectNull, expectSame, expectThrow } from './expect.ts'
import { nobody, other, seed, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

const [first, second] = ['a', 'b'].map((letter) => `eyJ${letter.repeat(2000)}`) as [string, string]
const [stamp, terms] = ['stamp', 'terms-2026'] as const

/** The rules for the named records of a user. */
export const userRecordRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-025'],
    name: 'getRecord returns the record of that user with that name, or null',
    guards: true,
    uses: ['createUser', 'getRecord', 'setRecord'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      expectNull('the record of a user without one', await store.getRecord(id, stamp))
      expectSame('the result of setRecord', await store.setRecord(id, stamp, first), true)
      expectSame('the result for another name', await store.setRecord(id, terms, second), true)
      expectSame('the record', await store.getRecord(id, stamp), first)
      expectSame('the record with another name', await store.getRecord(id, terms), second)
      for (const userId of [otherId, nobody, '', untyped<string>(undefined)])
        expectNull('the record of another user', await store.getRecord(userId, stamp))
      for (const name of ['Stamp', 'stamp ', 'terms', '', untyped<string>(undefined)])
        expectNull('the record with an unknown name', await store.getRecord(id, name))
    },
  }),
  rule({
    proves: ['ADP-025'],
    name: 'setRecord throws for an unknown user',
    guards: true,
    uses: ['getRecord', 'setRecord'],
    async run(store) {
      await expectThrow('setRecord of an unknown user', () => store.setRecord(nobody, stamp, first))
      expectNull('the record', await store.getRecord(nobody, stamp))
    },
  }),
  rule({
    proves: ['ADP-025'],
    name: 'setRecord without held stores only the first record, also of concurrent calls',
    guards: true,
    uses: ['createUser', 'getRecord', 'setRecord'],
    async run(store) {
      const { id } = await seed(store)
      const values = ['a', 'b', 'c'].map((end) => `${first}${end}`)
      const raced = await Promise.all(values.map(async (value) => store.setRecord(id, stamp, value)))
      expectSame('the number of stored records', raced.filter(Boolean).length, 1)
      const held = await store.getRecord(id, stamp)
      expectSame('the record', held, values[raced.indexOf(true)])
      expectSame('the result for a later call', await store.setRecord(id, stamp, second), false)
      expectSame('the record', await store.getRecord(id, stamp), held)
    },
  }),
  rule({
    proves: ['ADP-025'],
    name: 'setRecord with held replaces only that text, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['createUser', 'getRecord', 'setRecord'],
    async run(store) {
      const { id } = await seed(store)
      expectSame(
        'the result without a record',
        await store.setRecord(id, stamp, second, { value: first }),
        false,
      )
      expectNull('the record', await store.getRecord(id, stamp))
      for (const name of [stamp, terms]) await store.setRecord(id, name, first)
      const raced = await Promise.all(
        ['a', 'b', 'c'].map(async (end) => store.setRecord(id, stamp, `${second}${end}`, { value: first })),
      )
      expectSame('the number of replacements', raced.filter(Boolean).length, 1)
      const held = await store.getRecord(id, stamp)
      expectSame(
        'the result for a stale text',
        await store.setRecord(id, stamp, second, { value: first }),
        false,
      )
      expectSame('the record', await store.getRecord(id, stamp), held)
      expectSame('the record with another name', await store.getRecord(id, terms), first)
    },
  }),
  rule({
    proves: ['ADP-025'],
    name: 'deleteRecord removes only the given text, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['createUser', 'getRecord', 'setRecord', 'deleteRecord'],
    async run(store) {
      const { id } = await seed(store)
      for (const name of [stamp, terms]) await store.setRecord(id, name, second)
      expectSame('the result for a stale text', await store.deleteRecord(id, stamp, { value: first }), false)
      expectSame('the record', await store.getRecord(id, stamp), second)
      const raced = await Promise.all(
        ['a', 'b', 'c'].map(async () => store.deleteRecord(id, stamp, { value: second })),
      )
      expectSame('the number of removals', raced.filter(Boolean).length, 1)
      expectNull('the record', await store.getRecord(id, stamp))
      expectSame('the record with another name', await store.getRecord(id, terms), second)
      expectSame('the result without held', await store.deleteRecord(id, terms), true)
      expectSame('the result without a record', await store.deleteRecord(id, terms), false)
    },
  }),
  rule({
    proves: ['ADP-025'],
    name: 'deleteUser removes the records of the user',
    guards: true,
    uses: ['createUser', 'deleteUser', 'getRecord', 'setRecord'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      for (const userId of [id, otherId]) await store.setRecord(userId, stamp, first)
      await store.deleteUser(id)
      expectNull('the record of the deleted user', await store.getRecord(id, stamp))
      await seed(store)
      expectNull('the record of a new user with the same id', await store.getRecord(id, stamp))
      expectSame('the record of the other user', await store.getRecord(otherId, stamp), first)
    },
  }),
]
