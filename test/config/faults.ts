import type { ErrorType } from '../../src/errors.ts'
import { oauthProvider, oidcProvider, passkeyProvider, secret } from './derive.ts'
import type { Config } from './valid-config.ts'

/** A way to make a valid configuration invalid, and the expected error. */
export interface ConfigFault {
  readonly name: string
  readonly breakConfig: (config: Config) => object
  readonly type: ErrorType
  readonly says: string
}

function field(name: string, value: unknown, says = name, type: ErrorType = 'InvalidConfig'): ConfigFault {
  return {
    name: `${name}: ${show(value)}`,
    breakConfig: (config) => ({ ...config, [name]: value }),
    type,
    says,
  }
}

/** Sets a member of an option, and keeps its other members. */
function member(group: string, name: string, value: unknown, type: ErrorType = 'InvalidConfig'): ConfigFault {
  const breakConfig = (config: Config) => ({
    ...config,
    [group]: { ...(config[group] as object), [name]: value },
  })
  return { name: `${group}.${name}: ${show(value)}`, breakConfig, type, says: name }
}

/** Sets an option of a site that stores nothing. */
function withoutAdapter(name: string, value: unknown): ConfigFault {
  const breakConfig = (config: Config) => ({
    ...config,
    providers: [oauthProvider],
    adapter: undefined,
    session: { strategy: 'jwt' },
    jwt: {},
    [name]: value,
  })
  return {
    name: `${name} without an adapter`,
    breakConfig,
    type: 'MissingAdapter',
    says: `\`${name}\` needs`,
  }
}

function provider(value: unknown, says: string, type: ErrorType = 'InvalidConfig'): ConfigFault {
  const breakConfig = (config: Config) => ({ ...config, providers: [...config.providers, value] })
  return { name: `provider ${show(value)}`, breakConfig, type, says }
}

/** Sets an option for JWT sessions on a site that has none. */
const uselessInDatabase: ConfigFault = {
  name: 'isRevoked with database sessions',
  breakConfig: (config: Config) => ({
    ...config,
    // A credentials provider without an adapter is another fault of database sessions.
    providers: [oauthProvider],
    jwt: { isRevoked: () => true },
    session: { strategy: 'database' },
  }),
  type: 'UnsupportedStrategy',
  says: 'isRevoked',
}

/** A provider that is a fault only if there is no other provider. */
function onlyProvider(value: unknown, says: string, type: ErrorType): ConfigFault {
  const breakConfig = (config: Config) => ({ ...config, providers: [value] })
  return { name: `the only provider ${show(value)}`, breakConfig, type, says }
}

const oauth = (members: object) => ({ ...oauthProvider, id: 'broken', ...members })
const oidc = (members: object) => ({ ...oidcProvider, id: 'broken', ...members })

function show(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'undefined')
}

function refuse(): never {
  throw new Error('the factory gives the reason')
}

/** All kinds of invalid configuration, each with its error. */
export const configFaults: readonly ConfigFault[] = [
  ...['github', 5, {}].map((value) => field('providers', value)),
  ...['auth', 5, '/a?b', '/a#b', '//a', '/a b', '/a/../b'].map((value) => field('basePath', value)),
  ...['', ' ', [], [''], [secret, ' '], 5].map((value) => field('secret', value, 'secret', 'MissingSecret')),
  ...[false, undefined, 'true', 1].map((value) => field('trustHost', value, 'trustHost', 'UntrustedHost')),
  ...['debug', 'useSecureCookies'].map((name) => field(name, 'no')),
  ...[true, 'never'].map((value) => field('accountLinking', value)),
  ...['callbacks', 'events', 'pages', 'theme', 'session', 'jwt', 'cookies', 'logger'].flatMap((name) => [
    field(name, 5),
    field(name, []),
  ]),
  field('adapter', 'postgres'),
  field('skipCSRFCheck', true),
  field('raw', true),
  field('redirectProxyUrl', 5),
  ...[5, '', ['a']].map((value) => member('jwt', 'audience', value)),
  ...['true', 0, new Date(NaN), '2030-01-01'].map((value) => member('jwt', 'acceptLegacyTokens', value)),
  field('redirectProxy', 'https://a.test'),
  ...[
    true,
    'https://a.test',
    [5],
    ['a.test'],
    ['https://a.test/auth'],
    ['https://*.a.test/x'],
    ['ftp://a.test'],
  ].map((value) => member('redirectProxy', 'allow', value)),
  member('session', 'strategy', 'cookie'),
  ...[0, -1, Number.NaN, Infinity, '60', 1e12].flatMap((value) => [
    member('session', 'maxAge', value),
    member('jwt', 'maxAge', value),
  ]),
  ...[-1, Number.NaN, '60'].map((value) => member('session', 'updateAge', value)),
  member('session', 'generateSessionToken', 'uuid'),
  member('jwt', 'encode', 'jose'),
  member('jwt', 'decode', {}),
  member('jwt', 'isRevoked', true),
  ...[true, {}, { find() {} }, { find() {}, add: 1 }].map((value) => member('jwt', 'revocations', value)),
  field('emailChange', { sendLink() {} }, 'got one without `sendNotice`'),
  field('emailChange', { sendLink: 'mail', sendNotice() {} }, 'got one without `sendLink`'),
  field('emailChange', true, 'got a value of type boolean'),
  field('emailChange', { sendLink() {}, sendNotice() {}, maxAge: 0 }, '`emailChange.maxAge`'),
  withoutAdapter('emailChange', { sendLink() {}, sendNotice() {} }),
  field('secondFactor', {}, '`totp`'),
  withoutAdapter('secondFactor', { findStep() {} }),
  member('session', 'signInMaxAge', 3600),
  ...[0, -1, Number.NaN, '3600', 4e9].map((age) => member('session', 'absoluteMaxAge', age)),
  member('jwt', 'secret', ' ', 'MissingSecret'),
  ...['jwt', 'signIn', 'session', 'redirect'].map((name) => member('callbacks', name, true)),
  ...['signIn', 'signOut', 'createUser'].map((name) => member('events', name, 'log')),
  ...['sign-in', '//evil.test', '/\\evil.test', 'javascript:alert(1)', 5].map((value) =>
    member('pages', 'signIn', value),
  ),
  member('theme', 'logo', 5),
  ...['error', 'warn', 'debug'].map((level) => member('logger', level, 'console')),
  member('cookies', 'state', { name: 'a b' }),
  member('cookies', 'state', { name: 5 }),
  member('cookies', 'nonce', { options: { maxAge: 1.5 } }),
  field('cookies', { state: { name: 'twice' }, nonce: { name: 'twice' } }),
  provider(5, 'provider'),
  provider(null, 'provider'),
  provider(refuse, 'the factory gives the reason'),
  ...['', 'a/b', 'a b', 5, undefined].map((id) => provider(oauth({ id }), 'id')),
  provider(oauth({ type: 'saml' }), 'type'),
  provider(oauth({ checks: ['nonce'] }), 'nonce'),
  provider(oidc({ checks: ['csrf'] }), 'csrf'),
  provider(oauth({ redirectProxyUrl: 'proxy' }), 'redirectProxyUrl'),
  ...[0, -5, Number.NaN, 'abc', 1e300].flatMap((maxAge) =>
    (['link', 'code'] as const).map((method) =>
      provider(
        { id: 'broken', name: 'Mail', type: 'email', method, maxAge, sendVerificationRequest() {} },
        'maxAge',
      ),
    ),
  ),
  provider(oauth({ timeout: 0 }), 'timeout'),
  provider(oauth({ timeout: '10' }), 'timeout'),
  provider(oauth({ profile: 'claims' }), 'profile'),
  provider(oauth({ clientId: 5 }), 'clientId'),
  provider(oauth({ clientSecret: {} }), 'clientSecret'),
  provider(oauth({ style: 'dark' }), 'style'),
  ...(['authorization', 'token', 'userinfo'] as const).flatMap((endpoint) => [
    provider(oauth({ [endpoint]: undefined }), endpoint, 'InvalidEndpoints'),
    provider(oauth({ [endpoint]: 'endpoint' }), 'endpoint', 'InvalidEndpoints'),
  ]),
  provider(oidc({ issuer: 'acme' }), 'issuer', 'InvalidEndpoints'),
  provider(oidc({ wellKnown: 'acme' }), 'wellKnown', 'InvalidEndpoints'),
  provider(oidc({ jwks_endpoint: 'keys' }), 'jwks_endpoint', 'InvalidEndpoints'),
  provider(
    { id: 'broken', name: 'Password', type: 'credentials', credentials: {} },
    '"broken" has no `authorize`',
    'MissingAuthorize',
  ),
  onlyProvider(oauth({ clientId: undefined }), '`AUTH_BROKEN_ID`', 'MissingClientId'),
  onlyProvider(oidc({ clientId: '' }), '`AUTH_BROKEN_ID`', 'MissingClientId'),
  onlyProvider(oidc({ issuer: undefined }), '`AUTH_BROKEN_ISSUER`', 'InvalidEndpoints'),
  provider(oauth({ tenants: ['acme'] }), 'tenants'),
  uselessInDatabase,
  provider(oidc({ tenants: 'acme' }), 'tenants'),
  {
    name: 'a provider twice',
    breakConfig: (config) => ({ ...config, providers: [...config.providers, oauth({}), oidc({})] }),
    type: 'DuplicateProvider',
    says: '"broken"',
  },
  {
    name: 'passkeys without the experiment',
    breakConfig: ({ experimental: _, ...config }) => ({
      ...config,
      providers: [...(config.providers as []), { ...passkeyProvider, id: 'broken' }],
    }),
    type: 'ExperimentalFeatureNotEnabled',
    says: 'enableWebAuthn',
  },
  {
    name: 'mail without an adapter',
    breakConfig: ({ adapter: _, ...config }) => ({
      ...config,
      session: { strategy: 'jwt' },
      providers: [{ id: 'broken', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined }],
    }),
    type: 'MissingAdapter',
    says: 'adapter',
  },
  {
    name: 'rows without an adapter',
    breakConfig: ({ adapter: _, ...config }) => ({
      ...config,
      providers: [],
      session: { strategy: 'database' },
    }),
    type: 'MissingAdapter',
    says: 'adapter',
  },
  {
    name: 'credentials and rows without an adapter',
    breakConfig: ({ adapter: _, ...config }) => ({
      ...config,
      session: { strategy: 'database' },
      providers: [
        { id: 'broken', name: 'Password', type: 'credentials', credentials: {}, authorize: () => null },
      ],
    }),
    type: 'UnsupportedStrategy',
    says: 'adapter',
  },
  {
    name: 'an adapter without operations',
    breakConfig: (config) => ({ ...config, adapter: {}, providers: [...config.providers, oauth({})] }),
    type: 'MissingAdapterMethods',
    says: 'createUser',
  },
]
