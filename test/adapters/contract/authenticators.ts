import assert from 'node:assert/strict'
import type { AdapterAuthenticator } from '../../../src/types/adapter.ts'
import { type AdapterRule, other, passkey, seed, throws } from './records.ts'

/** What a store has to do with authenticators. */
export const authenticatorsRules: readonly AdapterRule[] = [
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
]
