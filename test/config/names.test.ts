import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryAdapter, memoryRevocations } from '../../src/adapters/memory.ts'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { editDistance } from '../../src/config/check-names.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createEdgeAuth } from '../../src/instance/create-edge-auth.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { getSession } from '../../src/integrations/solid-start.ts'
import { createNextAuth } from '../../src/next.ts'
import { readElsewhere } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { derive, secret } from './derive.ts'

const hook = () => true
const unknownOf = (config: object) => derive(config).unknownOptions

afterEach(() => vi.restoreAllMocks())

describe('an unknown option', () => {
  it.each([
    ['sesion', { sesion: {} }, '`sesion` is not an option and has no effect. Did you mean `session`?'],
    [
      'trusthost',
      { trusthost: true },
      '`trusthost` is not an option and has no effect. Did you mean `trustHost`?',
    ],
    [
      'callback',
      { callback: {} },
      '`callback` is not an option and has no effect. Did you mean `callbacks`?',
    ],
    ['useSecureCookeis', { useSecureCookeis: true }, /Did you mean `useSecureCookies`\?$/],
    ['prefx', { prefx: '/a' }, /Did you mean `prefix`\?$/],
    ['database', { database: 'url' }, '`database` is not an option and has no effect'],
    ['maxage', { session: { maxage: 5 } }, /^`session\.maxage` .*Did you mean `session\.maxAge`\?$/],
    ['secrets', { jwt: { secrets: ['a'] } }, /^`jwt\.secrets` .*Did you mean `jwt\.secret`\?$/],
    ['signing key', { jwt: { signingKey: 'a' } }, '`jwt.signingKey` is not an option and has no effect'],
    ['signin', { pages: { signin: '/in' } }, /^`pages\.signin` .*Did you mean `pages\.signIn`\?$/],
    ['sessiontoken', { cookies: { sessiontoken: {} } }, /Did you mean `cookies\.sessionToken`\?$/],
    ['color', { theme: { colorSchema: 'dark' } }, /Did you mean `theme\.colorScheme`\?$/],
    [
      'WebAuthn',
      { experimental: { enableWebauthn: true } },
      /Did you mean `experimental\.enableWebAuthn`\?$/,
    ],
    [
      'a callback',
      { callbacks: { whatever: hook } },
      '`callbacks.whatever` is not an option and has no effect',
    ],
    ['an event', { events: { newSession: hook } }, '`events.newSession` is not an option and has no effect'],
  ])('SEA-012 is reported with a suggestion: %s', (_, config, says) => {
    const settings = derive(config)
    expect(settings.unknownOptions).toEqual([expect.stringMatching(says)])
    expect(settings.warnings).toEqual(['unknown-option'])
    expect(settings.fault).toBeUndefined()
  })

  it('SEA-012 reports revocations where sessions are rows', () => {
    const { fault, unknownOptions } = derive({
      adapter: memoryAdapter(),
      session: { strategy: 'database' },
      jwt: { revocations: memoryRevocations() },
    })
    expect(fault).toBeUndefined()
    expect(unknownOptions).toEqual([expect.stringMatching(/^`jwt\.revocations` has no effect/)])
  })

  it('SEA-012 is logged once per configuration, in one warning for all of them', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const config = { providers: [], trustHost: true, secret, sesion: {}, zzz: 1 }
    settingsOf(config)
    settingsOf({ ...config })
    await vi.dynamicImportSettled()
    expect(warn.mock.calls).toEqual([
      [
        '[auth][warn][unknown-option] The configuration contains options that have no effect. `sesion` is not an option and has no effect. Did you mean `session`?; ' +
          '`zzz` is not an option and has no effect. ' +
          'Rename or remove them. See "unknown-option" in the authmachine guide "Troubleshooting".',
      ],
    ])
  })

  it('SEA-012 is not reported for a missing option, or one that is not an object', () => {
    expect(unknownOf({ sesion: undefined, callbacks: { signin: null }, pages: undefined })).toEqual([])
    expect(unknownOf({ session: 'jwt', callbacks: [] })).toEqual([])
    expect(unknownOf({ logger: { trace: hook } })).toEqual([])
  })
})

describe('a misspelt callback or event', () => {
  it.each([
    ['callbacks.signin', { callbacks: { signin: hook } }, 'callbacks.signIn'],
    ['callbacks.SIGNIN', { callbacks: { SIGNIN: hook } }, 'callbacks.signIn'],
    ['callbacks.sigIn', { callbacks: { sigIn: hook } }, 'callbacks.signIn'],
    ['callbacks.signIin', { callbacks: { signIin: hook } }, 'callbacks.signIn'],
    ['callbacks.singIn', { callbacks: { singIn: hook } }, 'callbacks.signIn'],
    ['callbacks.ratelimit', { callbacks: { ratelimit: hook } }, 'callbacks.rateLimit'],
    ['callbacks.authorised', { callbacks: { authorised: hook } }, 'callbacks.authorized'],
    ['events.signout', { events: { signout: hook } }, 'events.signOut'],
    ['events.createUsers', { events: { createUsers: hook } }, 'events.createUser'],
    ['jwt.isrevoked', { jwt: { isrevoked: hook } }, 'jwt.isRevoked'],
    ['jwt.revocation', { jwt: { revocation: { find: hook, add: hook } } }, 'jwt.revocations'],
    ['session.signInMaxage', { session: { signInMaxage: hook } }, 'session.signInMaxAge'],
    ['secondfactor', { secondfactor: { findStep: hook } }, 'secondFactor'],
    ['adaptor', { adaptor: { createUser: hook } }, 'adapter'],
  ])('SEA-013 is an error: %s', (path, config, meant) => {
    const { fault, unknownOptions } = derive({ ...config, sesion: {} })
    expect(unknownOptions).toEqual([expect.stringMatching(/^`sesion` /)])
    expect(fault?.type).toBe('InvalidConfig')
    expect(fault?.message).toBe(
      `\`${path}\` is not an option, so it would never be called. Rename it to \`${meant}\``,
    )
  })

  it('SEA-013 makes every request fail', async () => {
    const config = { providers: [], trustHost: true, secret, callbacks: { signin: hook } } as AuthConfig
    const quiet = { error: hook, warn: hook, debug: hook }
    const answer = await createHandler()(new Request('https://app.test/auth/providers'), {
      ...config,
      logger: quiet,
    })
    expect(answer.status).toBe(500)
  })
})

describe('a known option', () => {
  it('SEA-014 may be one that only a published integration reads', () => {
    const settings = derive({
      prefix: '/api/auth',
      injectEndpoints: true,
      configFile: './auth.config.ts',
      conform: hook,
      callbacks: { authorized: hook },
    })
    expect([settings.fault, settings.unknownOptions]).toEqual([undefined, []])
  })

  it.each([
    ['callbacks.authorized', { callbacks: { authorized: hook } }, '`createProxy` of `authmachine/next`'],
    ['callbacks.authorised', { callbacks: { authorised: hook } }, '`createProxy` of `authmachine/next`'],
    ['prefix', { prefix: '/api/auth' }, 'Set `basePath` instead'],
    ['injectEndpoints', { injectEndpoints: true }, 'Remove it'],
    ['configFile', { configFile: './auth.config.ts' }, 'Remove it'],
    ['conform', { conform: hook }, 'Remove it'],
  ])('SEA-015 is an error if no integration in use reads it: %s', (path, config, advice) => {
    const { fault, unknownOptions } = derive({ ...config, [readElsewhere]: [] })
    expect([fault?.type, unknownOptions]).toEqual(['InvalidConfig', []])
    expect(fault?.message).toBe(
      `\`${path}\` is an option of other integrations, and has no effect here. ${fault?.message.split('here. ')[1]}`,
    )
    expect(fault?.message).toContain(advice)
  })

  it('SEA-015 is not an error if the integration in use reads it', () => {
    const read = derive({ prefix: '/api/auth', [readElsewhere]: ['prefix'] })
    expect([read.fault, read.unknownOptions]).toEqual([undefined, []])
  })

  it('SEA-015 applies to every instance of the library’s own integrations', async () => {
    const quiet = { error: hook, warn: hook, debug: hook }
    const config = { providers: [], trustHost: true, secret, callbacks: { authorized: hook }, logger: quiet }
    const request = () => new Request('https://app.test/auth/session')
    expect((await createAuth(config as AuthConfig).handler(request())).status).toBe(500)
    await expect(createEdgeAuth(config as AuthConfig).getSession(request())).rejects.toThrow('authorized')
    const proxy = createNextAuth(createAuth(config as AuthConfig)).proxy(request())
    await expect(proxy).rejects.toThrow('authorized')
    await expect(getSession(request(), config as AuthConfig)).rejects.toThrow('authorized')
  })

  it('SEA-014 may be any of the library’s own', () => {
    const settings = derive({
      debug: false,
      useSecureCookies: true,
      parallelSignIns: true,
      callbacks: {
        signIn: hook,
        redirect: hook,
        session: hook,
        jwt: hook,
        rateLimit: hook,
        endSession: hook,
      },
      events: {
        signIn: hook,
        signOut: hook,
        createUser: hook,
        updateUser: hook,
        linkAccount: hook,
        session: hook,
      },
    })
    expect([settings.fault, settings.unknownOptions]).toEqual([undefined, []])
  })
})

describe('the edit distance', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') })

  it('SEA-012 counts inserted, removed, replaced and swapped letters', () => {
    for (const [from, to, distance] of [
      ['', '', 0],
      ['', 'abc', 3],
      ['signIn', 'sigIn', 1],
      ['signIn', 'singIn', 1],
      ['kitten', 'sitting', 3],
      ['ab', 'ba', 1],
    ] as const)
      expect([from, to, editDistance(from, to)]).toEqual([from, to, distance])
  })

  it('SEA-012 is symmetric, zero for equal words, and at least the difference in length', () => {
    fc.assert(
      fc.property(word, word, (from, to) => {
        const distance = editDistance(from, to)
        expect(editDistance(to, from)).toBe(distance)
        expect(distance === 0).toBe(from === to)
        expect(distance).toBeGreaterThanOrEqual(Math.abs(from.length - to.length))
        expect(distance).toBeLessThanOrEqual(Math.max(from.length, to.length))
      }),
    )
  })
})
