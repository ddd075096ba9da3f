import { ContractBreach } from './expect.ts'
import { account, mail, nobody, passkey, seed, session, user } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'
import { show } from './show.ts'

/** How a store has to fail. */
export const failuresRules: readonly AdapterRule[] = [
  rule({
    proves: ['CB-08'],
    name: 'createUser, updateUser and linkAccount that fail reject, and do not throw',
    uses: ['createUser', 'updateUser', 'linkAccount'],
    async run(store, bare) {
      const { id } = await seed(store)
      await store.linkAccount({ ...account, userId: id })
      await expectRejection('createUser', () => bare.createUser({ ...user, id: nobody }))
      await expectRejection('updateUser', () => bare.updateUser({ id: nobody, name: 'x' }))
      await expectRejection('linkAccount', () => bare.linkAccount({ ...account, userId: id }))
    },
  }),
  rule({
    proves: ['CB-08'],
    name: 'createSession and createVerificationToken that fail reject, and do not throw',
    uses: ['createUser', 'createSession', 'createVerificationToken'],
    async run(store, bare) {
      const { id } = await seed(store)
      await store.createSession({ ...session, userId: id })
      await store.createVerificationToken(mail)
      await expectRejection('createSession', () => bare.createSession({ ...session, userId: id }))
      await expectRejection('createVerificationToken', () => bare.createVerificationToken(mail))
    },
  }),
  rule({
    proves: ['CB-08'],
    name: 'createAuthenticator and updateAuthenticatorCounter that fail reject, and do not throw',
    uses: ['createUser', 'createAuthenticator', 'updateAuthenticatorCounter'],
    async run(store, bare) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      await expectRejection('createAuthenticator', () => bare.createAuthenticator({ ...passkey, userId: id }))
      await expectRejection('updateAuthenticatorCounter', () => bare.updateAuthenticatorCounter('nothing', 1))
    },
  }),
]

/** Whether the operation fails at all is for other rules to say. */
async function expectRejection(what: string, operation: () => unknown): Promise<void> {
  let answer: unknown
  try {
    answer = operation()
  } catch (error) {
    throw new ContractBreach(what, 'a rejected promise', `it threw ${show(error)}`)
  }
  await Promise.allSettled([answer])
}
