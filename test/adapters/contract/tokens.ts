import assert from 'node:assert/strict'
import { type AdapterRule, user, other, expires, later, mail, throws } from './records.ts'

/** What a store has to do with the tokens of mail links. */
export const tokensRules: readonly AdapterRule[] = [
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
]
