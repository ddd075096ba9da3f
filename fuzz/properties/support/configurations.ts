import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'

/** A change that makes a valid configuration invalid. */
type Defect = (good: Setup) => Setup

const withConfig =
  (config: Readonly<Record<string, unknown>>): Defect =>
  (good) => ({ ...good, config: { ...good.config, ...config } })
const withSession =
  (session: Readonly<Record<string, unknown>>): Defect =>
  (good) => ({
    ...good,
    config: { ...good.config, session: { ...Object(good.config?.session), ...session } as object },
  })
const withProvider =
  (name: 'alpha' | 'plain' | 'form', provider: Readonly<Record<string, unknown>>): Defect =>
  (good) => ({
    ...good,
    providers: [...new Set([...(good.providers ?? []), name])],
    provider: { ...good.provider, [name]: provider },
  })

/** An additional provider in a configuration. */
export function furtherProvider(id: string, type = 'oauth'): Readonly<Record<string, unknown>> {
  const at = `https://${type}.example`
  const common = { id, name: 'Further', type }
  switch (type) {
    case 'oidc':
      return { ...common, clientId: 'c', clientSecret: 's', issuer: at }
    case 'email':
      return { ...common, from: 'x@app.example', server: {}, sendVerificationRequest: () => {} }
    case 'credentials':
      return { ...common, credentials: {}, authorize: () => null }
    default:
      return {
        ...common,
        clientId: 'c',
        clientSecret: 's',
        authorization: `${at}/authorize`,
        token: `${at}/token`,
        userinfo: `${at}/userinfo`,
      }
  }
}

/** Invalid options, each named in the specification or excluded by its type. */
export const defects: Readonly<Record<string, Defect>> = {
  'no secret': withConfig({ secret: undefined }),
  'an empty secret': withConfig({ secret: '' }),
  'a blank secret': withConfig({ secret: '   ' }),
  'an empty list of secrets': withConfig({ secret: [] }),
  'a list with an empty secret': withConfig({ secret: ['a secret that is long enough, by far', ''] }),
  'an untrusted host': withConfig({ trustHost: undefined }),
  'database sessions without an adapter': (good) => ({
    ...good,
    strategy: 'database',
    providers: ['alpha'],
    config: { ...good.config, adapter: undefined },
  }),
  'an e-mail provider without an adapter': (good) => ({
    ...good,
    strategy: 'jwt',
    providers: ['alpha', 'mail'],
    config: { ...good.config, adapter: undefined },
  }),
  'an adapter without methods': withConfig({ adapter: {} }),
  'a string as adapter': withConfig({ adapter: 'prisma' }),
  'a credentials provider without authorize': (good) => ({
    ...withProvider('form', { authorize: undefined })(good),
    strategy: 'jwt',
    config: { ...good.config, adapter: undefined },
    providers: ['alpha', 'form'],
  }),
  'an unknown strategy': withSession({ strategy: 'cookie' }),
  'a number as strategy': withSession({ strategy: 1 }),
  'a session maxAge of 0': withSession({ maxAge: 0 }),
  'a negative session maxAge': withSession({ maxAge: -1 }),
  'NaN as session maxAge': withSession({ maxAge: Number.NaN }),
  'an infinite session maxAge': withSession({ maxAge: Infinity }),
  'a string as session maxAge': withSession({ maxAge: '30 days' }),
  'a negative updateAge': withSession({ updateAge: -1 }),
  'NaN as updateAge': withSession({ updateAge: Number.NaN }),
  'a string as generateSessionToken': withSession({ generateSessionToken: 'random' }),
  'a session maxAge beyond the range of dates': withSession({ maxAge: 1e15 }),
  'a token maxAge of 0': withConfig({ jwt: { maxAge: 0 } }),
  'a string as encode': withConfig({ jwt: { encode: 'aes' } }),
  'an object as decode': withConfig({ jwt: { decode: {} } }),
  'a base path without a slash': withConfig({ basePath: 'auth' }),
  'a number as base path': withConfig({ basePath: 7 }),
  'a base path with a space': withConfig({ basePath: '/my auth' }),
  'a base path with a query': withConfig({ basePath: '/auth?x' }),
  'a base path with dot segments': withConfig({ basePath: '/in/../auth' }),
  'a string as callback': withConfig({ callbacks: { signIn: 'yes' } }),
  'an array as callbacks': withConfig({ callbacks: [() => true] }),
  'a boolean as event handler': withConfig({ events: { signOut: true } }),
  'a string as events': withConfig({ events: 'none' }),
  'a string as theme': withConfig({ theme: 'dark' }),
  'an object without a prototype as logo': withConfig({ theme: { logo: Object.create(null) as object } }),
  'a bigint as brand colour': withConfig({ theme: { brandColor: 1n } }),
  'a string as debug': withConfig({ debug: 'yes' }),
  'a string key instead of the skipCSRFCheck symbol': withConfig({ skipCSRFCheck: true }),
  'a string key instead of the raw symbol': withConfig({ raw: true }),
  'a script URL as page': withConfig({ pages: { error: 'javascript:alert(1)' } }),
  'a page on another host': withConfig({ pages: { signIn: '//evil.example/in' } }),
  'an object without a prototype as page': withConfig({ pages: { error: Object.create(null) as object } }),
  'a number as page': withConfig({ pages: { signOut: 7 } }),
  'an array as pages': withConfig({ pages: ['/in'] }),
  'a string as cookies': withConfig({ cookies: 'secure' }),
  'an invalid cookie name': withConfig({ cookies: { sessionToken: { name: 'a b;c' } } }),
  'two cookies with the same name': withConfig({
    cookies: { sessionToken: { name: 'same' }, csrfToken: { name: 'same' } },
  }),
  'an object as providers': withConfig({ providers: { alpha: furtherProvider('x') } }),
  'null as provider': withConfig({ providers: [null] }),
  'a string as provider': withConfig({ providers: ['google'] }),
  'a provider without an id': withConfig({ providers: [{ ...furtherProvider('x'), id: undefined }] }),
  'a provider id with a slash': withConfig({ providers: [furtherProvider('a/b')] }),
  'a provider id with a question mark': withConfig({ providers: [furtherProvider('a?b')] }),
  'a provider id with a space': withConfig({ providers: [furtherProvider('a b')] }),
  'a provider id with an escape sequence': withConfig({ providers: [furtherProvider('a%2fb')] }),
  'a provider without a type': withConfig({ providers: [{ ...furtherProvider('x'), type: undefined }] }),
  'an unknown provider type': withConfig({ providers: [{ ...furtherProvider('x'), type: 'saml' }] }),
  'an issuer that is not a URL': withProvider('alpha', { issuer: 'not a url' }),
  'a number as issuer': withProvider('alpha', { issuer: 7 }),
  'an unknown check': withProvider('alpha', { checks: ['captcha'] }),
  'a nonce check without an id_token': withProvider('plain', { checks: ['nonce'] }),
  'no token endpoint': withProvider('plain', { token: undefined }),
  'no authorization endpoint': withProvider('plain', { authorization: undefined }),
  'a token endpoint that is not a URL': withProvider('plain', { token: 'over there' }),
  'a string as profile': withProvider('plain', { profile: 'sub' }),
}

/** Valid values of options, by description, in any combination. */
const options = fc.record(
  {
    secret: fc.constantFrom(
      'one secret of thirty-two bytes or so',
      ['a new secret of thirty-two bytes or so', 'an old secret of thirty-two bytes or so'],
      'short',
    ),
    session: fc.record(
      {
        maxAge: fc.integer({ min: 60, max: 10 * 365 * 86_400 }),
        updateAge: fc.integer({ min: 0, max: 90 * 86_400 }),
        generateSessionToken: fc.constant(() => `${crypto.randomUUID()}${crypto.randomUUID()}`),
      },
      { requiredKeys: [] },
    ),
    jwt: fc.record({ maxAge: fc.integer({ min: 60, max: 10 * 365 * 86_400 }) }, { requiredKeys: [] }),
    pages: fc.record(
      {
        // The route itself means the built-in page.
        signIn: fc.constantFrom('/in', '/in?by=auth', 'https://app.example/in', '/auth/signin'),
        signOut: fc.constantFrom('/out', '/auth/signout'),
        error: fc.constantFrom('/oops', '/a/b?c=d'),
        verifyRequest: fc.constant('/look'),
        newUser: fc.constant('/welcome'),
      },
      { requiredKeys: [] },
    ),
    cookies: fc.record(
      {
        sessionToken: fc.constantFrom(
          { name: 'my.session-token' },
          {
            name: '__Secure-x.session-token',
            options: { sameSite: 'lax', secure: true, httpOnly: true, path: '/' },
          },
        ),
        csrfToken: fc.constant({ name: 'my.csrf-token' }),
      },
      { requiredKeys: [] },
    ),
    theme: fc.record({ colorScheme: fc.constantFrom('auto', 'dark', 'light') }, { requiredKeys: [] }),
    debug: fc.boolean(),
    useSecureCookies: fc.constant(true),
    callbacks: fc.record(
      { redirect: fc.constant(({ baseUrl }: { baseUrl: string }) => baseUrl) },
      { requiredKeys: [] },
    ),
    events: fc.constant({}),
    experimental: fc.constant({}),
    providers: fc
      .uniqueArray(
        fc.record({
          id: fc.stringMatching(/^[A-Za-z][A-Za-z0-9._~-]{0,12}$/),
          type: fc.constantFrom('oauth', 'oidc'),
        }),
        { selector: ({ id }) => id, maxLength: 3 },
      )
      .map((list) =>
        list
          .filter(({ id }) => !['alpha', 'beta', 'plain', 'mail', 'form', 'passkey'].includes(id))
          .map(({ id, type }) => furtherProvider(id, type)),
      ),
  },
  { requiredKeys: [] },
)

/** Valid applications with a sign-in method. */
export const goodSetups: fc.Arbitrary<Setup> = fc
  .record({
    strategy: fc.constantFrom('jwt' as const, 'database' as const),
    isStored: fc.boolean(),
    providers: fc.subarray(['beta', 'plain', 'mail', 'form'] as const),
    checks: fc.constantFrom(
      undefined,
      ['pkce'],
      ['pkce', 'state'],
      ['state', 'nonce'],
      ['pkce', 'state', 'nonce'],
    ),
    options,
  })
  .map(({ strategy, isStored, providers, checks, options: config }) => {
    const hasStore = strategy === 'database' || isStored
    const fits = (name: string) => (name === 'mail' ? hasStore : name !== 'form' || strategy === 'jwt')
    return {
      strategy,
      providers: ['alpha', ...providers.filter(fits)],
      ...(checks && { provider: { alpha: { checks } } }),
      config: { ...config, ...(hasStore && { adapter: true }) },
    }
  })
