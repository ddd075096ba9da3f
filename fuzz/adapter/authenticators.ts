import { expectNull, expectRecord, expectSame, expectThrow } from './expect.ts'
import { nobody, other, passkey, seed } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for authenticators. */
export const authenticatorsRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-021', 'REC-034', 'REC-036', 'REC-037'],
    name: 'createAuthenticator returns the authenticator, and stores it unchanged',
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(store) {
      const { id } = await seed(store)
      for (const credentialBackedUp of [true, false]) {
        const credentialID = `${passkey.credentialID}${credentialBackedUp}`
        const whole = { ...passkey, credentialID, credentialBackedUp, userId: id }
        expectRecord('createAuthenticator', await store.createAuthenticator(whole), whole)
        expectRecord('getAuthenticator', await store.getAuthenticator(credentialID), whole)
      }
    },
  }),
  rule({
    proves: ['ADP-021', 'ERR-013'],
    name: 'createAuthenticator throws for a duplicate credential and for an unknown user',
    guards: true,
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.createAuthenticator({ ...passkey, userId: id })
      await expectThrow('createAuthenticator of a taken credential', () =>
        store.createAuthenticator({ ...passkey, userId: second.id }),
      )
      await expectThrow('createAuthenticator for an unknown user', () =>
        store.createAuthenticator({ ...passkey, credentialID: 'other', userId: nobody }),
      )
      expectSame('the owner', (await store.getAuthenticator(passkey.credentialID))?.userId, id)
      expectNull('getAuthenticator', await store.getAuthenticator('other'))
    },
  }),
  rule({
    proves: ['REC-038'],
    name: 'transports are a string or null',
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'b', transports: null, userId: id })
      const found = await store.getAuthenticator(passkey.credentialID)
      expectSame('transports', found?.transports, 'usb,nfc')
      expectSame('no transports', (await store.getAuthenticator('b'))?.transports ?? null, null)
    },
  }),
  rule({
    proves: ['ADP-022', 'ERR-014'],
    name: 'getAuthenticator finds by the exact credential id, and returns null for another',
    guards: true,
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      expectSame('the counter', (await store.getAuthenticator('Y3JlZA=='))?.counter, 0)
      for (const wrong of ['y3jlza==', 'Y3JlZA', ''])
        expectNull('getAuthenticator of another credential', await store.getAuthenticator(wrong))
    },
  }),
  rule({
    proves: ['ADP-023'],
    name: 'listAuthenticatorsByUserId lists those of the user, or none for an unknown one',
    uses: ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      await store.createAuthenticator({ ...passkey, userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'b', userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'c', userId: second.id })
      const listed = await store.listAuthenticatorsByUserId(id)
      expectSame('the authenticators of the user', listed.map((one) => one.credentialID).toSorted(), [
        'Y3JlZA==',
        'b',
      ])
      expectSame('the authenticators of an unknown user', await store.listAuthenticatorsByUserId(nobody), [])
    },
  }),
  rule({
    proves: ['ADP-024', 'REC-035', 'ERR-013'],
    name: 'updateAuthenticatorCounter changes only the counter, and throws for an unknown credential',
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter'],
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      for (const counter of [7, 4_294_967_295]) {
        const whole = { ...passkey, userId: id, counter }
        const updated = await store.updateAuthenticatorCounter(passkey.credentialID, counter)
        expectRecord('updateAuthenticatorCounter', updated, whole)
        expectRecord('getAuthenticator', await store.getAuthenticator(passkey.credentialID), whole)
      }
      await expectThrow('updateAuthenticatorCounter of an unknown credential', () =>
        store.updateAuthenticatorCounter('nothing', 1),
      )
    },
  }),
  rule({
    proves: ['WA-05'],
    name: 'only one of several concurrent counter updates succeeds',
    guards: true,
    uses: ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter'],
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      const { credentialID, counter } = passkey
      const next = Array.from({ length: 10 }, (_, n) => counter + 1 + n)
      const results = await Promise.allSettled(
        next.map(async (each) => store.updateAuthenticatorCounter(credentialID, each, { counter })),
      )
      const winners = next.filter((_, n) => results[n]?.status === 'fulfilled')
      const held = await store.getAuthenticator(credentialID)
      expectSame('the successful calls', winners, [held?.counter])
    },
  }),
  rule({
    proves: ['DEC-39c'],
    name: 'deleteAuthenticator removes that credential, and does not throw if there is none',
    guards: true,
    uses: [
      'createUser',
      'createAuthenticator',
      'deleteAuthenticator',
      'getAuthenticator',
      'listAuthenticatorsByUserId',
    ],
    async run(store) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      await store.createAuthenticator({ ...passkey, credentialID: 'b', userId: id })
      for (const unknown of ['nothing', 'y3jlza==', '']) await store.deleteAuthenticator(unknown)
      await store.deleteAuthenticator(passkey.credentialID)
      expectNull('getAuthenticator', await store.getAuthenticator(passkey.credentialID))
      const left = await store.listAuthenticatorsByUserId(id)
      expectSame(
        'the remaining authenticators',
        left.map(({ credentialID }) => credentialID),
        ['b'],
      )
      await store.deleteAuthenticator(passkey.credentialID)
    },
  }),
]
