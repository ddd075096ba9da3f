import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { derive, oauthProvider, oidcProvider, passkeyProvider } from './derive.ts'

const credentials = {
  id: 'password',
  name: 'Password',
  type: 'credentials',
  credentials: {},
  authorize: () => null,
}
const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined }

const rows = 'createSession getSessionAndUser updateSession deleteSession'
const accounts = 'createUser getUserByEmail getUserByAccount linkAccount'
const links = 'createUser getUserByEmail updateUser createVerificationToken useVerificationToken'
const authenticators =
  'getUser getAccount getAuthenticator createAuthenticator listAuthenticatorsByUserId updateAuthenticatorCounter'

/** The adapter methods that the flows of each kind of provider can call, by session strategy. */
const reachable = [
  { provider: oauthProvider, strategy: 'database', calls: `${accounts} ${rows}` },
  { provider: oidcProvider, strategy: 'database', calls: `${accounts} ${rows}` },
  { provider: oauthProvider, strategy: 'jwt', calls: `${accounts} getUser` },
  { provider: mail, strategy: 'database', calls: `${links} ${rows}` },
  { provider: mail, strategy: 'jwt', calls: links },
  { provider: credentials, strategy: 'database', calls: `getUser ${rows}` },
  { provider: credentials, strategy: 'jwt', calls: '' },
  { provider: passkeyProvider, strategy: 'database', calls: `${accounts} ${authenticators} ${rows}` },
  { provider: passkeyProvider, strategy: 'jwt', calls: `${accounts} ${authenticators}` },
] as const

function check(provider: object, strategy: string, adapter: object) {
  const experimental = { enableWebAuthn: true }
  return derive({ providers: [provider], session: { strategy }, adapter, experimental }).fault
}

/** A store with only these methods. */
function storeWith(operations: readonly string[]): Adapter {
  const store = memoryAdapter()
  return Object.fromEntries(Object.entries(store).filter(([name]) => operations.includes(name)))
}

describe('the required adapter methods', () => {
  it('FI-04 DEC-33c ADP-001 are exactly those that the configured flows always need', () => {
    for (const { provider, strategy, calls } of reachable) {
      const needed = calls.split(' ').filter(Boolean)
      expect(check(provider, strategy, storeWith(needed)), `${provider.type} ${strategy}`).toBeUndefined()
      for (const missing of needed) {
        const fault = check(provider, strategy, storeWith(needed.filter((each) => each !== missing)))
        expect(fault?.type, `${provider.type} ${strategy} without ${missing}`).toBe('MissingAdapterMethods')
        expect(fault?.message).toBe(`The adapter lacks required methods: ${missing}`)
      }
    }
  })

  it('FI-04 DEC-33c are listed completely if missing', () => {
    expect(check(oauthProvider, 'database', {})?.message).toBe(
      'The adapter lacks required methods: createSession, getSessionAndUser, updateSession, deleteSession, ' +
        'createUser, getUserByEmail, getUserByAccount, linkAccount',
    )
  })

  it('FI-04 may be inherited from a prototype, as methods of a class are', () => {
    class Store {
      #users = memoryAdapter()
      getUser = undefined
      createUser(user: never) {
        return this.#users.createUser(user)
      }
    }
    const inherited: object = Object.create(memoryAdapter())
    expect(check(oauthProvider, 'database', inherited)).toBeUndefined()
    expect(check(oauthProvider, 'jwt', new Store())?.message).toBe(
      'The adapter lacks required methods: getUser, getUserByEmail, getUserByAccount, linkAccount',
    )
  })

  it('FI-04 must be functions: another value counts as missing', () => {
    const broken = { ...memoryAdapter(), linkAccount: 'later' }
    expect(check(oauthProvider, 'jwt', broken)?.message).toBe(
      'The adapter lacks required methods: linkAccount',
    )
  })

  it('ADP-001 are not required for JWT sessions without a provider that uses them', () => {
    const empty: Adapter = {}
    expect(derive({ adapter: empty, session: { strategy: 'jwt' } }).fault).toBeUndefined()
  })
})
