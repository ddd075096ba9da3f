import { readdirSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createHandler } from '../../src/handler/create-handler.ts'
import Apple from '../../src/providers/apple.ts'
import Auth0 from '../../src/providers/auth0.ts'
import GitHub from '../../src/providers/github.ts'
import { platform } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { derive, oauthProvider, oidcProvider, secret } from './derive.ts'

const credentials = { id: 'pin', name: 'PIN', type: 'credentials', authorize: () => null }

/** Email presets need options. */
function isRegistered(make: () => { readonly type: string }): boolean {
  try {
    return ['oauth', 'oidc'].includes(make().type)
  } catch {
    return false
  }
}

describe('a provider without what its registration assigned', () => {
  it.each([
    ['a client id', { ...oidcProvider, clientId: undefined }, '`AUTH_OPEN_ID`'],
    ['text in its client id', { ...oidcProvider, clientId: '' }, '`AUTH_OPEN_ID`'],
    ['an issuer', { ...oidcProvider, issuer: undefined }, '`AUTH_OPEN_ISSUER`'],
  ])('OPT-033 is left out beside another one, without %s', (_, provider, variable) => {
    for (const other of [oauthProvider, credentials]) {
      const { fault, providers, leftOut } = derive({ providers: [provider, other] })
      expect([fault, [...providers.keys()]]).toEqual([undefined, [other.id]])
      expect([...leftOut.values()].map(({ error }) => error.message)).toEqual([
        expect.stringContaining(variable),
      ])
    }
  })

  it('OPT-033 is a fault if no other provider is complete', () => {
    const two = [
      { ...oidcProvider, clientId: undefined },
      { ...oauthProvider, clientId: undefined },
    ]
    for (const providers of [two, two.slice(0, 1)]) {
      const { fault } = derive({ providers })
      expect(fault).toMatchObject({ type: 'MissingClientId' })
      expect(fault?.message).toContain('"open"')
    }
  })

  it('OPT-033 still has its own id, valid options and all endpoints', () => {
    const others = [oauthProvider, { ...oidcProvider, clientId: undefined }]
    expect(derive({ providers: [...others, oidcProvider] }).fault?.type).toBe('DuplicateProvider')
    expect(derive({ providers: [...others, { ...oidcProvider, id: 'x', timeout: 0 }] }).fault?.type).toBe(
      'InvalidConfig',
    )
    const half = { ...oauthProvider, id: 'half', token: undefined }
    expect(derive({ providers: [oauthProvider, half] }).fault?.type).toBe('InvalidEndpoints')
  })

  it('OPT-033 may be any preset, as where a site lists more than it has credentials for', async () => {
    const folder = new URL('../../src/providers/', import.meta.url)
    const modules = await Promise.all(
      readdirSync(folder).map(
        (file) => import(new URL(file, folder).href) as Promise<{ readonly default: () => { type: string } }>,
      ),
    )
    const presets = modules.map(({ default: make }) => make)
    const registered = presets.filter((make) => make !== (GitHub as unknown) && isRegistered(make))
    expect(registered.length).toBeGreaterThan(80)
    const { fault, providers } = derive({ providers: [GitHub({ clientId: 'client' }), ...registered] })
    expect([fault, [...providers.keys()]]).toEqual([undefined, ['github']])
  })

  it('OPT-033 is logged once by Auth, and its routes do not exist', async () => {
    const errors: Error[] = []
    const config = {
      providers: [oauthProvider, { ...oidcProvider, clientId: undefined }],
      secret,
      trustHost: true,
      logger: { error: (error: Error) => void errors.push(error), warn() {}, debug() {} },
      [platform]: { now: () => 0 },
    } as unknown as AuthConfig
    const answer = createHandler()
    const send = async (path: string) =>
      (await answer(new Request(`https://app.test/auth/${path}`), { ...config })) as Response
    expect(Object.keys((await (await send('providers')).json()) as object)).toEqual(['acme'])
    expect(await (await send('signin')).text()).not.toContain('Open')
    expect(errors.map(({ name }) => name)).toEqual(['MissingClientId'])
    expect((await send('callback/open?code=1')).status).toBe(404)
  })

  it('OPT-033 is in one message with all others, which the bundles of a site log once', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    try {
      for (let bundle = 0; bundle < 2; bundle++) {
        vi.resetModules()
        const { createAuth } = await import('../../src/instance/create-auth.ts')
        createAuth({ providers: [oauthProvider, Apple, Auth0], secret, trustHost: true })
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const printed = print.mock.calls.map(([text]) => String(text))
      expect(printed.filter((text) => text.startsWith('[auth][error]'))).toEqual([
        '[auth][error] MissingClientId: 2 providers are incomplete, so the site does not offer them: "apple", "auth0". ' +
          'Remove those that you do not use, and set the missing options of the others, or their environment variables: ' +
          '`AUTH_APPLE_ID`, `AUTH_AUTH0_ID`, `AUTH_AUTH0_ISSUER`',
      ])
      expect(printed.join('\n')).not.toMatch(/^ +at /m)
    } finally {
      print.mockRestore()
      vi.resetModules()
    }
  })
})
