import { describe, expect, it } from 'vitest'
import { mockIdentityProvider, type Misbehaviour } from '../../fuzz/testing/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/create-auth.ts'
import Google from '../../src/providers/google.ts'
import { skipCSRFCheck } from '../../src/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openTerminal, time } from './typed.ts'

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
  readonly environment?: Record<string, string>
  readonly misbehave?: readonly Misbehaviour[]
  /** Seconds by which the provider's clock is ahead. */
  readonly ahead?: number
  /** Seconds for which a cache has had the answer. */
  readonly age?: number
}

/** What doctor says of a configuration, whose provider answers. */
async function diagnose({ config = {}, misbehave = [], ahead = 0, age, ...given }: Case) {
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
      modules: { 'auth.ts': { config: whole } },
      fetch: answer,
    },
  )
  const { code, out, err } = await type('doctor auth.ts')
  expect(err).toBe('')
  expect(out).not.toContain('canary')
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  // As it was before it was broken into lines.
  return { code, out: out.replaceAll(/\n {4,}/g, ' ') }
}

describe('authmachine doctor, of a configuration', () => {
  it('CLI-005 has nothing to say against a good one', async () => {
    const { code, out } = await diagnose({ config: { adapter: memoryAdapter() } })
    expect(code).toBe(0)
    expect(out).not.toMatch(/[✗!] /)
    for (const says of [
      'The handler takes it: 1 provider, sessions as rows of the store for 30 days.',
      `has a secret of ${secret.length} bytes.`,
      'AUTH_URL says that the site is https://app.test.',
      'The session is in the cookie __Secure-authjs.session-token.',
      'company: https://id.company.test answers, is the issuer that it says, and has every endpoint.',
      'All is well.',
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
    ['a secret that is no text', { config: { secret: 7 } }, /✗ The secret is a number/],
    ['a blank one of two', { config: { secret: [secret, ''] } }, /✗ Secret 2 of 2 is blank/],
    [
      'no host in production',
      { environment: { AUTH_SECRET: secret, NODE_ENV: 'production' } },
      /✗ Nothing says which host[^→]*UntrustedHost[^→]*→ Set AUTH_URL/,
    ],
    [
      'a host that is distrusted',
      { environment: { AUTH_SECRET: secret, AUTH_TRUST_HOST: '0' } },
      /✗ Nothing says which host/,
    ],
    [
      'a host that is no URL',
      { environment: { ...environment, AUTH_URL: 'app.test' } },
      /✗ AUTH_URL does not start with https:\/\/ or http:\/\/\. Set it/,
    ],
    [
      'a host with a password',
      { environment: { ...environment, AUTH_URL: 'https://user:canary-password@app.test' } },
      /✗ AUTH_URL contains a user name or a password\./,
    ],
    [
      'trust that is neither yes nor no',
      { environment: { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'off' } },
      /✗ AUTH_TRUST_HOST must be true or 1/,
    ],
    [
      'a site at http',
      { environment: { ...environment, AUTH_URL: 'http://app.test' } },
      /✗ AUTH_URL is http:\/\/app\.test: without https/,
    ],
    [
      'a field of another kind',
      { config: { session: { strategy: 'cookies' } } },
      /✗ InvalidConfig: session\.strategy is "jwt" or "database"[^→]*→ Change/,
    ],
    [
      'a store that is missing',
      { config: { providers: [mail] } },
      /✗ MissingAdapter: [^→]*→ Configure an adapter/,
    ],
    [
      'a store that lacks something',
      { config: { adapter: { createUser() {} } } },
      /✗ MissingAdapterMethods: [^→]*linkAccount[^→]*→ Use an adapter/,
    ],
    [
      'a session that scripts read',
      { config: { cookies: { sessionToken: { options: { httpOnly: false } } } } },
      /✗ cookies\.sessionToken is not HttpOnly/,
    ],
    [
      'a cookie that browsers drop',
      { config: { cookies: { csrfToken: { name: '__Host-x', options: { domain: 'app.test' } } } } },
      /✗ cookies\.csrfToken is called __Host-x, and has a domain/,
    ],
    [
      'a cookie that is not Secure',
      { config: { cookies: { state: { options: { secure: false, sameSite: 'none' } } } } },
      /✗ cookies\.state is SameSite=None and not Secure/,
    ],
    [
      'a client without id',
      { config: { providers: [{ ...company, clientId: undefined }] } },
      /✗ company: there is no clientId\. → Set AUTH_COMPANY_ID/,
    ],
  ])('CLI-005 finds a problem, and says what to do: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(code).toBe(1)
    expect(out).toMatch(/^[1-9] problems?, \d warnings?\.$/m)
  })

  it('SEA-013 CLI-003 finds a misspelt callback, as the handler does', async () => {
    const { code, out } = await diagnose({ config: { callbacks: { signin: () => false } } })
    expect(out).toMatch(
      /✗ InvalidConfig: callbacks\.signin is unknown and would never run; rename it to callbacks\.signIn\./,
    )
    expect(code).toBe(1)
  })

  it.each<[string, Case, RegExp]>([
    ['a short secret', { config: { secret: 'canary' } }, /! The secret has 6 bytes, where 32/],
    [
      'a dull secret',
      { config: { secret: 'ab'.repeat(20) } },
      /! The secret is made of 2 different characters/,
    ],
    ['any host', { config: { trustHost: true }, environment: { AUTH_SECRET: secret } }, /! trustHost is set/],
    [
      'no host in development',
      { environment: { AUTH_SECRET: secret, NODE_ENV: 'development' } },
      /! Nothing says which host[^→]*in production no request/,
    ],
    [
      'no host, and nothing about production',
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
      /! AUTH_URL has the path \/b, and basePath is \/a/,
    ],
    [
      'a redirect proxy without a list',
      { config: { redirectProxyUrl: 'https://app.test/auth' } },
      /! The redirect proxy https:\/\/app\.test forwards to nobody: redirectProxy\.allow is not set/,
    ],
    ['debug', { config: { debug: true } }, /! debug is on/],
    [
      'an unknown option',
      { config: { sesion: {} } },
      /! sesion is unknown and has no effect; did you mean session\?$/m,
    ],
    ['an option of nobody', { config: { zzz: 1 } }, /! zzz is unknown and has no effect\.$/m],
    ['no CSRF check', { config: { skipCSRFCheck } }, /! skipCSRFCheck is set/],
    [
      'plain cookies',
      { config: { useSecureCookies: false } },
      /! useSecureCookies is false, and the site is at https/,
    ],
    [
      'a client without secret',
      { config: { providers: [{ ...company, clientSecret: undefined }] } },
      /! company: there is no clientSecret[^→]*→ Set AUTH_COMPANY_SECRET/,
    ],
    ['nobody to sign in with', { config: { providers: [] } }, /! There is no provider/],
    [
      'a store that forgets nobody',
      { config: { adapter: { ...memoryAdapter(), deleteUser: undefined } } },
      /! The adapter has no deleteUser/,
    ],
  ])('CLI-003 CLI-005 DEC-41b warns, and ends well: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(out).toMatch(/^0 problems, 1 warning\.$/m)
    expect(code).toBe(0)
  })

  it.each<[string, Case, RegExp]>([
    [
      'another issuer',
      { misbehave: ['discovery-issuer-wrong'] },
      /✗ Provider "company" cannot be discovered: expected the issuer "https:\/\/id\.company\.test", and "https:\/\/evil\.example" came\. → Configure the issuer to the letter/,
    ],
    [
      'no document',
      { misbehave: ['discovery:html'] },
      /✗ Provider "company" cannot be discovered[^→]*→ Configure the issuer/,
    ],
    [
      'a provider that is not there',
      { config: { providers: [{ ...company, issuer: 'https://nobody.test' }] } },
      /✗ Provider "company" cannot be discovered[^→]*→ Look whether the issuer is spelt right/,
    ],
    [
      'plain http',
      { config: { providers: [{ ...company, issuer: 'http://id.company.test' }] } },
      /✗ Provider "company"[^→]*→ Use https/,
    ],
    ['a clock ahead', { ahead: -90 }, /✗ This machine's clock is 90 s ahead of that of company/],
    ['a clock behind', { ahead: 90 }, /✗ This machine's clock is 90 s behind that of company/],
  ])('CLI-007 asks the provider: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(code).toBe(1)
  })

  it('CLI-007 takes no cache for a clock', async () => {
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
    'has a list at the proxy',
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
])('DEC-41b doctor does not warn of a site that %s', async (_, given, expected) => {
  const { code, out } = await diagnose(given)
  expect(out).toMatch(expected)
  expect(code).toBe(0)
})

describe('authmachine doctor, of a module', () => {
  const config: AuthConfig = { providers: [Google], secret, trustHost: true }
  const instance = createAuth(config)

  it.each<[string, object]>([
    ['the configuration', { config }],
    ['by any name', { version: 1, options: config }],
    ['as default', { default: config }],
    ['an instance', { auth: instance }],
    ['a handler of one', { GET: instance.GET }],
  ])('CLI-005 finds %s', async (_, module) => {
    const { type } = openTerminal({}, { modules: { 'auth.ts': module } })
    expect((await type('doctor auth.ts')).out).toContain('google: there is no clientId')
  })

  it('CLI-006 reads variables from files, the environment first, and shows none of them', async () => {
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
    expect(out).toContain('start it with node --env-file=.env --env-file=.env.local.\n')
    expect(out).toContain(`a secret of ${secret.length} bytes`)
    expect(out).toContain('https://app.test/auth/callback/google')
    expect(out).not.toContain('canary')
    expect(variables['AUTH_GOOGLE_ID']).toBe('given')
    const told = openTerminal(files, { modules: { 'auth.ts': { config } } })
    expect((await told.type('doctor auth.ts --env other.env')).out).toContain(
      'https://other.test/auth/callback',
    )
  })

  it('names no file of variables where there is none', async () => {
    const { type } = openTerminal({}, { modules: { 'auth.ts': { config } } })
    expect((await type('doctor auth.ts')).out).not.toContain('--env-file')
  })

  it.each<[string, 1 | 2, RegExp]>([
    ['doctor', 2, /^Expected one module or URL/],
    ['doctor a.ts b.ts', 2, /^Expected one module or URL/],
    ['doctor auth.ts --evn x', 2, /authmachine doctor --help lists the options/],
    ['doctor https://app.test --env x', 2, /--env is for a module/],
    ['doctor auth.ts --env nowhere', 1, /^nowhere cannot be read/],
    ['doctor nowhere.ts', 1, /^nowhere\.ts cannot be loaded: Cannot find module/],
    ['doctor empty.ts', 1, /^empty\.ts exports nothing, and no configuration/],
    ['doctor lazy.ts', 1, /^lazy\.ts exports auth, handlers, and no configuration/],
  ])('CLI-003 refuses what it cannot look at: %s', async (line, expected, message) => {
    const modules = {
      'auth.ts': { config },
      'empty.ts': {},
      'lazy.ts': { auth: () => undefined, handlers: { GET() {} } },
    }
    const { code, out, err } = await openTerminal({}, { modules }).type(line)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(message)
  })

  it('CLI-003 says which Node loads TypeScript, to one that does not', async () => {
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
