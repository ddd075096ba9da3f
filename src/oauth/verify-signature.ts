import type { AuthorizationServer } from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { loadJose } from '../crypto/load-jose.ts'
import type { OAuthContext } from './context.ts'
import { discoverServer } from './discover-server.ts'
import { failFrom } from './explain.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { findKey } from './json-web-keys.ts'
import type { TokenSet } from '../types/records.ts'

/** Only the issuer can make these signatures (RFC 8725 3.1). */
const asymmetric = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

/**
 * Verifies the signature of the id_token among tokens whose claims were judged (OpenID Connect Core 3.1.3.7).
 *
 * @returns `verified: false` when there is no id_token
 */
export async function verifyIdToken(
  provider: OAuthSettings,
  server: AuthorizationServer,
  tokens: TokenSet,
  context: OAuthContext,
): Promise<{ readonly verified: boolean } | Failed> {
  if (tokens.id_token === undefined) return { verified: false }
  const declared = provider.client.id_token_signed_response_alg
  const failed = await verifySignature(tokens.id_token, declared, provider, server, context)
  return failed ?? { verified: true }
}

/**
 * Verifies what the issuer signed, by the keys that the configuration or the metadata names. Asymmetric algorithms only,
 * but HS256 with the client's secret where the provider declares just that (decision 9).
 *
 * @param declared the algorithm of the client's registration
 */
export async function verifySignature(
  jwt: string,
  declared: string | undefined,
  provider: OAuthSettings,
  server: AuthorizationServer,
  context: OAuthContext,
): Promise<Failed | undefined> {
  try {
    const jose = await loadJose()
    if (declared === 'HS256') {
      if (!provider.clientSecret)
        return fail(
          'misconfigured',
          `Provider "${provider.id}": expected a clientSecret, which HS256 is keyed with`,
        )
      await jose.compactVerify(jwt, new TextEncoder().encode(provider.clientSecret), {
        algorithms: ['HS256'],
      })
      return undefined
    }
    const uri = await findKeysUri(provider, server, context)
    if (typeof uri !== 'string') return uri
    await jose.compactVerify(jwt, findKey(uri, provider, context), { algorithms: asymmetric })
    return undefined
  } catch (error) {
    return failFrom(error, 'signature-invalid', `Provider "${provider.id}": the signature does not stand`)
  }
}

/** Where the issuer's keys are; a server known from the configuration alone is discovered for them. */
async function findKeysUri(
  provider: OAuthSettings,
  server: AuthorizationServer,
  context: OAuthContext,
): Promise<string | Failed> {
  if (server.jwks_uri !== undefined) return server.jwks_uri
  const answer = await discoverServer(provider, 'jwks', context)
  if (hasFailed(answer)) return answer
  return answer.server.jwks_uri ?? fail('misconfigured', `Provider "${provider.id}": expected a jwks_uri`)
}
