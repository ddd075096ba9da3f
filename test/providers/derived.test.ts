import { describe, expect, it } from 'vitest'
import { findLack } from '../../src/config/resolve-oauth.ts'
import { resolveProvider } from '../../src/config/resolve-provider.ts'
import { setEnvDefaults } from '../../src/config/set-env-defaults.ts'
import type { OAuthSettings } from '../../src/config/settings.ts'
import { encodePath, repairTokens } from '../../src/provider-base/base.ts'
import Asgardeo from '../../src/providers/asgardeo.ts'
import Auth0 from '../../src/providers/auth0.ts'
import Descope from '../../src/providers/descope.ts'
import FusionAuth from '../../src/providers/fusionauth.ts'
import GitLab from '../../src/providers/gitlab.ts'
import Mastodon from '../../src/providers/mastodon.ts'
import NetSuite from '../../src/providers/netsuite.ts'
import TikTok from '../../src/providers/tiktok.ts'
import WorkOS from '../../src/providers/workos.ts'
import type { Provider } from '../../src/types/provider.ts'
import { ending, signIn } from '../oauth/stage.ts'
import { answers } from './answers.ts'
import { catalogue } from './catalogue.ts'
import { issuer, stageOf } from './catalogue-stage.ts'

function resolve(provider: Provider): OAuthSettings {
  const settings = resolveProvider(provider, undefined)
  if (settings.kind !== 'oauth') throw new Error('expected an OAuth provider')
  return settings
}

/** Resolves a provider with environment variables. The provider is a factory or the result of one. */
function inEnvironment(environment: Record<string, string>, provider: Provider): OAuthSettings {
  const config = { providers: [provider] }
  setEnvDefaults(environment, config)
  const [found = provider] = config.providers
  return resolve(found)
}

describe('the derived options of a preset', () => {
  it('DEC-04d come from variables too, whether the preset was called or not', () => {
    const environment = { AUTH_MASTODON_ISSUER: 'https://mastodon.example/' }
    for (const provider of [Mastodon, Mastodon({ clientId: 'c' })]) {
      const { authorization, token } = inEnvironment(environment, provider)
      expect(authorization).toEqual({
        url: 'https://mastodon.example/oauth/authorize',
        params: { scope: 'read' },
      })
      expect(token.url).toBe('https://mastodon.example/oauth/token')
    }
    const { authorization } = inEnvironment({ AUTH_TIKTOK_ID: 'key' }, TikTok({}))
    expect(authorization.params.client_key).toBe('key')
    const { issuer: project } = inEnvironment({ AUTH_DESCOPE_ID: 'P2' }, Descope({}))
    expect(project).toBe('https://api.descope.com/P2')
  })

  it("PRV-025 are overridden by the user's options", () => {
    const own = {
      authorization: { params: { scope: 'read:accounts' } },
      token: 'https://proxy.example/token',
    }
    const { authorization, token, userinfo } = resolve(Mastodon({ issuer, ...own }))
    expect(authorization).toEqual({
      url: `${issuer}/oauth/authorize`,
      params: { scope: 'read:accounts' },
    })
    expect(token.url).toBe('https://proxy.example/token')
    expect(userinfo.url).toBe(`${issuer}/api/v1/accounts/verify_credentials`)
  })

  it('PRV-010 name a missing issuer in the error', () => {
    const lackOf = (provider: Provider) => findLack(resolve(provider))?.error.message
    expect(lackOf(Mastodon({ clientId: 'c' }))).toMatch(/"mastodon" has neither an issuer/)
    expect(lackOf(NetSuite({ clientId: 'c' }))).toMatch(/"netsuite" has neither an issuer/)
    expect(lackOf({ id: 'my-demo', name: 'Demo', type: 'oidc', clientId: 'c' })).toBe(
      'Provider "my-demo" has neither an issuer nor an `authorization` endpoint, so the site does not offer it. ' +
        'Set the environment variable `AUTH_MY_DEMO_ISSUER`, `issuer` or `authorization`',
    )
  })

  it('PRV-008 PRV-010 use the issuer that the server names, whichever spelling is configured', () => {
    for (const spelling of [issuer, `${issuer}/`, `${issuer}/oauth2/token`]) {
      const { wellKnown, preset } = resolve(Asgardeo({ issuer: spelling }))
      expect(wellKnown).toBe(`${issuer}/oauth2/token/.well-known/openid-configuration`)
      expect(preset.issuerTemplate).toBe(`${issuer}/oauth2/token`)
    }
    expect(resolve(Auth0({ issuer })).preset.issuerTemplate).toBe(`${issuer}/`)
  })

  it('OI-01 have one issuer: tokens of another are rejected', async () => {
    const fact = catalogue.find(({ module }) => module === 'auth0')
    if (fact === undefined) throw new Error('auth0 is not in the catalogue')
    const stage = await stageOf(fact, undefined, { issuer: 'https://other.example' })
    const impostor = await stageOf(fact)
    const result = await signIn({ ...stage, context: impostor.context, idp: impostor.idp })
    expect(ending(result)).toBe('discovery: discovery-refused')
  })
})

describe('options', () => {
  it('PRV-025 GitLab accepts another server', () => {
    const {
      authorization,
      userinfo,
      issuer: root,
    } = resolve(GitLab({ baseUrl: new URL('https://git.example/') }))
    expect(authorization.url).toBe('https://git.example/oauth/authorize')
    expect(userinfo.url).toBe('https://git.example/api/v4/user')
    expect(root).toBe('https://git.example')
  })

  it('PRV-025 WorkOS accepts a connection, and has a default issuer', () => {
    const { authorization, token } = resolve(WorkOS({ connection: 'conn_1' }))
    expect(authorization).toEqual({
      url: 'https://api.workos.com/sso/authorize',
      params: { connection: 'conn_1' },
    })
    expect(token.url).toBe('https://api.workos.com/sso/token')
  })

  it('PRV-008 FusionAuth accepts a tenant, whose metadata is read', () => {
    const { wellKnown } = resolve(FusionAuth({ issuer, tenantId: 't 1' }))
    expect(wellKnown).toBe(`${issuer}/.well-known/openid-configuration?tenantId=t+1`)
  })

  it('PRV-008 NetSuite without a RESTlet uses the userinfo endpoint of the account’s metadata', () => {
    const { authorization, wellKnown } = resolve(NetSuite({ accountID: '1234567_SB1' }))
    const api = 'https://1234567-sb1.suitetalk.api.netsuite.com'
    expect(wellKnown).toBe(`${api}/.well-known/openid-configuration`)
    expect(authorization.params).toEqual({ scope: 'openid email profile' })
  })
})

describe('normalised tokens', () => {
  const normalise = async (response: Response) => (await repairTokens(response))?.json() as unknown

  it('PRV-006 have type bearer and scopes as text, without null members', async () => {
    const odd = { access_token: 'AT', token_type: 'jwt-bearer', scope: ['a', 'b'], refresh_token: null }
    expect(await normalise(Response.json(odd, { status: 201 }))).toEqual({
      access_token: 'AT',
      token_type: 'bearer',
      scope: 'a b',
    })
    expect(await normalise(Response.json(answers.mailchimp?.tokens))).toEqual({
      access_token: 'AT',
      token_type: 'bearer',
      expires_in: 0,
    })
  })

  it('OI-14 are not derived from an error or a non-object', async () => {
    for (const response of [
      Response.json({ error: 'invalid_grant', access_token: 'AT' }),
      Response.json({ access_token: 'AT' }, { status: 400 }),
      Response.json('AT'),
      Response.json(null),
      new Response('<html>'),
    ])
      expect(await normalise(response)).toBeUndefined()
  })
})

it('PRV-007 encode any text as one path segment', () => {
  expect(encodePath('a/b ?#')).toBe('a%2Fb%20%3F%23')
  expect(encodePath('\ud800')).toBe('%EF%BF%BD')
})
