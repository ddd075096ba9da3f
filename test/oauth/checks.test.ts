import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Check } from '../../src/config/settings.ts'
import { chooseChecks, mintCheckValues } from '../../src/oauth/choose-checks.ts'
import { createPlatform, resolve } from './stage.ts'

const s256 = { code_challenge_methods_supported: ['plain', 'S256'] }
const methods = fc.option(fc.subarray(['plain', 'S256', 's256']), { nil: undefined })
const configs = fc.oneof(
  fc.record({
    type: fc.constant('oidc'),
    checks: fc.option(fc.subarray(['pkce', 'state', 'nonce']), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('oauth'),
    checks: fc.option(fc.subarray(['pkce', 'state']), { nil: undefined }),
  }),
)

function effective(config: Record<string, unknown>, server = {}, viaProxy = false): readonly Check[] {
  return chooseChecks(resolve(config), server, viaProxy)
}

describe('the checks of a sign-in', () => {
  it('are pkce for oauth, and pkce and nonce for oidc, if the server supports S256', () => {
    expect(effective({ type: 'oauth' }, s256)).toEqual(['pkce'])
    expect(effective({ type: 'oidc' }, s256)).toEqual(['pkce', 'nonce'])
  })

  it.each([{}, { code_challenge_methods_supported: ['plain'] }, { code_challenge_methods_supported: [] }])(
    'DEC-06b TX-09 include state if the metadata does not prove S256: %j',
    (server) => {
      expect(effective({ type: 'oauth' }, server)).toEqual(['state', 'pkce'])
      expect(effective({ type: 'oidc' }, server)).toEqual(['state', 'pkce', 'nonce'])
      expect(effective({ type: 'oidc', checks: ['nonce'] }, server)).toEqual(['state', 'nonce'])
    },
  )

  it('DEC-06c PRV-016 include state with a redirect proxy', () => {
    expect(effective({ type: 'oidc' }, s256, true)).toEqual(['state', 'pkce', 'nonce'])
  })

  it('DEC-06d ATN-005 are empty for `none`, whatever else is listed', () => {
    for (const viaProxy of [true, false])
      for (const server of [{}, s256])
        expect(effective({ checks: ['none', 'pkce'] }, server, viaProxy)).toEqual([])
  })

  it('are the configured ones instead of the default', () => {
    expect(effective({ type: 'oidc', checks: ['nonce'] }, s256)).toEqual(['nonce'])
    expect(effective({ type: 'oidc', checks: ['pkce'] }, s256)).toEqual(['pkce'])
  })

  it('TX-09 include an effective check and every configured one, unless the configuration is `none`', () => {
    fc.assert(
      fc.property(
        configs,
        methods,
        fc.boolean(),
        ({ type, checks }, code_challenge_methods_supported, viaProxy) => {
          const got = effective({ type, checks }, { code_challenge_methods_supported }, viaProxy)
          const supportsS256 = code_challenge_methods_supported?.includes('S256') === true
          const works = { state: true, pkce: supportsS256, nonce: type === 'oidc' }
          expect(got.some((check) => works[check])).toBe(true)
          expect(got).toEqual(expect.arrayContaining(checks ?? ['pkce']))
          expect(new Set(got).size).toBe(got.length)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('check values', () => {
  it('TX-08 are 32 random bytes each, one value for each check', () => {
    const asked: number[] = []
    const platform = createPlatform(fetch)
    const randomBytes = (length: number) => {
      asked.push(length)
      return new Uint8Array(length).fill(asked.length)
    }
    const values = mintCheckValues(['state', 'pkce', 'nonce'], { ...platform, randomBytes })
    expect(asked).toEqual([32, 32, 32])
    expect(new Set(Object.values(values)).size).toBe(3)
    for (const value of Object.values(values)) expect(value).toMatch(/^[\w-]{43}$/)
    expect(mintCheckValues(['nonce'], platform)).toMatchObject({ state: undefined, codeVerifier: undefined })
  })
})
