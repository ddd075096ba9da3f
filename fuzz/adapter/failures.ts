import { ContractBreach } from './expect.ts'
import { account, mail, nobody, passkey, seed, session, user } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'
import { show } from './show.ts'

/** The rules for failures. */
export const failuresRules: readonly AdapterRule[] = [
  rule({
    proves: ['CB-08'],
    name: 'createUser, updateUser and linkAccount reject on failure instead of throwing',
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
    name: 'createSession and createVerificationToken reject on failure instead of throwing',
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
    name: 'createAuthenticator and updateAuthenticatorCounter reject on failure instead of throwing',
    uses: ['createUser', 'createAuthenticator', 'updateAuthenticatorCounter'],
    async run(store, bare) {
      const { id } = await seed(store)
      await store.createAuthenticator({ ...passkey, userId: id })
      await expectRejection('createAuthenticator', () => bare.createAuthenticator({ ...passkey, userId: id }))
      await expectRejection('updateAuthenticatorCounter', () => bare.updateAuthenticatorCounter('nothing', 1))
    },
  }),
]

/** Checks that the operation does not throw synchronously. Other rules check whether it fails. */
async function expectRejection(what: string, operation: () => unknown): Promise<void> {
  let result: unknown
  try {
    result = operation()
  } catch (error) {
    throw new ContractBreach(what, 'a rejected promise', `it threw ${show(error)}`)
  }
  await Promise.allSettled([result])
}
