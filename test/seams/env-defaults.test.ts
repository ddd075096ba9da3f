import { describe, expect, it } from 'vitest'
import GitHub from '../../src/providers/github.ts'
import { hasPeer, openPeer, ours, type Library } from './library.ts'

const environment = {
  NODE_ENV: 'test',
  AUTH_SECRET: 'secret',
  AUTH_IDP_ID: 'id',
  AUTH_IDP_SECRET: 'client secret',
  AUTH_IDP_ISSUER: 'https://issuer.test',
  AUTH_IDP_KEY: 'key',
}

/** The resulting providers, and the arguments of the factories. */
function fill(lib: Library): object {
  const seen: unknown[] = []
  const factory = (type: string) => (options: object) => {
    seen.push(options)
    return { id: 'idp', name: 'Idp', type, options }
  }
  const config: { providers: unknown[] } = {
    providers: [
      { id: 'idp', type: 'oidc' },
      { id: 'idp', type: 'oauth', clientId: 'own' },
      { id: 'idp', type: 'oidc', clientId: '', clientSecret: null },
      { id: 'idp', type: 'oidc', options: { clientId: 'own' } },
      { id: 'idp', type: 'email' },
      { id: 'idp', type: 'email', options: { apiKey: 'own' } },
      { id: 'idp', type: 'credentials' },
      { id: 'idp', type: 'webauthn' },
      factory('oidc'),
      factory('email'),
      factory('credentials'),
    ],
  }
  lib.setEnvDefaults(environment, config)
  return { providers: config.providers, seen }
}

const credentials = { clientId: 'id', clientSecret: 'client secret', issuer: 'https://issuer.test' }
const all = { ...credentials, apiKey: 'key' }
const expected = {
  providers: [
    { id: 'idp', type: 'oidc', ...credentials },
    { id: 'idp', type: 'oauth', ...credentials, clientId: 'own' },
    { id: 'idp', type: 'oidc', ...credentials, clientId: '' },
    { id: 'idp', type: 'oidc', ...credentials, options: { clientId: 'own' } },
    { id: 'idp', type: 'email', apiKey: 'key' },
    { id: 'idp', type: 'email', apiKey: 'key', options: { apiKey: 'own' } },
    { id: 'idp', type: 'credentials' },
    { id: 'idp', type: 'webauthn' },
    { id: 'idp', name: 'Idp', type: 'oidc', ...credentials, options: all },
    { id: 'idp', name: 'Idp', type: 'email', apiKey: 'key', options: all },
    { id: 'idp', name: 'Idp', type: 'credentials', options: all },
  ],
  seen: [{}, all, {}, all, {}, all],
}

describe('setEnvDefaults', () => {
  it('SEA-007 sets credentials on the provider, and passes them to factories', () => {
    expect(fill(ours)).toEqual(expected)
  })

  it.skipIf(!hasPeer)('behaves as the published library does', async () => {
    expect(fill(await openPeer()())).toEqual(expected)
  })

  it('SEA-007 reads the variables of a preset by its configured id, or else by its own', () => {
    const fillGitHub = (variables: object) => {
      const config: { providers: object[] } = { providers: [GitHub({ id: 'work' })] }
      ours.setEnvDefaults({ ...environment, ...variables }, config)
      return config.providers[0]
    }
    expect(fillGitHub({ AUTH_GITHUB_ID: 'github' })).toMatchObject({ clientId: 'github' })
    expect(fillGitHub({ AUTH_GITHUB_ID: 'github', AUTH_WORK_ID: 'work' })).toMatchObject({ clientId: 'work' })
  })
})
