import { describe, expect, it } from 'vitest'
import { verifySignature } from '../../src/oauth/id-token.ts'
import { customFetch } from '../../src/types/symbols.ts'
import type { Fault } from '../../fuzz/world/idp/faults.ts'
import { loadKeys } from '../../fuzz/world/idp/keys.ts'
import { signToken } from '../../fuzz/world/idp/sign-token.ts'
import { expectNoSecrets } from './expect-no-secrets.ts'
import { admitted, createStage, ending, issuer, redirectUri, type Stage, signIn } from './stage.ts'

/** How a sign-in ends under a fault. Checks that its failure leaks nothing and leaves no timer. */
async function endingUnder(fault: Fault, stage: Stage = createStage()): Promise<string> {
  stage.idp.misbehave(fault)
  const result = await signIn(stage)
  expectNoSecrets(stage, result)
  expect(stage.context.platform.timers()).toEqual([])
  return ending(result)
}

describe('a sign-in at a well-behaved provider', () => {
  it('PRV-010 REC-002 REC-003 REC-006 signs in the account that the id_token names', async () => {
    const { mapped, profile } = admitted(await signIn(createStage()))
    expect(profile).toMatchObject({ sub: 'ann', name: 'Ann' })
    expect(mapped.account).toMatchObject({ provider: 'idp', type: 'oidc', providerAccountId: 'ann' })
    expect(mapped.candidate).toMatchObject({ name: 'Ann', email: 'ann@example.com' })
  })

  it('TX-08 sends the S256 challenge of a fresh 256-bit verifier, and the verifier to the token endpoint only', async () => {
    const stage = createStage()
    const first = admitted(await signIn(stage))
    const second = admitted(await signIn(stage))
    expect(first.checks.codeVerifier).toMatch(/^[\w-]{43}$/)
    expect(second.checks.codeVerifier).not.toBe(first.checks.codeVerifier)
    expect(first.url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(first.url.href).not.toContain(first.checks.codeVerifier)
    const sent = stage.idp.requestsTo('token').map(({ parameters }) => parameters.get('code_verifier'))
    expect(sent).toEqual([first.checks.codeVerifier, second.checks.codeVerifier])
  })

  it('TX-08 is rejected with the verifier of another transaction', async () => {
    const other = 'd'.repeat(43)
    const result = await signIn(createStage(), { hold: (checks) => ({ ...checks, codeVerifier: other }) })
    expect(ending(result)).toBe('exchange: code.refused')
  })

  it('TX-10 is rejected with a code of another transaction, even at a provider that ignores PKCE', async () => {
    for (const enforcesPkce of [true, false]) {
      const stage = createStage({ idp: { enforcesPkce } })
      let stolen: string | null = null
      await signIn(stage, {
        bring(sent) {
          stolen = sent.get('code')
          return new URLSearchParams({ error: 'access_denied' })
        },
      })
      const result = await signIn(stage, {
        bring: (sent) => {
          sent.set('code', stolen ?? '')
          return sent
        },
      })
      expect(ending(result)).toBe(enforcesPkce ? 'exchange: code.refused' : 'exchange: claims.invalid')
    }
  })

  it('TX-14 sends the token endpoint the redirect_uri of the authorization request', async () => {
    const stage = createStage()
    const { url } = admitted(await signIn(stage))
    expect(url.searchParams.get('redirect_uri')).toBe(redirectUri)
    expect(stage.idp.requestsTo('token')[0]?.parameters.get('redirect_uri')).toBe(redirectUri)
  })

  it('WIR-032 requests openid, profile and email', async () => {
    const { url } = admitted(await signIn(createStage()))
    expect(url.searchParams.get('scope')).toBe('openid profile email')
  })

  it('DEC-09a accepts ES256 from the same key set', async () => {
    expect(ending(await signIn(createStage({ idp: { alg: 'ES256' } })))).toBe('admitted')
  })

  it('DEC-10f works for an oauth provider with only an issuer', async () => {
    const stage = createStage({ provider: { type: 'oauth', authorization: { params: { scope: 'email' } } } })
    const { mapped, tokens } = admitted(await signIn(stage))
    expect(tokens.id_token).toBeUndefined()
    expect(mapped.account).toMatchObject({ type: 'oauth', providerAccountId: 'ann' })
  })

  it('PRV-026 PRV-027 sends every request through the custom fetch', async () => {
    const asked: string[] = []
    const silent = createStage({
      fetch: () => () => Promise.reject(new Error("the platform's fetch was called")),
    })
    const custom: typeof fetch = (input, init) => {
      asked.push(`${init?.method ?? 'GET'} ${input instanceof Request ? input.url : input.toString()}`)
      return silent.idp.fetch(input, init)
    }
    const stage = createStage({ provider: { [customFetch]: custom, idToken: false } })
    const result = await signIn({ ...silent, provider: stage.provider })
    expect(ending(result)).toBe('admitted')
    expect(asked).toEqual([
      `GET ${issuer}/.well-known/openid-configuration`,
      `POST ${issuer}/token`,
      `GET ${issuer}/jwks`,
      `GET ${issuer}/userinfo`,
    ])
  })
})

describe('the claims of an id_token', () => {
  it.each([
    'issuer-wrong',
    'issuer-with-slash',
    'issuer-in-capitals',
    'issuer-prefix',
    'issuer-missing',
  ] as const)('OI-01 are rejected with %s', async (fault) => {
    expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
  })

  it.each([
    'audience-wrong',
    'audience-missing',
    'audience-extra',
    'audience-extra-azp-wrong',
    'azp-wrong',
  ] as const)('OI-02 are rejected with %s', async (fault) => {
    expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
  })

  it('OI-02 may have a further audience if the client is the authorized party', async () => {
    expect(await endingUnder('audience-extra-azp-ours')).toBe('admitted')
  })

  it.each(['expired', 'exp-missing', 'exp-text', 'nbf-future', 'iat-future', 'iat-missing'] as const)(
    'OI-03 are rejected with %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
    },
  )

  it.each(['expired-within-tolerance', 'iat-within-tolerance'] as const)(
    'OI-03 are accepted with %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('admitted')
    },
  )

  it.each(['nonce-wrong', 'nonce-missing'] as const)('OI-04 are rejected with %s', async (fault) => {
    expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
  })

  it('OI-04 are rejected with an unrequested nonce', async () => {
    const stage = createStage({ provider: { checks: ['pkce'] } })
    expect(await endingUnder('nonce-unasked', stage)).toBe('exchange: claims.invalid')
    expect(ending(await signIn(createStage({ provider: { checks: ['pkce'] } })))).toBe('admitted')
  })

  it('OI-04 are rejected with the nonce of an earlier transaction', async () => {
    const stage = createStage()
    const earlier = admitted(await signIn(stage)).checks.nonce
    const result = await signIn(stage, { hold: (checks) => ({ ...checks, nonce: earlier }) })
    expect(ending(result)).toBe('exchange: claims.invalid')
  })

  it.each(['sub-missing', 'sub-empty', 'sub-long', 'sub-number', 'sub-not-ascii', 'sub-control'] as const)(
    'OI-05 are rejected with %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
    },
  )

  it('OI-05 may have a subject of the maximum length', async () => {
    expect(await endingUnder('sub-longest')).toBe('admitted')
  })

  it.each(['at-hash-wrong', 'at-hash-number', 'c-hash-wrong'] as const)(
    'OI-08 are rejected with %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
    },
  )

  it('OI-01 are logged with the expected and the actual issuer', async () => {
    const stage = createStage({ idp: { misbehave: ['issuer-wrong'] } })
    const result = await signIn(stage)
    expect(result.stop === undefined ? '' : result.failed.error.message).toContain(
      `expected "${issuer}", got "https://evil.example"`,
    )
  })
})

describe('the signature of an id_token', () => {
  const permissive = { id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none', 'XS256'] }

  it.each(['signature-flipped', 'signature-missing', 'signature-foreign'] as const)(
    'OI-07 DEC-09a is rejected with %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('signature: signature-invalid')
    },
  )

  it.each(['alg-none', 'alg-hs256-public-key', 'alg-hs256-secret', 'alg-unknown', 'alg-missing'] as const)(
    'OI-06 is rejected: %s',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('exchange: claims.invalid')
    },
  )

  it.each(['alg-none', 'alg-hs256-public-key', 'alg-hs256-secret', 'alg-unknown', 'alg-swapped'] as const)(
    'OI-06 DEC-09c is rejected at a provider that claims to support everything: %s',
    async (fault) => {
      const stage = createStage({ idp: { metadata: permissive } })
      expect(await endingUnder(fault, stage)).toMatch(/-invalid$/)
    },
  )

  it('DEC-09c may be HS256 with the client secret if the provider declares it, without fetching keys', async () => {
    const client = { id_token_signed_response_alg: 'HS256' }
    const stage = createStage({ idp: { alg: 'HS256' }, provider: { client } })
    expect(ending(await signIn(stage))).toBe('admitted')
    expect(stage.idp.requestsTo('jwks')).toEqual([])
  })

  it('DEC-09c OI-06 must be HS256 when the secret is the key', async () => {
    const provider = { client: { id_token_signed_response_alg: 'HS256' } }
    expect(await endingUnder('alg-hs256-public-key', createStage({ provider }))).toBe(
      'signature: signature-invalid',
    )
    expect(ending(await signIn(createStage({ provider })))).toBe('exchange: claims.invalid')
  })

  it('OI-06 is rejected if the provider signed it with the key for an algorithm that was not agreed on', async () => {
    const registered = { provider: { client: { id_token_signed_response_alg: 'RS256' } } }
    const listed = { idp: { metadata: { id_token_signing_alg_values_supported: ['RS256'] } } }
    for (const options of [registered, listed])
      expect(await endingUnder('alg-unregistered', createStage(options))).toBe('exchange: claims.invalid')
    expect(await endingUnder('alg-unregistered', createStage())).toBe('admitted')
  })

  it('DEC-09c cannot be HS256 without a secret', async () => {
    const client = { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'none' }
    const options = { idp: { alg: 'HS256' }, client: { method: 'none' } } as const
    const stage = createStage({ ...options, provider: { clientSecret: undefined, client } })
    expect(ending(await signIn(stage))).toBe('signature: misconfigured')
  })

  it('OI-09 is rejected with a crit header', async () => {
    expect(await endingUnder('crit-header')).toBe('exchange: claims.invalid')
  })

  it('OI-09 is rejected with a crit header even if the claims were not checked before', async () => {
    const { idp, provider, context } = createStage()
    const { rsa } = (await loadKeys()).first
    const idToken = await signToken({ sub: 'ann' }, rsa, '', new Set(['crit-header']))
    const server = { issuer: idp.issuer, jwks_uri: `${idp.issuer}/jwks` }
    expect(await verifySignature(idToken, undefined, provider, server, context)).toMatchObject({
      failed: { reason: 'signature-invalid' },
    })
  })

  it.each(['jwk-header', 'jku-header', 'x5c-header'] as const)(
    'OI-10 does not use or fetch a key from a %s',
    async (fault) => {
      const stage = createStage()
      expect(await endingUnder(fault, stage)).toBe('signature: signature-invalid')
      expect(stage.idp.log.map(({ endpoint }) => endpoint)).not.toContain('unknown')
    },
  )
})

describe('the token response', () => {
  it.each([
    ['token-type-missing', 'tokens.malformed'],
    ['token-type-mac', 'tokens.malformed'],
    ['token-type-dpop', 'tokens.malformed'],
    ['access-token-missing', 'tokens.malformed'],
    ['access-token-empty', 'tokens.malformed'],
    ['access-token-number', 'tokens.malformed'],
    ['error-with-200', 'code.refused'],
    ['error-beside-tokens', 'code.refused'],
  ] as const)('OI-14 is rejected with %s: %s', async (fault, reason) => {
    expect(await endingUnder(fault)).toBe(`exchange: ${reason}`)
  })

  it.each(['id-token-missing', 'id-token-number', 'id-token-garbage'] as const)(
    'PRV-031 is rejected with %s, also with idToken: false',
    async (fault) => {
      expect(await endingUnder(fault)).toMatch(/^exchange: /)
      const provider = { idToken: false, checks: ['pkce'] }
      expect(await endingUnder(fault, createStage({ provider }))).toMatch(/^exchange: /)
    },
  )

  it('OI-23 REC-012 has its token_type in lower case', async () => {
    const stage = createStage({ idp: { misbehave: ['token-type-capitals'] } })
    expect(admitted(await signIn(stage)).tokens.token_type).toBe('bearer')
  })

  it('REC-010 REC-011 keeps expires_in, and adds the second at which the access token expires', async () => {
    const stage = createStage()
    stage.context.platform.advance(999)
    const { tokens } = admitted(await signIn(stage))
    expect(tokens.expires_in).toBe(3600)
    expect(tokens.expires_at).toBe(Date.UTC(2030, 0, 1, 1) / 1000)
  })
})

describe('the authorization response', () => {
  const withState = () => createStage({ provider: { checks: ['pkce', 'state', 'nonce'] } })

  it.each(['state-wrong', 'state-missing', 'state-empty'] as const)(
    'TX-02 is rejected with %s, before any token request',
    async (fault) => {
      const stage = withState()
      expect(await endingUnder(fault, stage)).toBe('response: state.mismatched')
      expect(stage.idp.requestsTo('token')).toEqual([])
    },
  )

  it('TX-02 is rejected with a state that differs in case or is truncated', async () => {
    const changes = [
      (s: string) => s.slice(0, -1),
      (s: string) => `${s}A`,
      (s: string) => encodeURIComponent(`%${s}`),
    ]
    for (const change of [...changes, swapCase]) {
      const stage = withState()
      const bring = (sent: URLSearchParams) => {
        sent.set('state', change(sent.get('state') ?? ''))
        return sent
      }
      expect(ending(await signIn(stage, { bring }))).toBe('response: state.mismatched')
    }
  })

  it.each(['iss-wrong', 'iss-empty', 'iss-missing'] as const)(
    'TX-06 is rejected with %s if the provider announces an iss',
    async (fault) => {
      expect(await endingUnder(fault)).toBe('response: issuer.mismatched')
    },
  )

  it.each(['iss-wrong', 'iss-empty'] as const)(
    'TX-06 is rejected with %s if the provider does not announce an iss',
    async (fault) => {
      const metadata = { authorization_response_iss_parameter_supported: undefined }
      expect(await endingUnder(fault, createStage({ idp: { metadata } }))).toBe('response: issuer.mismatched')
    },
  )

  it('TX-06 is accepted without iss if the provider does not announce one', async () => {
    const stage = createStage({
      idp: { metadata: { authorization_response_iss_parameter_supported: false } },
    })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it.each(['state-twice', 'code-twice', 'iss-twice', 'error-twice'] as const)(
    'TX-12 DEC-08 is rejected with %s',
    async (fault) => {
      const stage = withState()
      expect(await endingUnder(fault, stage)).toBe('response: response.malformed')
      const result = await signIn(stage)
      const { message } = result.stop === undefined ? new Error('admitted') : result.failed.error
      expect(message).toContain('duplicate parameters')
    },
  )

  it.each(['jarm', 'implicit', 'code-missing', 'code-empty'] as const)(
    'OI-20 is rejected as %s',
    async (fault) => {
      const stage = createStage()
      expect(await endingUnder(fault, stage)).toBe('response: response.malformed')
      expect(stage.idp.requestsTo('token')).toEqual([])
    },
  )

  it('TX-11 reports the provider’s error by its registered code', async () => {
    const stage = withState()
    stage.idp.misbehave('access-denied')
    const result = await signIn(stage)
    expectNoSecrets(stage, result)
    expect(result).toMatchObject({
      stop: 'response',
      failed: { reason: 'authorization.declined', code: 'access_denied' },
    })
  })

  it('TX-11 does not repeat an unregistered code', async () => {
    const stage = withState()
    stage.idp.misbehave('error-of-its-own')
    const result = await signIn(stage)
    expectNoSecrets(stage, result)
    expect(result).toMatchObject({ failed: { reason: 'authorization.declined', code: 'other' } })
  })

  it('TX-11 is not an error of this transaction without its state', async () => {
    const stage = withState()
    stage.idp.misbehave('access-denied', 'state-wrong')
    expect(ending(await signIn(stage))).toBe('response: state.mismatched')
  })

  it('TX-07 sends code, secret and verifier to the token endpoint of the requested issuer', async () => {
    const stage = createStage()
    await signIn(stage)
    const holders = stage.idp.log.filter(
      ({ parameters }) => parameters.has('code') || parameters.has('code_verifier'),
    )
    expect(holders.map(({ endpoint }) => endpoint)).toEqual(['token'])
  })
})

function swapCase(text: string): string {
  return text.replace(/[a-z]/i, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
}
