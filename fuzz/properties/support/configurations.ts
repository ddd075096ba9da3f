import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'

/** A change of a good configuration that makes a bad one of it, by what is wrong. */
type Spoil = (good: Setup) => Setup

const withConfig =
  (config: Readonly<Record<string, unknown>>): Spoil =>
  (good) => ({ ...good, config: { ...good.config, ...config } })
const withSession =
  (session: Readonly<Record<string, unknown>>): Spoil =>
  (good) => ({
    ...good,
    config: { ...good.config, session: { ...Object(good.config?.session), ...session } as object },
  })
const withProvider =
  (name: 'alpha' | 'plain' | 'form', provider: Readonly<Record<string, unknown>>): Spoil =>
  (good) => ({
    ...good,
    providers: [...new Set([...(good.providers ?? []), name])],
    provider: { ...good.provider, [name]: provider },
  })

/** A further provider, as a configuration names it. */
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

/** What is missing, or cannot be: each is named by the specification, or by the type of its field. */
export const spoils: Readonly<Record<string, Spoil>> = {
  'no secret': withConfig({ secret: undefined }),
  'an empty secret': withConfig({ secret: '' }),
  'a blank secret': withConfig({ secret: '   ' }),
  'a list of no secrets': withConfig({ secret: [] }),
  'a list with an empty secret': withConfig({ secret: ['a secret that is long enough, by far', ''] }),
  'a host that nobody trusts': withConfig({ trustHost: undefined }),
  'stored sessions without a store': (good) => ({
    ...good,
    strategy: 'database',
    providers: ['alpha'],
    config: { ...good.config, adapter: undefined },
  }),
  'links without a store': (good) => ({
    ...good,
    strategy: 'jwt',
    providers: ['alpha', 'mail'],
    config: { ...good.config, adapter: undefined },
  }),
  'an adapter without operations': withConfig({ adapter: {} }),
  'an adapter that is a name': withConfig({ adapter: 'prisma' }),
  'a form that nobody reads': (good) => ({
    ...withProvider('form', { authorize: undefined })(good),
    strategy: 'jwt',
    config: { ...good.config, adapter: undefined },
    providers: ['alpha', 'form'],
  }),
  'an unknown strategy': withSession({ strategy: 'cookie' }),
  'a strategy that is a number': withSession({ strategy: 1 }),
  'sessions of no length': withSession({ maxAge: 0 }),
  'sessions of negative length': withSession({ maxAge: -1 }),
  'sessions whose length is no number': withSession({ maxAge: Number.NaN }),
  'sessions without end': withSession({ maxAge: Infinity }),
  'sessions of a length in words': withSession({ maxAge: '30 days' }),
  'a negative update age': withSession({ updateAge: -1 }),
  'an update age that is no number': withSession({ updateAge: Number.NaN }),
  'a session token that is no function': withSession({ generateSessionToken: 'random' }),
  'sessions of more than a lifetime': withSession({ maxAge: 1e15 }),
  'tokens of no length': withConfig({ jwt: { maxAge: 0 } }),
  'an encoder that is no function': withConfig({ jwt: { encode: 'aes' } }),
  'a decoder that is no function': withConfig({ jwt: { decode: {} } }),
  'a base path without a slash': withConfig({ basePath: 'auth' }),
  'a base path that is a number': withConfig({ basePath: 7 }),
  'a base path with a space': withConfig({ basePath: '/my auth' }),
  'a base path with a query': withConfig({ basePath: '/auth?x' }),
  'a base path that climbs': withConfig({ basePath: '/in/../auth' }),
  'a callback that is no function': withConfig({ callbacks: { signIn: 'yes' } }),
  'callbacks that are a list': withConfig({ callbacks: [() => true] }),
  'an event that is no function': withConfig({ events: { signOut: true } }),
  'events that are a text': withConfig({ events: 'none' }),
  'a theme that is a text': withConfig({ theme: 'dark' }),
  'a flag that is a text': withConfig({ debug: 'yes' }),
  'a switch that is true instead of its symbol': withConfig({ skipCSRFCheck: true }),
  'answers as they are by true instead of a symbol': withConfig({ raw: true }),
  'a page that is a script': withConfig({ pages: { error: 'javascript:alert(1)' } }),
  'a page on another host': withConfig({ pages: { signIn: '//evil.example/in' } }),
  'a page that is a number': withConfig({ pages: { signOut: 7 } }),
  'pages that are a list': withConfig({ pages: ['/in'] }),
  'cookies that are a text': withConfig({ cookies: 'secure' }),
  'a cookie whose name is none': withConfig({ cookies: { sessionToken: { name: 'a b;c' } } }),
  'two cookies of one name': withConfig({
    cookies: { sessionToken: { name: 'same' }, csrfToken: { name: 'same' } },
  }),
  'providers that are no list': withConfig({ providers: { alpha: furtherProvider('x') } }),
  'a provider that is nothing': withConfig({ providers: [null] }),
  'a provider that is a name': withConfig({ providers: ['google'] }),
  'a provider without id': withConfig({ providers: [{ ...furtherProvider('x'), id: undefined }] }),
  'a provider whose id is a path': withConfig({ providers: [furtherProvider('a/b')] }),
  'a provider whose id is a query': withConfig({ providers: [furtherProvider('a?b')] }),
  'a provider whose id is two words': withConfig({ providers: [furtherProvider('a b')] }),
  'a provider whose id is escaped': withConfig({ providers: [furtherProvider('a%2fb')] }),
  'a provider of no type': withConfig({ providers: [{ ...furtherProvider('x'), type: undefined }] }),
  'a provider of an unknown type': withConfig({ providers: [{ ...furtherProvider('x'), type: 'saml' }] }),
  'a provider without issuer and endpoints': withProvider('alpha', { issuer: undefined }),
  'an issuer that is no URL': withProvider('alpha', { issuer: 'not a url' }),
  'an issuer that is a number': withProvider('alpha', { issuer: 7 }),
  'an unknown check': withProvider('alpha', { checks: ['captcha'] }),
  'a nonce where no token could hold it': withProvider('plain', { checks: ['nonce'] }),
  'no token endpoint': withProvider('plain', { token: undefined }),
  'no authorization endpoint': withProvider('plain', { authorization: undefined }),
  'a token endpoint that is no URL': withProvider('plain', { token: 'over there' }),
  'a profile that is no function': withProvider('plain', { profile: 'sub' }),
}

/** What a configuration may say, in words that it is told by: none of it is wrong, nor is any of it together. */
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
        // The route itself stands for the page that is built in.
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

/** Applications that have nothing wrong with them, and a way in. */
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
