import { expectNull, expectRecord, expectSame, expectThrow } from './expect.ts'
import { expires, later, mail, mailKey, other, untyped, user } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for verification tokens. */
export const tokensRules: readonly AdapterRule[] = [
  rule({
    proves: ['ADP-018'],
    name: 'createVerificationToken throws for a duplicate',
    guards: true,
    uses: ['createVerificationToken', 'useVerificationToken'],
    async run(store) {
      await store.createVerificationToken(mail)
      await expectThrow('createVerificationToken of a taken pair', () =>
        store.createVerificationToken({ ...mail, expires: later }),
      )
      expectSame('expires', (await store.useVerificationToken(mailKey))?.expires, expires)
    },
  }),
  rule({
    proves: ['ADP-018', 'REC-031'],
    name: 'an address may have several independent tokens',
    uses: ['createVerificationToken', 'useVerificationToken'],
    async run(store) {
      await store.createVerificationToken(mail)
      await store.createVerificationToken({ ...mail, token: 'hash2' })
      await store.createVerificationToken({ ...mail, identifier: other.email, token: 'hash3' })
      const { token, identifier } = mail
      expectSame('the first', (await store.useVerificationToken({ identifier, token }))?.token, 'hash')
      const second = await store.useVerificationToken({ identifier, token: 'hash2' })
      expectSame('the second', second?.identifier, user.email)
      const third = await store.useVerificationToken({ identifier: other.email, token: 'hash3' })
      expectSame('the token of another address', third?.identifier, other.email)
    },
  }),
  rule({
    proves: ['ADP-019'],
    name: 'useVerificationToken needs address and token, and a wrong one deletes nothing',
    guards: true,
    uses: ['createVerificationToken', 'useVerificationToken'],
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
        const used = await store.useVerificationToken(untyped({ ...mailKey, ...wrong }))
        expectNull('useVerificationToken of a wrong pair', used)
      }
      const { identifier, token } = mail
      expectRecord('useVerificationToken', await store.useVerificationToken({ identifier, token }), mail)
    },
  }),
  rule({
    proves: ['ADP-020', 'SU-01'],
    name: 'a token works once, even for concurrent requests',
    guards: true,
    uses: ['createVerificationToken', 'useVerificationToken'],
    async run(store) {
      await store.createVerificationToken(mail)
      const uses = Array.from({ length: 10 }, async () => store.useVerificationToken(mailKey))
      expectSame(
        'the number of successful calls',
        (await Promise.all(uses)).filter((used) => used !== null).length,
        1,
      )
      expectNull('useVerificationToken after that', await store.useVerificationToken(mailKey))
    },
  }),
]
