import { describe, expect, it } from 'vitest'
import { mockIdentityProvider, type Misbehaviour } from '../../fuzz/testing/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Google from '../../src/providers/google.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { expectSections, openTerminal, time } from './terminal.ts'

const secret = 'canary-Secret-0123456789-abcdefghijk'
const clientSecret = 'canary-client-secret'
const environment = { AUTH_URL: 'https://app.test', AUTH_SECRET: secret }

const company = {
  id: 'company',
  name: 'Company',
  type: 'oidc',
  issuer: 'https://id.company.test',
  clientId: 'we',
  clientSecret,
} as const
const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} } as const

interface Case {
  readonly config?: unknown
  /** The exports, instead of a configuration. */
  readonly module?: object
  readonly environment?: Record<string, string>
  readonly misbehave?: readonly Misbehaviour[]
  /** Seconds by which the provider's clock is fast. */
  readonly ahead?: number
  /** Seconds for which the response was cached. */
  readonly age?: number
}

/** The output of doctor for a configuration with a mock provider. */
async function diagnose(
  { config = {}, module, misbehave = [], ahead = 0, age, ...given }: Case,
  options = '',
) {
  const provider = mockIdentityProvider({ issuer: company.issuer, users: [{ sub: '1' }], misbehave })
  const answer: typeof fetch = async (input, init) => {
    const response = await provider.fetch(input, init)
    const headers = new Headers(response.headers)
    headers.set('date', new Date(time + (ahead - (age ?? 0)) * 1000).toUTCString())
    if (age !== undefined) headers.set('age', String(age))
    return new Response(response.body, { status: response.status, headers })
  }
  const whole: unknown =
    typeof config === 'object' && config !== null ? { providers: [company], ...config } : config
  const { type } = openTerminal(
    {},
    {
      environment: { ...(given.environment ?? environment) },
      modules: { 'auth.ts': module ?? { config: whole } },
      fetch: answer,
    },
  )
  const { code, out, err } = await type(`doctor auth.ts ${options}`.trim())
  expect(err).toBe('')
  expect(out).not.toContain('canary')
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  // As it was before it was broken into lines.
  const unwrapped = out.replaceAll(/\n {4,}/g, ' ')
  expectSections(unwrapped)
  return { code, out: unwrapped }
}

describe('authmachine doctor, for a configuration', () => {
  it('OPT-033 CLI-005 warns of a provider that is left out, and fails with --strict', async () => {
    const config = {
      adapter: memoryAdapter(),
      providers: [company, { ...company, id: 'other', clientId: '' }],
    }
    const { code, out } = await diagnose({ config })
    expect(out).toMatch(
      /! Provider "other" has no `clientId`, so the site does not offer it\. → Set [^→]*`AUTH_OTHER_ID`/,
    )
    expect(out).toContain('callback/other')
    expect([code, (await diagnose({ config }, '--strict')).code]).toEqual([0, 1])
    const complete = { config: { adapter: memoryAdapter() } }
    expect((await diagnose(complete, '--strict')).code).toBe(0)
  })

  it('SEA-015 reports a rule that createAuth never calls, and accepts it in a configuration of next-auth', async () => {
    const rule = { callbacks: { authorized: () => false } }
    const auth = createAuth({ providers: [company], ...rule } as AuthConfig)
    expect((await diagnose({ module: { auth } })).out).toMatch(/✗ InvalidConfig: `callbacks\.authorized`/)
    expect((await diagnose({ config: { adapter: memoryAdapter(), ...rule } })).code).toBe(0)
  })

  it('CLI-005 reports no problems for a valid one', async () => {
    const { code, out } = await diagnose({ config: { adapter: memoryAdapter() } })
    expect(code).toBe(0)
    expect(out).not.toMatch(/[✗!] /)
    for (const says of [
      'The handler accepts it: 1 provider, sessions in the database for 30 days.',
      `has a secret of ${secret.length} bytes.`,
      'According to AUTH_URL, the site is https://app.test.',
      'The session cookie is __Secure-authjs.session-token.',
      'company: https://id.company.test responds with a matching issuer and all required endpoints.',
      'No problems found.',
    ])
      expect(out).toContain(says)
  })

  const { AUTH_URL } = environment
  it.each<[string, Case, RegExp]>([
    [
      'no secret',
      { environment: { AUTH_URL } },
      /✗ There is no secret[^→]*→ [^→]*authmachine secret --write/,
    ],
    ['a blank secret', { config: { secret: ' ' } }, /✗ The secret is blank/],
    ['a secret that is not a string', { config: { secret: 7 } }, /✗ The secret is a number/],
    ['a blank second secret', { config: { secret: [secret, ''] } }, /✗ Secret 2 of 2 is blank/],
    [
      'no host in production',
      { environment: { AUTH_SECRET: secret, NODE_ENV: 'production' } },
      /✗ The host of the site is not configured[^→]*UntrustedHost[^→]*→ Set AUTH_URL/,
    ],
    [
      'an untrusted host',
      { environment: { AUTH_SECRET: secret, AUTH_TRUST_HOST: '0' } },
      /✗ The host of the site is not configured/,
    ],
    [
      'a host that is not a URL',
      { environment: { ...environment, AUTH_URL: 'app.test' } },
      /✗ AUTH_URL does not start with https:\/\/ or http:\/\/\. Set it/,
    ],
    [
      'a host with a password',
      { environment: { ...environment, AUTH_URL: 'https://user:canary-password@app.test' } },
      /✗ AUTH_URL contains a user name or a password\./,
    ],
    [
      'an AUTH_TRUST_HOST that is not a boolean',
      { environment: { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'off' } },
      /✗ `AUTH_TRUST_HOST` must be true, 1/,
    ],
    [
      'a site over http',
      { environment: { ...environment, AUTH_URL: 'http://app.test' } },
      /✗ AUTH_URL is http:\/\/app\.test: without https/,
    ],
    [
      'an option of the wrong type',
      { config: { session: { strategy: 'cookies' } } },
      /✗ InvalidConfig: `session\.strategy` must be "jwt" or "database"[^→]*→ [^→]*Correct the value/,
    ],
    ['a missing store', { config: { providers: [mail] } }, /✗ MissingAdapter: [^→]*→ [^→]*Set `adapter`/],
    [
      'a store that is missing',
      { config: { providers: [mail] } },
      /✗ MissingAdapter: [^→]*→ [^→]*Set `adapter`/,
    ],
    [
      'a store without required operations',
      { config: { adapter: { createUser() {} } } },
      /✗ MissingAdapterMethods: [^→]*linkAccount[^→]*→ [^→]*Use an adapter/,
    ],
    [
      'a session cookie that scripts can read',
      { config: { cookies: { sessionToken: { options: { httpOnly: false } } } } },
      /✗ cookies\.sessionToken is not HttpOnly/,
    ],
    [
      'a cookie that browsers reject',
      { config: { cookies: { csrfToken: { name: '__Host-x', options: { domain: 'app.test' } } } } },
      /✗ cookies\.csrfToken has the name __Host-x but sets a domain/,
    ],
    [
      'a cookie without Secure',
      { config: { cookies: { state: { options: { secure: false, sameSite: 'none' } } } } },
      /✗ cookies\.state is SameSite=None but not Secure/,
    ],
    [
      'a client without an id',
      { config: { providers: [{ ...company, clientId: undefined }] } },
      /✗ MissingClientId: Provider "company" has no `clientId`[^→]*AUTH_COMPANY_ID/,
    ],
  ])('CLI-005 finds a problem and says how to fix it: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(code).toBe(1)
    expect(out).toMatch(/^[1-9] problems?, \d warnings?\.$/m)
  })

  it('SEA-013 CLI-003 finds a misspelt callback, as the handler does', async () => {
    const { code, out } = await diagnose({ config: { callbacks: { signin: () => false } } })
    expect(out).toMatch(
      /✗ InvalidConfig: `callbacks\.signin` is not an option, so it would never be called\. Rename it to `callbacks\.signIn`\./,
    )
    expect(code).toBe(1)
  })

  it.each<[string, Case, RegExp]>([
    ['a short secret', { config: { secret: 'canary' } }, /! The secret has 6 bytes; use at least 32/],
    [
      'a low-entropy secret',
      { config: { secret: 'ab'.repeat(20) } },
      /! The secret has only 2 distinct characters/,
    ],
    [
      'trustHost without AUTH_URL',
      { config: { trustHost: true }, environment: { AUTH_SECRET: secret } },
      /! trustHost is set/,
    ],
    [
      'no host in development',
      { environment: { AUTH_SECRET: secret, NODE_ENV: 'development' } },
      /! The host of the site is not configured[^→]*in production, every request would fail/,
    ],
    [
      'no host, and no NODE_ENV',
      { environment: { AUTH_SECRET: secret } },
      /! The host of every request is trusted, because NODE_ENV is not set\./,
    ],
    [
      'a platform',
      { environment: { AUTH_SECRET: secret, VERCEL: '1' } },
      /! The host of every request is trusted, because VERCEL is set\./,
    ],
    [
      'two paths',
      { config: { basePath: '/a' }, environment: { ...environment, AUTH_URL: `${AUTH_URL}/b` } },
      /! AUTH_URL has the path \/b but basePath is \/a/,
    ],
    [
      'a redirect proxy without a list',
      { config: { redirectProxyUrl: 'https://app.test/auth' } },
      /! The redirect proxy https:\/\/app\.test does not forward: redirectProxy\.allow is not set/,
    ],
    ['debug', { config: { debug: true } }, /! `debug` is on/],
    [
      'an unknown option',
      { config: { sesion: {} } },
      /! The configuration contains options that have no effect[^→]*`sesion` [^→]*\. Did you mean `session`\? →/,
    ],
    ['an unknown option', { config: { zzz: 1 } }, /! [^→]*`zzz` is not an option and has no effect\. →/],
    ['no CSRF check', { config: { skipCSRFCheck } }, /! `skipCSRFCheck` is set/],
    [
      'plain cookies',
      { config: { useSecureCookies: false } },
      /! useSecureCookies is false although the site uses https/,
    ],
    [
      'a client without a secret',
      { config: { providers: [{ ...company, clientSecret: undefined }] } },
      /! company: there is no clientSecret[^→]*→ Set AUTH_COMPANY_SECRET/,
    ],
    ['no providers', { config: { providers: [] } }, /! There is no provider/],
    [
      'a store without deleteUser',
      { config: { adapter: { ...memoryAdapter(), deleteUser: undefined } } },
      /! The adapter has no deleteUser/,
    ],
  ])('CLI-003 CLI-005 DEC-41b warns, with exit code 0: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(out).toMatch(/^0 problems, 1 warning\.$/m)
    expect(code).toBe(0)
  })

  it.each<[string, Case, RegExp]>([
    [
      'another issuer',
      { misbehave: ['discovery-issuer-wrong'] },
      /✗ Provider "company": discovery failed: expected the issuer "https:\/\/id\.company\.test", got "https:\/\/evil\.example"\. If that is the provider[^→]*→ Open `<issuer>\/\.well-known\/openid-configuration` from the server\. Its issuer must equal yours/,
    ],
    [
      'no discovery document',
      { misbehave: ['discovery:html'] },
      /✗ Provider "company": discovery failed[^→]*→ Open `<issuer>/,
    ],
    [
      'an unreachable provider',
      { config: { providers: [{ ...company, issuer: 'https://nobody.test' }] } },
      /✗ Provider "company": discovery failed[^→]*→ Check the host and the port/,
    ],
    [
      'a client without its private key',
      {
        config: {
          providers: [{ ...company, client: { token_endpoint_auth_method: 'private_key_jwt' as const } }],
        },
      },
      /✗ company: there is no private key for private_key_jwt\. → Set token\.clientPrivateKey/,
    ],
    [
      'a client with an unknown method',
      {
        config: { providers: [{ ...company, client: { token_endpoint_auth_method: 'client_secret_bsic' } }] },
      },
      /✗ InvalidConfig: `client\.token_endpoint_auth_method` of provider "company" must be one of/,
    ],
    [
      'plain http',
      { config: { providers: [{ ...company, issuer: 'http://id.company.test' }] } },
      /✗ Provider "company"[^→]*→ Use https/,
    ],
    [
      'a provider clock that is fast',
      { ahead: -90 },
      /✗ This machine's clock is 90 s ahead of that of company/,
    ],
    ['a provider clock that is slow', { ahead: 90 }, /✗ This machine's clock is 90 s behind that of company/],
  ])('CLI-007 queries the provider: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(code).toBe(1)
  })

  it('CLI-007 does not read the time from a cached response', async () => {
    const { code, out } = await diagnose({ age: 3600 })
    expect(out).toMatch(/✓ This machine's clock and that of company are 0 s apart\./)
    expect(code).toBe(0)
  })

  it('CLI-008 names the URLs to register', async () => {
    const providers = [company, { ...company, id: 'other' }]
    const moved = { ...environment, AUTH_URL: 'https://app.test/login' }
    const known = await diagnose({ config: { providers }, environment: moved })
    for (const id of ['company', 'other'])
      expect(known.out).toContain(`· https://app.test/login/callback/${id}`)
    const prefixed = await diagnose({ config: { prefix: '/api/auth' } })
    expect(prefixed.out).toContain('· https://app.test/api/auth/callback/company')
    const unknown = await diagnose({ environment: { AUTH_SECRET: secret } })
    expect(unknown.out).toContain('· <the URL of your site>/auth/callback/company')
  })
})

it.each<[string, Case, RegExp]>([
  [
    'lists the sites at the proxy',
    {
      config: {
        redirectProxyUrl: 'https://app.test/auth',
        redirectProxy: { allow: ['https://preview.test'] },
      },
    },
    /✓ The redirect proxy https:\/\/app\.test has a list/,
  ],
  [
    'is a preview',
    { config: { redirectProxyUrl: 'https://proxy.test/auth' } },
    /^(?![^]*forwards to nobody)/,
  ],
])('DEC-41b does not warn about a site that %s', async (_, given, expected) => {
  const { code, out } = await diagnose(given)
  expect(out).toMatch(expected)
  expect(code).toBe(0)
})

describe('authmachine doctor, for a module', () => {
  const config: AuthConfig = { providers: [Google], secret, trustHost: true }
  const instance = createAuth(config)

  it.each<[string, object]>([
    ['a configuration', { config }],
    ['a named export', { version: 1, options: config }],
    ['a default export', { default: config }],
    ['an auth instance', { auth: instance }],
    ['an object with a handler', { GET: instance.GET }],
  ])('CLI-005 accepts %s', async (_, module) => {
    const { type } = openTerminal({}, { modules: { 'auth.ts': module } })
    expect((await type('doctor auth.ts')).out).toContain('Provider "google" has no `clientId`')
  })

  // As in the README and in the guide to Next.js, whose modules export the functions that the application uses.
  it('CLI-005 finds the configuration of a module that does not export it', async () => {
    const { terminal, type } = openTerminal()
    const load = (create: () => unknown) =>
      Object.assign(terminal, {
        async importModule() {
          create()
          return { server: {} }
        },
      })
    load(() => createAuth(config))
    expect((await type('doctor server.mjs')).out).toContain('Provider "google" has no `clientId`')
    load(() => [createAuth(config), createAuth(config)])
    expect(await type('doctor server.mjs')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^server\.mjs calls createAuth several times and exports no result/),
    })
    load(() => undefined)
    expect((await type('doctor server.mjs')).err).toMatch(/^server\.mjs exports no configuration/)
  })

  it('CLI-006 reads variables from files, prefers the environment, and prints no values', async () => {
    const files = {
      '.env.local': `AUTH_SECRET=${secret}\n`,
      '.env': 'AUTH_URL=https://app.test\nAUTH_SECRET=canary\nAUTH_GOOGLE_ID=of-env\n',
      'other.env': 'AUTH_URL=https://other.test\n',
    }
    const variables: Record<string, string> = { AUTH_GOOGLE_ID: 'given' }
    const { type } = openTerminal(files, {
      modules: { 'auth.ts': { config: { providers: [Google] } } },
      environment: variables,
    })
    const out = (await type('doctor auth.ts')).out.replaceAll(/\n {4,}/g, ' ')
    expect(out).toContain('from .env.local and .env.\n')
    // Node lets the last file win, doctor the first.
    expect(out).toContain('start it with node --env-file=.env --env-file=.env.local, or load')
    expect(out).toContain(`a secret of ${secret.length} bytes`)
    expect(out).toContain('https://app.test/auth/callback/google')
    expect(out).not.toContain('canary')
    expect(variables['AUTH_GOOGLE_ID']).toBe('given')
    const terminal = openTerminal(files, { modules: { 'auth.ts': { config } } })
    expect((await terminal.type('doctor auth.ts --env other.env')).out).toContain(
      'https://other.test/auth/callback',
    )
  })

  it('names no env file if none exists', async () => {
    const { type } = openTerminal({}, { modules: { 'auth.ts': { config } } })
    expect((await type('doctor auth.ts')).out).not.toContain('--env-file')
  })

  it.each<[string, 1 | 2, RegExp]>([
    ['doctor', 2, /^Expected one module or URL/],
    ['doctor a.ts b.ts', 2, /^Expected one module or URL/],
    ['doctor auth.ts --evn x', 2, /Run authmachine doctor --help for a list of options/],
    ['doctor https://app.test --env x', 2, /--env works with a module only/],
    ['doctor auth.ts --env nowhere', 1, /^Cannot read nowhere/],
    ['doctor nowhere.ts', 1, /^Cannot load nowhere\.ts: Cannot find module/],
    ['doctor empty.ts', 1, /^empty\.ts exports no configuration\. Its exports: none/],
    ['doctor lazy.ts', 1, /^lazy\.ts exports no configuration\. Its exports: auth, handlers/],
  ])('CLI-003 rejects what it cannot check: %s', async (line, expected, message) => {
    const modules = {
      'auth.ts': { config },
      'empty.ts': {},
      'lazy.ts': { auth: () => undefined, handlers: { GET() {} } },
    }
    const { code, out, err } = await openTerminal({}, { modules }).type(line)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(message)
  })

  it('CLI-003 names the required Node version if Node cannot load TypeScript', async () => {
    const { terminal, type } = openTerminal()
    const unknown = Object.assign(new TypeError('Unknown file extension ".ts"'), {
      code: 'ERR_UNKNOWN_FILE_EXTENSION',
    })
    Object.assign(terminal, { importModule: () => Promise.reject(unknown) })
    const { err } = await type('doctor auth.ts')
    expect(err).toContain('Use Node 22.18 or newer')
    expect(err).toContain('NODE_OPTIONS="--import tsx" npx authmachine doctor auth.ts')
  })
})
