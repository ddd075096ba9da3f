import fc from 'fast-check'
import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { spread } from '../support/spread.ts'
import { admitted, createStage, ending, issuer, resolve, type Stage, signIn } from './stage.ts'

const methods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'] as const
const pair = await generateKeyPair('ES256')
const publicJwk = { ...(await exportJWK(pair.publicKey)), alg: 'ES256' }

function stageFor(method: string | undefined, provider: Record<string, unknown> = {}): Stage {
  const isKnown = (name: string | undefined): name is (typeof methods)[number] =>
    methods.some((each) => each === name)
  const registered = isKnown(method) ? { method } : {}
  const client = method === undefined ? {} : { token_endpoint_auth_method: method }
  return createStage({ client: registered, provider: { client, ...provider } })
}

const sent = ({ idp }: Stage) => idp.requestsTo('token')[0]

describe('client authentication', () => {
  it.each(methods)('WIR-038 PRV-013 works with %s', async (method) => {
    expect(ending(await signIn(stageFor(method)))).toBe('admitted')
  })

  it('WIR-038 PRV-012 is basic by default, which keeps the client out of the body', async () => {
    const stage = stageFor(undefined)
    admitted(await signIn(stage))
    expect(sent(stage)?.headers.get('authorization')).toBe(
      `Basic ${btoa('client-1:canary+client+secret+(~!*)')}`,
    )
    expect([...(sent(stage)?.parameters.keys() ?? [])]).toEqual([
      'redirect_uri',
      'code',
      'code_verifier',
      'grant_type',
    ])
  })

  it('WIR-038 encodes any id and secret with basic', async () => {
    const cases = spread('ids and secrets')
    const text = fc.string({ minLength: 1, unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(text, text, async (id, secret) => {
        const stage = createStage({
          client: { id, secret },
          provider: { clientId: id, clientSecret: secret },
        })
        expect(ending(await signIn(stage))).toBe('admitted')
        cases.count(/^[\w.~-]*$/.test(`${id}${secret}`) ? 'of plain characters' : 'to be encoded')
      }),
      {
        numRuns: 50,
        examples: [
          ["a:b !'()*~+%", 'ä:+ %20&="\\'],
          [' ', ':'],
        ],
      },
    )
    cases.report()
    cases.atLeast('to be encoded', 20)
  })

  it('WIR-038 signs with the private key for issuer and endpoint with private_key_jwt', async () => {
    for (const clientPrivateKey of [pair.privateKey, { key: pair.privateKey, kid: 'k1' }]) {
      const stage = createStage({
        client: { method: 'private_key_jwt', publicJwk },
        provider: { token: { clientPrivateKey }, client: { token_endpoint_auth_method: 'private_key_jwt' } },
      })
      admitted(await signIn(stage))
      const assertion = sent(stage)?.parameters.get('client_assertion') ?? ''
      const now = stage.context.platform.now() / 1000
      expect(decodeJwt(assertion)).toMatchObject({
        aud: [issuer, `${issuer}/token`],
        iat: now,
        exp: now + 60,
      })
      expect(sent(stage)?.headers.has('authorization')).toBe(false)
    }
  })

  it('WIR-038 dates no assertion in the future while a clock of the configuration stands still', async () => {
    let time = Date.now()
    const systemClock = vi.spyOn(Date, 'now').mockImplementation(() => (time += 1000))
    try {
      admitted(await signIn(stageFor('client_secret_jwt')))
    } finally {
      systemClock.mockRestore()
    }
  })

  it('WIR-038 uses the token endpoint as audience of assertions if there is no issuer', async () => {
    const stage = createStage({
      client: { method: 'client_secret_jwt' },
      idp: { metadata: { authorization_response_iss_parameter_supported: false } },
      provider: {
        type: 'oauth',
        issuer: undefined,
        authorization: `${issuer}/authorize?scope=email`,
        token: `${issuer}/token`,
        userinfo: `${issuer}/userinfo`,
        client: { token_endpoint_auth_method: 'client_secret_jwt' },
      },
    })
    admitted(await signIn(stage))
    expect(decodeJwt(sent(stage)?.parameters.get('client_assertion') ?? '').aud).toBe(`${issuer}/token`)
  })

  it.each([
    [
      { token_endpoint_auth_method: 'client_secret_bsic' },
      /must be one of .*client_secret_post.*got "client_secret_bsic"$/,
    ],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, /For mutual TLS, set "none", and a `customFetch`/],
    [{ token_endpoint_auth_method: 'toString' }, /got "toString"/],
    [{ token_endpoint_auth_method: ['none'] }, /got an array/],
    [{ id_token_signed_response_alg: 'HS512' }, /must be one of RS256, .*HS256, got "HS512"/],
    [{ id_token_signed_response_alg: 'none' }, /got "none"/],
    [{ id_token_encrypted_response_alg: 'RSA-OAEP' }, /is not supported\. Remove it/],
  ])('OI-31 is refused in the configuration if it cannot work: %j', (client, message) => {
    expect(() => resolve({ client })).toThrow(message)
  })

  it.each([
    [
      { authorization: { params: { scope: ['openid', 'email'] } } },
      /parameter `scope`.* must be a string, got an array/,
    ],
    [{ authorization: { params: { response_mode: 'fragment' } } }, /`response_mode`.* got "fragment"/],
    [{ checks: 'pkce' }, /`checks`.* must be an array/],
    [{ tenants: 'one' }, /`tenants`.* must be an array/],
  ])('OI-31 one value and a list are told apart: %j', (options, message) => {
    expect(() => resolve(options)).toThrow(message)
  })

  it('WIR-038 is a configuration error without secret or key', async () => {
    for (const stage of [
      stageFor('client_secret_basic', { clientSecret: undefined }),
      stageFor('client_secret_post', { clientSecret: '' }),
      stageFor('private_key_jwt'),
      stageFor('private_key_jwt', { token: { clientPrivateKey: pair.publicKey } }),
      stageFor('private_key_jwt', { token: { clientPrivateKey: 'pem' } }),
    ]) {
      expect(ending(await signIn(stage))).toBe('exchange: misconfigured')
      expect(stage.idp.requestsTo('token')).toEqual([])
    }
  })

  it('DEC-10b passes other client metadata to oauth4webapi', async () => {
    const client = { default_max_age: 60 }
    expect(ending(await signIn(createStage({ provider: { client } })))).toBe('exchange: claims.invalid')
    const authTime = (age: number) => ({
      users: [{ sub: 'ann', claims: { auth_time: Date.UTC(2030, 0, 1) / 1000 - age } }],
    })
    expect(ending(await signIn(createStage({ idp: authTime(60), provider: { client } })))).toBe('admitted')
    expect(ending(await signIn(createStage({ idp: authTime(100), provider: { client } })))).toBe(
      'exchange: claims.invalid',
    )
  })
})
