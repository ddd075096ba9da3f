import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { AuthError } from '../../src/errors.ts'
import { platform, raw, skipCSRFCheck } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { spread } from '../support/spread.ts'
import { derive, oauthProvider, oidcProvider, secret } from './derive.ts'
import { configFaults } from './faults.ts'
import { validConfig, type Config } from './valid-config.ts'

const handle = createHandler()
const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }

async function statusOf(config: object, action: string): Promise<number> {
  const basePath = String((config as AuthConfig).basePath ?? '/auth').replace(/\/+$/, '')
  const answer = await handle(new Request(`https://app.test${basePath}/${action}`), config as AuthConfig)
  return answer.status ?? 0
}

describe('a configuration', () => {
  it('CF-01 CF-05 is accepted if it is valid', async () => {
    const cases = spread('valid configurations')
    await fc.assert(
      fc.asyncProperty(validConfig, async (config) => {
        expect(derive(config).fault).toBeUndefined()
        expect(await statusOf({ ...config, logger: quiet }, 'providers')).toBe(200)
        for (const { type } of config.providers) cases.count(String(type))
        cases.count(config.adapter ? 'with an adapter' : 'without an adapter')
        if (config.providers.length === 0) cases.count('no providers')
      }),
      { numRuns: 300 },
    )
    for (const type of ['oauth', 'oidc', 'email', 'credentials', 'webauthn']) cases.atLeast(type, 50)
    cases.atLeast('without an adapter', 10)
    cases.report()
  })

  it('CF-01 OPT-031 SEA-015 with an invalid field is rejected with an error that names the field', () => {
    const cases = spread('invalid configurations')
    for (const { name, breakConfig, type, says } of configFaults) {
      fc.assert(
        fc.property(validConfig, (config) => {
          const { fault } = derive(breakConfig(withFew(config)))
          expect(fault, name).toBeInstanceOf(AuthError)
          expect(fault?.type, name).toBe(type)
          expect(fault?.message, name).toContain(says)
          cases.count(type)
        }),
        { numRuns: 10 },
      )
    }
    for (const type of [
      'InvalidConfig',
      'InvalidEndpoints',
      'MissingSecret',
      'MissingAdapter',
      'UntrustedHost',
    ])
      cases.atLeast(type, 10)
    cases.report()
  })

  it('CF-03 never yields a session if any field is invalid', async () => {
    const cookie = 'authjs.session-token=x; __Secure-authjs.session-token=x'
    let judged = 0
    for (const { breakConfig } of configFaults) {
      const config = {
        ...breakConfig({ providers: [], trustHost: true, secret }),
        logger: quiet,
        raw: undefined,
      }
      if (!derive(config).fault) continue
      judged++
      for (const action of ['session', 'csrf', 'providers']) {
        const request = new Request(`https://app.test/auth/${action}`, { headers: { cookie } })
        const answer = (await handle(request, config as unknown as AuthConfig)) as Response
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }
    expect(judged).toBeGreaterThan(80)
  })

  it('CF-02 DEC-33b may not have two providers with the same id', () => {
    const twins = [oauthProvider, { ...oidcProvider, id: 'acme' }]
    expect(derive({ providers: twins }).fault).toMatchObject({
      type: 'DuplicateProvider',
      message: 'Two providers have the id "acme". Give each provider its own id',
    })
    const renamed = [oauthProvider, { ...oauthProvider, options: { id: 'other' } }]
    expect(derive({ providers: renamed }).fault).toBeUndefined()
    expect(
      derive({ providers: [oauthProvider, { ...oidcProvider, options: { id: 'acme' } }] }).fault?.type,
    ).toBe('DuplicateProvider')
  })

  it('CFG-039 HH-01 must trust the host', () => {
    expect(derive({ trustHost: undefined }).fault).toMatchObject({ type: 'UntrustedHost' })
    expect(derive({ trustHost: false }, { AUTH_URL: 'https://app.test' }).fault?.type).toBe('UntrustedHost')
    expect(derive({ trustHost: true }).fault).toBeUndefined()
  })

  it('DEC-26a must have a secret that is neither empty nor blank', () => {
    for (const bad of ['', '   ', '\t\n', [], [''], [secret, ' '], undefined])
      expect(derive({ secret: bad }).fault?.type, JSON.stringify(bad)).toBe('MissingSecret')
    expect(derive({ secret: undefined }, { AUTH_SECRET: secret }).fault).toBeUndefined()
    expect(derive({ secret: '' }, { AUTH_SECRET: secret }).fault?.type).toBe('MissingSecret')
  })

  it('DEC-24e must have ages between zero and a hundred years', () => {
    const century = 100 * 365.25 * 86_400
    for (const maxAge of [1, 0.5, century]) {
      expect(derive({ session: { maxAge } }).fault, String(maxAge)).toBeUndefined()
      expect(derive({ jwt: { maxAge } }).fault, String(maxAge)).toBeUndefined()
    }
    for (const maxAge of [0, -1, century + 1, Number.NaN, Infinity]) {
      expect(derive({ session: { maxAge } }).fault?.message).toContain('session.maxAge')
      expect(derive({ jwt: { maxAge } }).fault?.message).toContain('jwt.maxAge')
    }
  })
})

/** A configuration whose e-mail provider has this value of `confirm`. */
function mailing(confirm: unknown) {
  const provider = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {}, confirm }
  return { adapter: memoryAdapter(), providers: [provider] }
}

describe('confirm', () => {
  it.each([true, 'always', 'elsewhere', undefined])('DEC-28d may be %o, without a warning', (confirm) => {
    const { fault, warnings } = derive(mailing(confirm))
    expect(fault).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it('DEC-38 may be "never" without a warning where linking is explicit', () => {
    expect(derive({ ...mailing('never'), accountLinking: 'explicit' }).warnings).toEqual([])
  })

  it.each(['sometimes', 1, {}])('DEC-28d may not be %o', (confirm) => {
    expect(derive(mailing(confirm)).fault).toMatchObject({
      type: 'InvalidConfig',
      message: expect.stringContaining(
        '`confirm` of provider "mail" must be "elsewhere", "always" or "never", got ',
      ),
    })
  })
})

describe('a dangerous option', () => {
  it('DEC-26b weak-secret warns about a secret under 32 bytes', () => {
    expect(derive({ secret: 'x'.repeat(31) }).warnings).toEqual(['weak-secret'])
    expect(derive({ secret: 'x'.repeat(32) }).warnings).toEqual([])
    expect(derive({ secret: 'é'.repeat(16) }).warnings).toEqual([])
    expect(derive({ secret: [secret, 'short'] }).warnings).toEqual(['weak-secret'])
    expect(derive({ jwt: { secret: 'short' } }).warnings).toEqual(['weak-secret'])
  })

  it.each([
    ['CF-04 WIR-011', 'csrf-disabled', { skipCSRFCheck }],
    ['CF-04', 'debug-enabled', { debug: true }],
    ['CF-04 CFG-015', 'experimental-webauthn', { experimental: { enableWebAuthn: true } }],
    ['CF-04', 'checks-disabled', { providers: [{ ...oauthProvider, checks: ['none'] }] }],
    ['CF-04', 'insecure-requests', { providers: [{ ...oauthProvider, allowInsecureRequests: true }] }],
    [
      'CF-04',
      'dangerous-linking',
      { providers: [{ ...oauthProvider, allowDangerousEmailAccountLinking: true }] },
    ],
    ['DEC-28d', 'unconfirmed-links', mailing('never')],
    ['DEC-28d', 'unconfirmed-links', mailing(false)],
    ['DEC-38', 'unconfirmed-links', { ...mailing('never'), accountLinking: 'session' }],
  ])('%s is reported: %s', (_, code, config) => {
    expect(derive(config).warnings).toEqual([code])
  })

  it('CF-04 CFG-015 DEC-26b DEC-33a is reported once per configuration', async () => {
    const received: string[] = []
    const config = {
      providers: [{ ...oauthProvider, checks: ['none'], allowDangerousEmailAccountLinking: true }],
      trustHost: true,
      secret: 'short',
      experimental: { enableWebAuthn: true },
      skipCSRFCheck,
      raw,
      // Warnings are remembered per clock.
      [platform]: { now: () => Date.now() },
      logger: { ...quiet, warn: (code: string) => void received.push(code) },
    }
    for (let request = 0; request < 3; request++) await statusOf(config, 'providers')
    const once = [
      'checks-disabled',
      'csrf-disabled',
      'dangerous-linking',
      'experimental-webauthn',
      'weak-secret',
    ]
    expect(received.toSorted()).toEqual(once)
    await statusOf({ ...config, basePath: '/login' }, 'providers')
    expect(received).toHaveLength(2 * once.length)
  })

  it('DEC-33a CF-01 is checked only when the configuration is first used', async () => {
    let made = 0
    const factory = () => {
      made++
      return oauthProvider
    }
    const config = { providers: [factory], trustHost: true, secret, logger: quiet }
    for (let request = 0; request < 3; request++) expect(await statusOf(config, 'providers')).toBe(200)
    expect(made).toBe(1)
  })
})

/** A configuration without the parts that are checked before the fault, since some faults mask others. */
function withFew(config: Config): Config {
  return { ...config, providers: config.providers.slice(0, 2) }
}
