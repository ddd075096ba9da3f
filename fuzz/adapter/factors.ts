import { expectNull, expectSame, expectThrow } from './expect.ts'
import { nobody, other, seed, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** As long as a sealed factor with all its recovery codes. */
const [first, second] = ['a', 'b'].map((letter) => `eyJ${letter.repeat(2000)}`) as [string, string]

/** The rules for second factors. */
export const factorRules: readonly AdapterRule[] = [
  rule({
    proves: ['SF-12'],
    name: 'getFactor returns the factor that setFactor stored for the user, or null',
    guards: true,
    uses: ['createUser', 'getFactor', 'setFactor'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      expectNull('the factor of a user without one', await store.getFactor(id))
      expectSame('the result of setFactor', await store.setFactor(id, first), true)
      expectSame('the factor', await store.getFactor(id), first)
      expectSame('the result of a second setFactor', await store.setFactor(id, second), false)
      expectSame('the factor', await store.getFactor(id), first)
      expectSame('the result of a replacement', await store.setFactor(id, second, { factor: first }), true)
      expectSame('the factor', await store.getFactor(id), second)
      for (const userId of [otherId, nobody, '', untyped<string>(undefined)])
        expectNull('the factor of another user', await store.getFactor(userId))
    },
  }),
  rule({
    proves: ['SF-12'],
    name: 'setFactor throws for an unknown user',
    guards: true,
    uses: ['getFactor', 'setFactor'],
    async run(store) {
      await expectThrow('setFactor of an unknown user', () => store.setFactor(nobody, first))
      expectNull('the factor', await store.getFactor(nobody))
    },
  }),
  rule({
    proves: ['SF-12', 'SF-05'],
    name: 'setFactor replaces only the given factor, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['createUser', 'getFactor', 'setFactor'],
    async run(store) {
      const { id } = await seed(store)
      expectSame('the result without a factor', await store.setFactor(id, second, { factor: first }), false)
      expectNull('the factor', await store.getFactor(id))
      await store.setFactor(id, first)
      const raced = await Promise.all(
        ['a', 'b', 'c'].map(async (end) => store.setFactor(id, `${second}${end}`, { factor: first })),
      )
      expectSame('the number of replacements', raced.filter(Boolean).length, 1)
      const held = await store.getFactor(id)
      expectSame('the result for a stale factor', await store.setFactor(id, second, { factor: first }), false)
      expectSame('the factor', await store.getFactor(id), held)
    },
  }),
  rule({
    proves: ['SF-12'],
    name: 'of concurrent setFactor calls of a user without a factor, one succeeds',
    uses: ['createUser', 'getFactor', 'setFactor'],
    async run(store) {
      const { id } = await seed(store)
      const factors = ['a', 'b', 'c'].map((end) => `${first}${end}`)
      const stored = await Promise.all(factors.map(async (factor) => store.setFactor(id, factor)))
      expectSame('the number of stored factors', stored.filter(Boolean).length, 1)
      expectSame('the factor', await store.getFactor(id), factors[stored.indexOf(true)])
    },
  }),
  rule({
    proves: ['SF-12'],
    name: 'deleteFactor removes only the given factor, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['createUser', 'getFactor', 'setFactor', 'deleteFactor'],
    async run(store) {
      const { id } = await seed(store)
      await store.setFactor(id, second)
      expectSame('the result for a stale factor', await store.deleteFactor(id, { factor: first }), false)
      expectSame('the factor', await store.getFactor(id), second)
      const raced = await Promise.all(
        ['a', 'b', 'c'].map(async () => store.deleteFactor(id, { factor: second })),
      )
      expectSame('the number of removals', raced.filter(Boolean).length, 1)
      expectNull('the factor', await store.getFactor(id))
    },
  }),
  rule({
    proves: ['SF-12'],
    name: 'deleteFactor and deleteUser remove the factor of the user',
    guards: true,
    uses: ['createUser', 'deleteUser', 'getFactor', 'setFactor', 'deleteFactor'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      await store.setFactor(id, first)
      await store.setFactor(otherId, second)
      await store.deleteFactor(id)
      expectNull('the deleted factor', await store.getFactor(id))
      await store.deleteFactor(id)
      await store.setFactor(id, first)
      await store.deleteUser(id)
      expectNull('the factor of the deleted user', await store.getFactor(id))
      await seed(store)
      expectNull('the factor of a new user with the same id', await store.getFactor(id))
      expectSame('the factor of the other user', await store.getFactor(otherId), second)
    },
  }),
]
