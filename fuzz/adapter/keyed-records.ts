import { expectNull, expectSame } from './expect.ts'
import { expires, later, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

const [first, second] = ['a', 'b'].map((letter) => `eyJ${letter.repeat(2000)}`) as [string, string]
const [key, otherKey] = ['device:0f3a', 'device:0f3b'] as const

/** The rules for values that are found by a key and belong to no user. */
export const keyedRecordRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-027'],
    name: 'getKeyedRecord returns the value with exactly that key, or null',
    guards: true,
    uses: ['getKeyedRecord', 'setKeyedRecord'],
    async run(store) {
      expectNull('the value without a record', await store.getKeyedRecord(key))
      expectSame('the result', await store.setKeyedRecord({ key, value: first, expires }), true)
      const other = { key: otherKey, value: second, expires: later }
      expectSame('the result for another key', await store.setKeyedRecord(other), true)
      expectSame('the value', await store.getKeyedRecord(key), first)
      expectSame('the value with the other key', await store.getKeyedRecord(otherKey), second)
      for (const wrong of [
        'Device:0f3a',
        'device:0F3A',
        'device:0f3a ',
        'device:0f3',
        '',
        untyped<string>(undefined),
      ])
        expectNull('the value with an unknown key', await store.getKeyedRecord(wrong))
    },
  }),
  rule({
    proves: ['ADP-027'],
    name: 'setKeyedRecord without held stores only the first value, also of concurrent calls',
    guards: true,
    uses: ['getKeyedRecord', 'setKeyedRecord'],
    async run(store) {
      const values = ['a', 'b', 'c'].map((end) => `${first}${end}`)
      const raced = await Promise.all(
        values.map(async (value) => store.setKeyedRecord({ key, value, expires })),
      )
      expectSame('the number of stored values', raced.filter(Boolean).length, 1)
      const held = await store.getKeyedRecord(key)
      expectSame('the value', held, values[raced.indexOf(true)])
      const again = await store.setKeyedRecord({ key, value: second, expires })
      expectSame('the result for a later call', again, false)
      expectSame('the value', await store.getKeyedRecord(key), held)
    },
  }),
  rule({
    proves: ['ADP-027'],
    name: 'setKeyedRecord with held replaces only that value, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['getKeyedRecord', 'setKeyedRecord'],
    async run(store) {
      const replace = async (value: string) =>
        store.setKeyedRecord({ key, value, expires: later }, { value: first })
      expectSame('the result without a value', await replace(second), false)
      expectNull('the value', await store.getKeyedRecord(key))
      for (const each of [key, otherKey]) await store.setKeyedRecord({ key: each, value: first, expires })
      const raced = await Promise.all(['a', 'b', 'c'].map((end) => replace(`${second}${end}`)))
      expectSame('the number of replacements', raced.filter(Boolean).length, 1)
      const held = await store.getKeyedRecord(key)
      expectSame('the result for a stale value', await replace(second), false)
      expectSame('the value', await store.getKeyedRecord(key), held)
      expectSame('the value with another key', await store.getKeyedRecord(otherKey), first)
    },
  }),
  rule({
    proves: ['ADP-027'],
    name: 'deleteKeyedRecord removes only the given value, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['getKeyedRecord', 'setKeyedRecord', 'deleteKeyedRecord'],
    async run(store) {
      for (const each of [key, otherKey]) await store.setKeyedRecord({ key: each, value: second, expires })
      const remove = async (value: string) => store.deleteKeyedRecord(key, { value })
      expectSame('the result for a stale value', await remove(first), false)
      expectSame('the value', await store.getKeyedRecord(key), second)
      const raced = await Promise.all(['a', 'b', 'c'].map(() => remove(second)))
      expectSame('the number of removals', raced.filter(Boolean).length, 1)
      expectNull('the value', await store.getKeyedRecord(key))
      expectSame('the value with another key', await store.getKeyedRecord(otherKey), second)
      expectSame('the result without held', await store.deleteKeyedRecord(otherKey), true)
      expectSame('the result without a value', await store.deleteKeyedRecord(otherKey), false)
      const stored = await store.setKeyedRecord({ key, value: first, expires })
      expectSame('the result after the removal', stored, true)
    },
  }),
]
