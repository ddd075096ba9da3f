import { describe, expect, it } from 'vitest'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { createStage, ending, issuer, redirectUri, signIn } from './stage.ts'

/** A mock that accepts anything would prove nothing. */
describe('the mock identity provider', () => {
  const basic = { authorization: `Basic ${btoa('client-1:s')}` }
  const query = new URLSearchParams({
    client_id: 'client-1',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'x&"<y',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

  function open() {
    const idp = createIdp({
      issuer,
      clients: [{ id: 'client-1', secret: 's', redirectUris: [redirectUri] }],
      users: [{ sub: 'ann' }, { sub: 'bob' }],
    })
    const exchange = async (changes: Record<string, string>, headers: Record<string, string> = basic) => {
      const body = {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...changes,
      }
      const response = await idp.fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams(body),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
      return [response.status, ((await response.json()) as { error?: string }).error]
    }
    const code = async () =>
      (await idp.authorize(`${issuer}/authorize?${query}`)).parameters.get('code') ?? ''
    return { idp, exchange, code }
  }

  it('accepts a code once', async () => {
    const { exchange, code } = open()
    const issued = await code()
    expect(await exchange({ code: issued })).toEqual([200, undefined])
    expect(await exchange({ code: issued })).toEqual([400, 'invalid_grant'])
  })

  it('rejects a code with another verifier, redirect URI or grant type, and one that it did not issue', async () => {
    const { exchange, code } = open()
    const changes: readonly Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { redirect_uri: `${redirectUri}/` },
      { grant_type: 'password' },
      { code: 'other' },
    ]
    for (const change of changes)
      expect(await exchange({ code: await code(), ...change })).toEqual([400, 'invalid_grant'])
  })

  it('rejects a client with another secret or authentication method', async () => {
    const { exchange, code } = open()
    expect(await exchange({ code: await code() }, { authorization: `Basic ${btoa('client-1:t')}` })).toEqual([
      401,
      'invalid_client',
    ])
    expect(await exchange({ code: await code(), client_id: 'client-1', client_secret: 's' }, {})).toEqual([
      401,
      'invalid_client',
    ])
  })

  it('does not redirect to an unregistered redirect URI', async () => {
    const { idp } = open()
    const other = new URLSearchParams(query)
    other.set('redirect_uri', 'https://evil.example/')
    await expect(idp.authorize(`${issuer}/authorize?${other}`)).rejects.toThrow('refused')
  })

  it('posts a form on request, with every field unchanged', async () => {
    const { idp } = open()
    const posted = await idp.authorize(`${issuer}/authorize?${query}&response_mode=form_post`)
    expect(posted).toMatchObject({ mode: 'form_post', redirectUri })
    expect(posted.parameters.get('state')).toBe('x&"<y')
  })

  it('lets the chosen user consent, and rejects userinfo without a token', async () => {
    const stage = createStage()
    stage.idp.choose('bob')
    const result = await signIn(stage)
    expect(ending(result)).toBe('admitted')
    expect(result).toMatchObject({ profile: { sub: 'bob' } })
    expect((await stage.idp.fetch(`${issuer}/userinfo`)).status).toBe(401)
  })

  it('rejects other origins, and follows redirects by default', async () => {
    const { idp } = open()
    await expect(idp.fetch('https://elsewhere.example/')).rejects.toThrow('fetch failed')
    idp.misbehave('token:302')
    expect((await idp.fetch(`${issuer}/token`, { redirect: 'manual' })).status).toBe(302)
    expect((await idp.fetch(`${issuer}/token`)).status).toBe(404)
  })
})
