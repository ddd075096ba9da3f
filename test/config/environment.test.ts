import { describe, expect, it } from 'vitest'
import { createActionURL, isAuthAction } from '../../src/config/create-action-url.ts'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { setEnvDefaults } from '../../src/config/set-env-defaults.ts'
import GitHub from '../../src/providers/github.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import Resend from '../../src/providers/resend.ts'
import { preset } from '../../src/provider-base/preset.ts'
import { platform } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { variablesReadBy, withEnvironment } from '../support/environment.ts'
import { derive, deriveProvider, oauthProvider, oidcProvider, secret } from './derive.ts'

/** Runs setEnvDefaults on a configuration. */
function fill(environment: Record<string, string>, config: object = {}, suppress?: boolean) {
  const warnings: string[] = []
  const filled = {
    providers: [],
    logger: { warn: (code: string) => void warnings.push(code) },
    // Warnings are remembered per clock.
    [platform]: { now: () => 0 },
    ...config,
  }
  setEnvDefaults(environment, filled, suppress)
  return Object.assign(filled as AuthConfig, { warnings })
}

describe('the handler', () => {
  it('DEC-04a reads only the secrets, the redirect proxy and the canonical URL from the environment', () => {
    const config = { providers: [GitHub, oidcProvider], trustHost: true } as unknown as AuthConfig
    expect(variablesReadBy(() => settingsOf(config))).toEqual([
      'AUTH_REDIRECT_PROXY_URL',
      'AUTH_SECRET',
      'AUTH_SECRET_1',
      'AUTH_SECRET_2',
      'AUTH_SECRET_3',
      'AUTH_URL',
    ])
  })

  it('CFG-036 DEC-04a RO-01 reads the secrets, the newest first, after those of the configuration', () => {
    const environment = {
      AUTH_SECRET: 's0',
      AUTH_SECRET_1: 's1',
      AUTH_SECRET_2: '',
      AUTH_SECRET_3: 's3',
      AUTH_SECRET_4: 's4',
    }
    expect(derive({ secret: undefined }, environment).secrets).toEqual(['s3', 's1', 's0'])
    expect(derive({ secret: ['own', 'older'] }, environment).secrets).toEqual(['own', 'older'])
    expect(derive({ secret: 'own' }, environment).secrets).toEqual(['own'])
    const config: AuthConfig = { providers: [], trustHost: true }
    expect(withEnvironment({ AUTH_SECRET: secret }, () => settingsOf(config)).secrets).toEqual([secret])
  })

  it('CFG-028 reads the redirect proxy', () => {
    const proxy = { AUTH_REDIRECT_PROXY_URL: 'https://proxy.test/auth' }
    const provider = deriveProvider(oauthProvider, {}, proxy)
    expect(provider.redirectProxy?.callbackUrl).toBe('https://proxy.test/auth/callback/acme')
    const config = { providers: [oauthProvider], trustHost: true, secret } as unknown as AuthConfig
    const [live] = withEnvironment(proxy, () => settingsOf(config)).providers.values()
    expect(live).toMatchObject({ redirectProxy: { origin: 'https://proxy.test' } })
  })

  it('DEC-04b reads the origin of AUTH_URL, without its path', () => {
    const canonical = (url: string) => derive({}, { AUTH_URL: url })
    expect(canonical('https://app.test:8443/api/auth').canonicalOrigin).toBe('https://app.test:8443')
    expect(canonical('https://app.test/api/auth').basePath).toBe('/auth')
  })

  it.each([
    [' \t', 'is blank'],
    ['canary.test', 'does not start with https:// or http://'],
    ['canary.test:3000', 'does not start with https:// or http://'],
    ['localhost:3000', 'does not start with https:// or http://'],
    ['//canary.test', 'does not start with https:// or http://'],
    ['ftp://canary.test', 'does not start with https:// or http://'],
    ['javascript:alert(1)//canary', 'does not start with https:// or http://'],
    ['https://', 'is not a valid URL'],
    ['https://canary.test:port', 'is not a valid URL'],
    ['https://user:canary@app.test', 'contains a user name or a password'],
    ['https://canary@app.test', 'contains a user name or a password'],
  ])('DEC-40a HH-01 rejects %j as AUTH_URL, without quoting it', (url, problem) => {
    const settings = derive({}, { AUTH_URL: url })
    expect(settings.fault?.type).toBe('InvalidConfig')
    expect(settings.fault?.message).toContain(`AUTH_URL ${problem}`)
    expect(settings.fault?.message).not.toContain('canary')
    expect(settings).toMatchObject({ canonicalOrigin: undefined, trustHost: false })
    const filled = fill({ AUTH_URL: url, NODE_ENV: 'development' })
    expect(filled.trustHost).toBe(false)
    expect(derive(filled).fault?.message).toContain('AUTH_URL')
    for (const name of ['AUTH_URL', 'NEXTAUTH_URL'])
      expect(() =>
        createActionURL('session', 'https', new Headers({ host: 'evil.test' }), { [name]: url }, {}),
      ).toThrow(`${name} ${problem}`)
  })

  it('DEC-40e treats an empty variable as unset', () => {
    const empty = { AUTH_URL: '', NEXTAUTH_URL: '', AUTH_SECRET_1: '', AUTH_REDIRECT_PROXY_URL: '' }
    const settings = derive({ providers: [oauthProvider] }, empty)
    expect(settings).toMatchObject({ fault: undefined, canonicalOrigin: undefined })
    expect(settings.providers.get('acme')).toMatchObject({ redirectProxy: undefined })
    const headers = new Headers({ host: 'app.test' })
    expect(createActionURL('session', 'https', headers, empty, {}).href).toBe('https://app.test/session')

    const variables = { ...empty, AUTH_ACME_ID: '', AUTH_ACME_SECRET: '', AUTH_WORK_ID: 'found' }
    const provider = {
      ...oauthProvider,
      clientId: undefined,
      clientSecret: undefined,
      options: { id: 'work' },
    }
    const filled = fill({ ...variables, NODE_ENV: 'production' }, { providers: [provider] })
    expect(filled).toMatchObject({ trustHost: false, basePath: '/auth', redirectProxyUrl: undefined })
    expect(filled.providers[0]).toMatchObject({ clientId: 'found' })
    expect(filled.providers[0]).toMatchObject({ clientSecret: undefined })
    expect(derive(filled, { AUTH_URL: 'https://process.test' }).canonicalOrigin).toBe('https://process.test')
    const ofPreset = { ...variables, AUTH_WORK_ID: '', AUTH_ACME_ID: 'preset' }
    expect(fill(ofPreset, { providers: [provider] }).providers[0]).toMatchObject({ clientId: 'preset' })
  })

  it('DEC-04d reads no host trust, base path or provider credentials', () => {
    const environment = {
      AUTH_URL: 'https://app.test/api/auth',
      AUTH_TRUST_HOST: 'true',
      VERCEL: '1',
      CF_PAGES: '1',
      NODE_ENV: 'development',
      AUTH_ACME_ID: 'env',
      AUTH_ACME_SECRET: 'env',
      AUTH_ACME_ISSUER: 'https://env.test',
    }
    const settings = derive(
      { providers: [{ ...oauthProvider, clientId: undefined }], trustHost: undefined },
      environment,
    )
    expect(settings).toMatchObject({ trustHost: false, basePath: '/auth', fault: { type: 'UntrustedHost' } })
    expect(settings.leftOut.get('acme')?.error.type).toBe('MissingClientId')
  })
})

describe('setEnvDefaults', () => {
  it('WIR-058 takes the base path from AUTH_URL, and warns if there are two', () => {
    const url = 'https://app.test/api/auth/'
    expect(fill({ AUTH_URL: url })).toMatchObject({ basePath: '/api/auth', warnings: [] })
    expect(fill({ AUTH_URL: 'https://app.test/' })).toMatchObject({ basePath: '/auth', warnings: [] })
    expect(fill({ NEXTAUTH_URL: url }).basePath).toBe('/auth')
    const both = fill({ AUTH_URL: url }, { basePath: '/mine' })
    expect(both).toMatchObject({ basePath: '/mine', warnings: ['env-url-basepath-redundant'] })
    expect(fill({ AUTH_URL: url }, { basePath: '/mine' }, true).warnings).toEqual([])
  })

  it('WIR-058 fills in missing secrets and a missing redirect proxy', () => {
    const environment = {
      AUTH_SECRET: 'a',
      AUTH_SECRET_2: 'b',
      AUTH_REDIRECT_PROXY_URL: 'https://proxy.test/auth',
    }
    expect(fill(environment)).toMatchObject({
      secret: ['b', 'a'],
      redirectProxyUrl: 'https://proxy.test/auth',
    })
    for (const none of ['', []]) expect(fill(environment, { secret: none }).secret).toEqual(['b', 'a'])
    const own = { secret: 'own', redirectProxyUrl: 'https://own.test/auth' }
    expect(fill(environment, own)).toMatchObject(own)
    expect(fill({}).secret).toBeUndefined()
  })

  it('WIR-058 DEC-04d trusts the host by the first variable that is set, and outside production', () => {
    const trusts = (environment: Record<string, string>) => fill(environment).trustHost
    expect(trusts({ NODE_ENV: 'production' })).toBe(false)
    expect(trusts({ NODE_ENV: 'development' })).toBe(true)
    expect(trusts({ NODE_ENV: 'production', AUTH_URL: 'https://app.test' })).toBe(true)
    expect(trusts({ AUTH_URL: 'https://app.test', AUTH_TRUST_HOST: 'false' })).toBe(true)
    for (const name of ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']) {
      expect(trusts({ NODE_ENV: 'production', [name]: '1' }), name).toBe(true)
      for (const no of ['false', 'FALSE', '0', ''])
        expect(trusts({ [name]: no }), `${name}=${no}`).toBe(false)
    }
    expect(trusts({ AUTH_TRUST_HOST: 'false', VERCEL: '1' })).toBe(false)
    expect(trusts({ AUTH_TRUST_HOST: '', VERCEL: '1' })).toBe(false)
    expect(fill({ AUTH_TRUST_HOST: 'true' }, { trustHost: false }).trustHost).toBe(false)
  })

  it('DEC-40b AUTH_TRUST_HOST trusts if it is true or 1, and is a fault if it is not a boolean', () => {
    for (const yes of ['true', '1', 'TRUE'])
      expect(fill({ AUTH_TRUST_HOST: yes, NODE_ENV: 'production' }).trustHost).toBe(true)
    for (const odd of ['no', 'off', 'false ', 'yes', 'on', ' ', 'https://app.test', 'null', 'undefined']) {
      const filled = fill({ AUTH_TRUST_HOST: odd, NODE_ENV: 'development' })
      expect(filled.trustHost, odd).toBe(false)
      // Frameworks pass a copy.
      expect(derive({ ...filled }).fault?.message, odd).toContain('AUTH_TRUST_HOST')
      expect(derive(fill({ AUTH_TRUST_HOST: odd }, { trustHost: true })).fault?.type, odd).toBe(
        'InvalidConfig',
      )
    }
    const config = fill({ AUTH_TRUST_HOST: 'no' }, { secret })
    expect(settingsOf(config).fault?.type).toBe('InvalidConfig')
    setEnvDefaults({ AUTH_TRUST_HOST: '1' }, config)
    expect(settingsOf(config).fault?.type).toBe('UntrustedHost')
  })

  it('DEC-40d uses the origin of AUTH_URL wherever the framework keeps its variables', () => {
    const filled = fill({ AUTH_URL: 'https://app.test/auth' })
    expect(derive({ ...filled })).toMatchObject({ canonicalOrigin: 'https://app.test', trustHost: true })
    expect(derive(filled, { AUTH_URL: 'https://process.test' }).canonicalOrigin).toBe('https://app.test')
  })

  it('DEC-40c CF-04 warns once about implicit host trust, and explains it', () => {
    const received: string[] = []
    const logger = { warn: (code: string, details?: string) => void received.push(`${code}: ${details}`) }
    const clock = { [platform]: { now: () => 0 } }
    const variables: Record<string, string>[] = [
      { VERCEL: '1' },
      { CF_PAGES: '1' },
      {},
      { NODE_ENV: 'development' },
      { NODE_ENV: 'prod' },
    ]
    for (let request = 0; request < 3; request++)
      for (const environment of variables) fill(environment, { logger, ...clock })
    const reasons = received.map((line) => /^host-trust-inferred: The reason is that (.*)$/.exec(line)?.[1])
    expect(reasons).toEqual([
      'VERCEL is set',
      'CF_PAGES is set',
      'NODE_ENV is not set',
      'NODE_ENV is "development"',
      'NODE_ENV is "prod"',
    ])
    const declarations: Record<string, string>[] = [
      { AUTH_URL: 'https://app.test' },
      { AUTH_TRUST_HOST: 'true' },
      { VERCEL: '0' },
    ]
    for (const declared of declarations) expect(fill(declared).warnings).toEqual([])
    for (const trustHost of [true, false]) expect(fill({}, { trustHost }).warnings).toEqual([])
  })

  it('OPT-032 warns once about variables under the names of older versions', () => {
    const told: string[] = []
    const logger = {
      warn: (code: string, details = '') => void (code === 'unread-variable' && told.push(details)),
    }
    const config = { providers: [GitHub], logger, [platform]: { now: () => 0 } }
    const read = (environment: Record<string, string>, more: object = {}, suppress?: boolean) => {
      told.length = 0
      fill(environment, { ...config, [platform]: { now: () => 0 }, ...more }, suppress)
      return told.map((line) =>
        /^`(\w+)` is set, but `(\w+)` is read instead/.exec(line)?.slice(1).join(' > '),
      )
    }
    expect(read({ NEXTAUTH_SECRET: 's', NEXTAUTH_URL: 'https://app.test' })).toEqual([
      'NEXTAUTH_SECRET > AUTH_SECRET',
      'NEXTAUTH_URL > AUTH_URL',
    ])
    expect(read({ GITHUB_ID: 'id', GITHUB_CLIENT_SECRET: 's' })).toEqual([
      'GITHUB_ID > AUTH_GITHUB_ID',
      'GITHUB_CLIENT_SECRET > AUTH_GITHUB_SECRET',
    ])
    expect(read({ RESEND_API_KEY: 'key' }, { providers: [Resend({ id: 'resend' })] })).toEqual([
      'RESEND_API_KEY > AUTH_RESEND_KEY',
    ])
    // An application that sets the option, or the variable that is read, needs no hint.
    const given = GitHub({ clientId: 'id', clientSecret: 's', issuer: 'https://github.com' })
    expect(read({ GITHUB_ID: 'id', GITHUB_SECRET: 's' }, { providers: [given] })).toEqual([])
    expect(read({ NEXTAUTH_SECRET: 's' }, { secret })).toEqual([])
    expect(read({ NEXTAUTH_SECRET: 's', AUTH_SECRET: secret })).toEqual([])
    expect(read({ NEXTAUTH_URL: 'https://a.test', AUTH_URL: 'https://a.test' })).toEqual([])
    // Frameworks that read the base path themselves may also read this variable.
    expect(read({ NEXTAUTH_URL: 'https://app.test' }, {}, true)).toEqual([])
    expect(read({ AUTH_GITHUB_ID: 'id', AUTH_SECRET: secret })).toEqual([])
    // Once for all copies of a configuration.
    told.length = 0
    for (let request = 0; request < 3; request++) fill({ GITHUB_ID: 'id' }, { ...config })
    expect(told).toHaveLength(1)
  })

  it('CF-04 warns once about `trustHost: true` in production on an unknown platform', () => {
    const received = (environment: Record<string, string>, config: object = { trustHost: true }) =>
      fill({ NODE_ENV: 'production', ...environment }, config).warnings
    expect(received({})).toEqual(['unknown-host'])
    expect(received({ AUTH_TRUST_HOST: 'false' })).toEqual(['unknown-host'])
    expect(received({ AUTH_URL: 'https://app.test' })).toEqual([])
    for (const known of ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES'])
      expect(received({ [known]: '1' }), known).toEqual([])
    expect(received({ NODE_ENV: 'development' })).toEqual([])
    for (const trustHost of [undefined, false]) expect(received({}, { trustHost })).toEqual([])

    const config = fill({ NODE_ENV: 'production' }, { trustHost: true })
    setEnvDefaults({ NODE_ENV: 'production' }, { ...config })
    expect(config.warnings).toEqual(['unknown-host'])
  })

  it('WIR-058 DEC-04d fills in missing provider credentials by provider id', () => {
    const environment = {
      AUTH_ACME_CORP_ID: 'id',
      AUTH_ACME_CORP_SECRET: 'secret',
      AUTH_ACME_CORP_ISSUER: 'https://env.test',
      AUTH_ACME_CORP_KEY: 'key',
    }
    const resolve = (provider: object) => {
      const { providers } = fill(environment, { providers: [provider] })
      return derive({ providers }).providers.get('acme-corp')
    }
    const bare = { ...oidcProvider, id: 'acme-corp', clientId: undefined, issuer: undefined }
    const found = { clientId: 'id', clientSecret: 'secret', issuer: 'https://env.test' }
    expect(resolve(bare)).toMatchObject(found)
    expect(resolve({ ...bare, id: 'other', options: { id: 'acme-corp' } })).toMatchObject(found)
    expect(resolve({ ...bare, clientId: 'own' })).toMatchObject({ ...found, clientId: 'own' })
    expect(resolve({ ...bare, options: { issuer: 'https://own.test' } })).toMatchObject({
      ...found,
      issuer: 'https://own.test',
    })
    const mail = { id: 'acme-corp', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined }
    expect(resolve(mail)).toMatchObject({ config: { apiKey: 'key' } })
    expect(resolve({ ...mail, type: 'credentials', authorize: () => null })).not.toHaveProperty(
      'config.apiKey',
    )
  })

  it('WIR-058 DEC-04d calls a provider factory with the credentials, so that it can derive from them', () => {
    const one = 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0'
    const environment = {
      AUTH_MICROSOFT_ENTRA_ID_ID: 'entra',
      AUTH_MICROSOFT_ENTRA_ID_ISSUER: one,
      AUTH_KEYCLOAK_ID: 'keycloak',
      AUTH_KEYCLOAK_ISSUER: 'https://id.test/realms/main',
      AUTH_GITHUB_ID: 'github',
    }
    const { providers } = fill(environment, {
      providers: [MicrosoftEntraID, Keycloak, GitHub, () => oauthProvider],
    })
    const settings = derive({ providers })
    expect(settings.fault).toBeUndefined()
    expect(settings.providers.get('microsoft-entra-id')).toMatchObject({ clientId: 'entra', issuer: one })
    expect(Reflect.get(providers[0] ?? {}, preset)).not.toHaveProperty('issuerTemplate')
    expect(settings.providers.get('keycloak')).toMatchObject({ issuer: 'https://id.test/realms/main' })
    expect(settings.providers.get('github')).toMatchObject({ clientId: 'github' })
    expect(settings.providers.get('acme')).toMatchObject({ clientId: 'client' })
  })

  it('CF-01 WIR-058 leaves invalid providers for the configuration check to report', () => {
    const throwing = () => {
      throw new Error('no options')
    }
    for (const odd of [null, 5, 'github', throwing, {}]) {
      const { providers } = fill({ AUTH_ACME_ID: 'x' }, { providers: [odd] })
      expect(derive({ providers }).fault?.type).toBe('InvalidConfig')
    }
    expect(fill({}, { providers: undefined }).providers).toEqual([])
    expect(derive(fill({}, { providers: 'github' })).fault?.type).toBe('InvalidConfig')
  })
})

describe('createActionURL', () => {
  const url = (
    environment: Record<string, string>,
    headers: Record<string, string>,
    config = {},
    protocol = 'https:',
  ) => createActionURL('session', protocol, new Headers(headers), environment, config).href

  it('WIR-059 DEC-04b uses AUTH_URL, then NEXTAUTH_URL, whatever the headers say', () => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' }
    expect(url({ AUTH_URL: 'https://app.test/api/auth' }, headers)).toBe('https://app.test/api/auth/session')
    expect(url({ NEXTAUTH_URL: 'https://app.test' }, headers, { basePath: '/auth' })).toBe(
      'https://app.test/auth/session',
    )
    expect(url({ AUTH_URL: 'https://a.test', NEXTAUTH_URL: 'https://b.test' }, {})).toBe(
      'https://a.test/session',
    )
    expect(url({ AUTH_URL: 'https://app.test/' }, {}, { basePath: '/' })).toBe('https://app.test/session')
  })

  it('WIR-059 otherwise uses the host of the request, preferring the forwarded one', () => {
    const config = { basePath: '/auth/' }
    expect(url({}, { host: 'app.test' }, config)).toBe('https://app.test/auth/session')
    expect(url({}, { host: 'app.test' }, config, 'http')).toBe('http://app.test/auth/session')
    expect(url({}, { host: 'app.test' }, {}, '')).toBe('https://app.test/session')
    const forwarded = { host: 'inner:3000', 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' }
    expect(url({}, forwarded, config, 'http:')).toBe('https://app.test/auth/session')
    const listed = { 'x-forwarded-host': 'app.test, inner', 'x-forwarded-proto': 'https, http' }
    expect(url({}, listed, config, 'http:')).toBe('https://app.test/auth/session')
    expect(() => url({}, {}, config)).toThrow(TypeError)
  })

  it.each([
    ['x-forwarded-proto', 'https://evil.test/#'],
    ['x-forwarded-proto', 'https://evil.test/?, https'],
    ['x-forwarded-proto', 'javascript'],
    ['x-forwarded-host', 'user@evil.test'],
    ['x-forwarded-host', 'app.test/auth/signout?'],
    ['x-forwarded-host', 'app.test\\evil'],
    ['host', 'app.test/auth/signout?'],
    ['host', 'app.test#'],
  ])('EMB-016 throws for %s: %s', (name, value) => {
    const config = { basePath: '/auth' }
    expect(() => url({}, { host: 'app.test', [name]: value }, config)).toThrow(TypeError)
    expect(url({ AUTH_URL: 'https://app.test/auth' }, { [name]: value }, config)).toBe(
      'https://app.test/auth/session',
    )
  })

  it('EMB-016 accepts an IPv6 address, and a protocol in capitals', () => {
    const headers = { host: '[::1]:3000', 'x-forwarded-proto': 'HTTPS:' }
    expect(url({}, headers, { basePath: '/auth' })).toBe('https://[::1]:3000/auth/session')
  })

  it('WIR-059 warns if base path and AUTH_URL disagree, and uses the base path', () => {
    const warnings: string[] = []
    const config = (basePath: string) => ({
      basePath,
      logger: { warn: (code: string) => void warnings.push(code) },
    })
    const environment = { AUTH_URL: 'https://app.test/api/auth' }
    expect(url(environment, {}, config('/auth'))).toBe('https://app.test/auth/session')
    expect(warnings).toEqual(['env-url-basepath-mismatch'])
    expect(url(environment, {}, config('/api/auth'))).toBe('https://app.test/api/auth/session')
    expect(url({ AUTH_URL: 'https://app.test' }, {}, config('/api/auth'))).toBe(
      'https://app.test/api/auth/session',
    )
    // A slash at the end makes no difference.
    expect(url(environment, {}, config('/api/auth/'))).toBe('https://app.test/api/auth/session')
    expect(url({ AUTH_URL: 'https://app.test/api/auth/' }, {}, config('/api/auth'))).toBe(
      'https://app.test/api/auth/session',
    )
    expect(warnings).toHaveLength(1)
  })
})

describe('isAuthAction', () => {
  it('WIR-001 accepts the routes and nothing else', () => {
    const actions = 'providers session csrf signin signout callback verify-request error webauthn-options'
    const own = 'account backchannel-logout email-change-confirm factor password-reset'
    for (const action of `${actions} ${own}`.split(' ')) expect(isAuthAction(action), action).toBe(true)
    for (const other of ['', 'Session', 'signup', 'constructor', '__proto__', 'session/', 'toString'])
      expect(isAuthAction(other)).toBe(false)
  })
})
