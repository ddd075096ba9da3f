import { expectSame } from './expect.ts'
import { later, openSession, passkey, seed, session, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

const [first, second] = ['{"device":"Ünï 🖥"}', '{"device":"other"}']

/** The rules for descriptions of sessions and names of passkeys. */
export const descriptionsRules: readonly AdapterRule[] = [
  rule({
    proves: ['ACP-03'],
    name: 'describeSession stores the description of that session only, and updateSession keeps it',
    uses: ['createUser', 'createSession', 'describeSession', 'updateSession', 'listSessionsByUserId'],
    async run(store) {
      const { userId } = await openSession(store)
      await store.createSession({ ...session, sessionToken: 'Token-2', userId })
      await store.describeSession('Token-1', second)
      await store.describeSession('Token-1', first)
      await store.updateSession({ sessionToken: 'Token-1', expires: later })
      const rows = await store.listSessionsByUserId(userId)
      const described = rows.map(({ sessionToken, description }) => [sessionToken, description ?? null])
      const expected = { 'Token-1': first, 'Token-2': null }
      expectSame('the descriptions', Object.fromEntries(described), expected)
    },
  }),
  rule({
    proves: ['ACP-03'],
    name: 'describeSession stores nothing for a session that does not exist, and does not throw',
    guards: true,
    uses: ['createUser', 'createSession', 'deleteSession', 'describeSession', 'listSessionsByUserId'],
    async run(store) {
      const { userId } = await openSession(store)
      await store.deleteSession('Token-1')
      for (const token of ['Token-1', '', untyped<string>(undefined)])
        await store.describeSession(token, first)
      expectSame('the sessions', await store.listSessionsByUserId(userId), [])
    },
  }),
  rule({
    proves: ['ACP-10'],
    name: 'nameAuthenticator changes only the name of that authenticator',
    uses: ['createUser', 'createAuthenticator', 'nameAuthenticator', 'listAuthenticatorsByUserId'],
    async run(store) {
      const { id } = await seed(store)
      const added = { ...passkey, credentialID: 'b3RoZXI=', providerAccountId: 'b3RoZXI=' }
      for (const each of [passkey, added]) await store.createAuthenticator({ ...each, userId: id })
      await store.nameAuthenticator(passkey.credentialID, 'Phöne')
      for (const unknown of ['nobody', '']) await store.nameAuthenticator(unknown, 'Other')
      const rows = await store.listAuthenticatorsByUserId(id)
      const named = rows.map(({ credentialID, counter, credentialPublicKey, name }) => [
        credentialID,
        [counter, credentialPublicKey, name ?? null],
      ])
      const { counter, credentialPublicKey } = passkey
      expectSame('the names', Object.fromEntries(named), {
        [passkey.credentialID]: [counter, credentialPublicKey, 'Phöne'],
        [added.credentialID]: [counter, credentialPublicKey, null],
      })
    },
  }),
]
