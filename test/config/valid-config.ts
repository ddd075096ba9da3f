import fc from 'fast-check'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { raw, skipCSRFCheck } from '../../src/types/symbols.ts'
import { oauthProvider, oidcProvider, passkeyProvider, secret } from './derive.ts'

/** A configuration as plain data, so that tests can put a fault into any field. */
export type Config = Record<string, unknown> & { readonly providers: readonly Record<string, unknown>[] }

const hook = () => undefined
const age = fc.oneof(
  fc.integer({ min: 1, max: 3_000_000_000 }),
  fc.double({ min: 0.5, max: 1e6, noNaN: true }),
)
const page = fc.constantFrom('/sign-in', '/a/b?c=d', 'https://pages.test/x')
const text = fc.constantFrom('a', '#123456', 'white')

/** An adapter with all methods on its prototype, like an instance of a class. */
function classAdapter(): object {
  return Object.create(memoryAdapter()) as object
}

const clientId = 'client'
const providers: readonly Record<string, unknown>[] = [
  oauthProvider,
  oidcProvider,
  { ...oauthProvider, id: 'state', checks: ['state'], timeout: 500 },
  {
    ...oauthProvider,
    id: 'merged',
    token: undefined,
    options: { token: 'https://acme.test/t', clientId: 'mine' },
  },
  { id: 'issuer-alone', name: 'Issuer', type: 'oauth', issuer: 'https://open.test', clientId },
  {
    id: 'unchecked',
    name: 'Unchecked',
    type: 'oidc',
    issuer: 'https://open.test',
    checks: ['none'],
    clientId,
  },
  { id: 'well.known', name: 'Known', type: 'oidc', wellKnown: 'https://open.test/.well-known/x', clientId },
  {
    id: 'proxied',
    name: 'Proxied',
    type: 'oidc',
    issuer: 'https://open.test',
    clientId,
    redirectProxyUrl: 'https://p.test/auth',
  },
  { id: 'credentials', name: 'Password', type: 'credentials', credentials: {}, authorize: () => null },
  { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: hook },
  passkeyProvider,
]

const optional = {
  basePath: fc.constantFrom('/auth', '/', '/api/auth', '/a/'),
  jwt: fc.record({ maxAge: age, encode: fc.constant(hook), decode: fc.constant(hook) }, { requiredKeys: [] }),
  pages: fc.record({ signIn: page, signOut: page, error: page, newUser: page }, { requiredKeys: [] }),
  theme: fc.record({ colorScheme: fc.constant('dark'), brandColor: text, logo: text }, { requiredKeys: [] }),
  callbacks: fc.record({ jwt: fc.constant(hook), signIn: fc.constant(hook) }, { requiredKeys: [] }),
  events: fc.record({ signIn: fc.constant(hook), session: fc.constant(hook) }, { requiredKeys: [] }),
  cookies: fc.constantFrom(
    {},
    { state: { name: 'mine' } },
    { nonce: { options: { maxAge: 60, domain: 'a.test' } } },
  ),
  logger: fc.constantFrom({ error: hook, warn: hook, debug: hook }, { error: hook, warn: hook }),
  debug: fc.boolean(),
  useSecureCookies: fc.boolean(),
  redirectProxyUrl: fc.constant('https://proxy.test/auth'),
  redirectProxy: fc.constantFrom(
    {},
    { allow: [] },
    { allow: ['https://a.test', 'http://localhost:3000/'] },
    { allow: () => true },
  ),
  skipCSRFCheck: fc.constant(skipCSRFCheck),
  raw: fc.constant(raw),
  secret: fc.constantFrom(secret, [secret], ['short', secret]),
}

/** Valid configurations of every kind, with or without providers of every type, in any order. */
export const validConfig: fc.Arbitrary<Config> = fc
  .record({
    chosen: fc.shuffledSubarray([...providers]),
    fields: fc.record(optional, { requiredKeys: [] }),
    session: fc.record(
      { maxAge: age, updateAge: age, generateSessionToken: fc.constant(hook) },
      { requiredKeys: [] },
    ),
    strategy: fc.constantFrom('jwt', 'database', undefined),
    adapter: fc.constantFrom(undefined, memoryAdapter, classAdapter),
  })
  .map(({ chosen, fields, session, strategy, adapter }) => {
    const types = chosen.map(({ type }) => type)
    const stored = strategy === 'database' || types.includes('email') || types.includes('webauthn')
    return {
      providers: chosen,
      trustHost: true,
      secret,
      session: { ...session, ...(strategy && { strategy }) },
      ...((stored || adapter) && { adapter: (adapter ?? memoryAdapter)() }),
      ...(types.includes('webauthn') && { experimental: { enableWebAuthn: true } }),
      ...fields,
    }
  })
