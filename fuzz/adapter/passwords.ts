import { expectNull, expectSame, expectThrow } from './expect.ts'
import { nobody, other, seed, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

const [first, second] = ['$scrypt$ln=15,r=8,p=3$c2FsdA$a2V5', '$scrypt$ln=15,r=8,p=3$c2FsdA$a2V6']

/** The rules for password hashes. */
export const passwordsRules: readonly AdapterRule[] = [
  rule({
    proves: ['PW-04'],
    name: 'getPassword returns the hash that setPassword stored last for the user, or null',
    guards: true,
    uses: ['createUser', 'getPassword', 'setPassword'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      expectNull('the hash of a user without one', await store.getPassword(id))
      for (const hash of [first, second]) {
        expectSame('the result of setPassword', await store.setPassword(id, hash), true)
        expectSame('the hash', await store.getPassword(id), hash)
      }
      for (const userId of [otherId, nobody, '', untyped<string>(undefined)])
        expectNull('the hash of another user', await store.getPassword(userId))
    },
  }),
  rule({
    proves: ['PW-04'],
    name: 'setPassword throws for an unknown user',
    guards: true,
    uses: ['getPassword', 'setPassword'],
    async run(store) {
      await expectThrow('setPassword of an unknown user', () => store.setPassword(nobody, first))
      expectNull('the hash', await store.getPassword(nobody))
    },
  }),
  rule({
    proves: ['PW-04', 'PW-05'],
    name: 'setPassword replaces only the given hash, and of concurrent calls only one succeeds',
    guards: true,
    uses: ['createUser', 'getPassword', 'setPassword'],
    async run(store) {
      const { id } = await seed(store)
      expectSame('the result without a hash', await store.setPassword(id, second, { hash: first }), false)
      expectNull('the hash', await store.getPassword(id))
      await store.setPassword(id, first)
      const raced = await Promise.all(
        ['a', 'b', 'c'].map(async (end) => store.setPassword(id, `${second}${end}`, { hash: first })),
      )
      expectSame('the number of replacements', raced.filter(Boolean).length, 1)
      const held = await store.getPassword(id)
      expectSame('the result for a stale hash', await store.setPassword(id, second, { hash: first }), false)
      expectSame('the hash', await store.getPassword(id), held)
    },
  }),
  rule({
    proves: ['PW-04'],
    name: 'concurrent setPassword calls of a user without a hash all succeed',
    uses: ['createUser', 'getPassword', 'setPassword'],
    async run(store) {
      const { id } = await seed(store)
      const hashes = ['a', 'b', 'c'].map((end) => `${first}${end}`)
      await Promise.all(hashes.map(async (hash) => store.setPassword(id, hash)))
      expectSame('one of the hashes', hashes.includes((await store.getPassword(id)) ?? ''), true)
    },
  }),
  rule({
    proves: ['PW-04'],
    name: 'deletePassword and deleteUser remove the hash of the user',
    guards: true,
    uses: ['createUser', 'deleteUser', 'getPassword', 'setPassword', 'deletePassword'],
    async run(store) {
      const { id } = await seed(store)
      const { id: otherId } = await store.createUser(other)
      await store.setPassword(id, first)
      await store.setPassword(otherId, second)
      await store.deletePassword(id)
      expectNull('the deleted hash', await store.getPassword(id))
      await store.deletePassword(id)
      await store.setPassword(id, first)
      await store.deleteUser(id)
      expectNull('the hash of the deleted user', await store.getPassword(id))
      await seed(store)
      expectNull('the hash of a new user with the same id', await store.getPassword(id))
      expectSame('the hash of the other user', await store.getPassword(otherId), second)
    },
  }),
]
