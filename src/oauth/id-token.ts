import type { JSONWebKeySet, JWTVerifyGetKey, LocalJWKSet } from 'jose'
import { decode } from 'jose/base64url'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JWKSNoMatchingKey } from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import type { AuthorizationServer, IDToken } from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { loadJose } from '../crypto/load-jose.ts'
import { findExcess } from '../http/limits.ts'
import { clockTolerance, seconds } from './client.ts'
import type { OAuthContext } from './context.ts'
import { discoverServer, unknownIssuer } from './discover-server.ts'
import { fail, type Failed, hasFailed, show } from './failure.ts'
import { jsonLimits, outboundFetch, readJson, UnusableAnswer } from './outbound-fetch.ts'
import { cacheByFetch } from './provider-cache.ts'
import { failFrom } from './provider-error.ts'

/** Maximum characters of a JWT. Those of large organisations, with all groups of a user, have a third of it. */
export const longestJwt = 64 * 1024

/** The placeholder for the tenant in a preset's `issuerTemplate`. */
const placeholder = '{tenantid}'

/**
 * Returns the expected issuer of an id_token. For a multi-tenant provider, it is the template with the token's own
 * tenant (decision 9). The token is not trusted yet: its issuer is compared with the result, and the signature is
 * verified.
 *
 * @throws UnusableAnswer if the token is too large
 */
export function expectIssuer(
  { preset }: Pick<OAuthSettings, 'preset'>,
  server: AuthorizationServer,
  idToken: string,
): string {
  limitJwt(idToken)
  const template = preset.issuerTemplate
  if (template === undefined || server.issuer !== template || !template.includes(placeholder))
    return server.issuer
  const tenant = readTenant(idToken)
  return tenant === undefined ? unknownIssuer : template.replace(placeholder, () => tenant)
}

/**
 * Measures a JWT before its claims are used, as the response of a provider is measured (LM-10, LM-11).
 *
 * @throws UnusableAnswer if it is too long, or has too many or too deeply nested claims
 */
export function limitJwt(jwt: string): void {
  const excess = jwt.length > longestJwt ? `more than ${longestJwt} characters` : measureClaims(jwt)
  if (excess !== undefined) throw new UnusableAnswer(`expected a smaller JWT, got ${excess}`)
}

function measureClaims(jwt: string): string | undefined {
  try {
    return findExcess(decode(jwt.split('.', 2)[1] ?? ''), jsonLimits)
  } catch {
    // The parser of the token reports that it is malformed.
    return undefined
  }
}

function readTenant(idToken: string): string | undefined {
  try {
    const { tid } = decodeJwt(idToken)
    // Nothing that would change the rest of the URL.
    return typeof tid === 'string' && /^[\w-]+$/.test(tid) ? tid : undefined
  } catch {
    return undefined
  }
}

/**
 * Checks what oauth4webapi does not (OpenID Connect Core 2, 3.1.3.7 and 3.1.3.8): the form of `sub`, `azp` with a
 * single audience, a future `iat`, `at_hash` and `c_hash`, and the allowed tenants.
 */
export async function judgeClaims(
  provider: Pick<OAuthSettings, 'clientId' | 'tenants'>,
  claims: IDToken,
  bound: { readonly idToken: string; readonly accessToken: string; readonly code?: string },
  { platform }: OAuthContext,
): Promise<Failed | undefined> {
  const refuse = (claim: string, expected: string, came: unknown) =>
    fail('claims.invalid', `ID token: expected ${claim} to be ${expected}, got ${show(came)}`)
  const { sub, azp, iat, tid } = claims
  if (!/^[\x20-\x7e]{1,255}$/.test(sub))
    return fail('claims.invalid', 'ID token: expected sub to be 1 to 255 ASCII characters')
  if (azp !== undefined && azp !== provider.clientId) return refuse('azp', show(provider.clientId), azp)
  const latest = seconds(platform.now()) + clockTolerance
  if (!(iat <= latest)) return refuse('iat', `at most ${latest}`, iat)
  if (provider.tenants && !provider.tenants.some((tenant) => tenant === tid))
    return refuse('tid', `one of ${show(provider.tenants)}`, tid)

  const { alg } = decodeProtectedHeader(bound.idToken)
  if (claims.at_hash !== undefined && claims.at_hash !== (await halfHash(bound.accessToken, alg)))
    return fail('claims.invalid', 'ID token: expected at_hash to be the hash of the access token')
  if (
    claims.c_hash !== undefined &&
    bound.code !== undefined &&
    claims.c_hash !== (await halfHash(bound.code, alg))
  )
    return fail('claims.invalid', 'ID token: expected c_hash to be the hash of the code')
  return undefined
}

/**
 * Returns the left half of a text's hash, with the hash function of the token's algorithm (OpenID Connect Core
 * 3.1.3.6).
 */
async function halfHash(text: string, alg = ''): Promise<string> {
  // EdDSA over Ed25519 hashes with SHA-512 (RFC 8032 5.1).
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(2)
  if (!['256', '384', '512'].includes(bits)) return ''
  const hash = new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(text)))
  return encodeBase64url(hash.subarray(0, hash.length / 2))
}

/** A key set, and when it may be fetched again for an unknown key. */
interface KeySet {
  readonly find: LocalJWKSet
  /** Milliseconds since 1970. */
  readonly renewableFrom: number
}

/** A key withdrawn by the issuer is rejected after this time at the latest. */
const keySets = cacheByFetch<KeySet>({ lifetime: 10 * 60 * 1000, entries: 100 })

/** Milliseconds between two renewals for unknown keys. */
const cooldown = 30_000

/**
 * Finds the key of a signature in a key set, which is fetched once and cached for ten minutes. An unknown key causes a
 * renewal, so that a rotation is noticed at once, but only one per half minute (OI-11). Of the header, only `kid` and
 * `alg` are used (OI-10).
 */
function findKey(uri: string, provider: OAuthSettings, context: OAuthContext): JWTVerifyGetKey {
  const cache = keySets(provider, context)
  const key = JSON.stringify([uri, provider.allowInsecureRequests])
  const now = context.platform.now()
  const load = async (renewableFrom: number) => {
    const response = await outboundFetch(provider, context)(uri)
    return { find: await judgeKeySet(response), renewableFrom }
  }
  return async (header, token) => {
    const held = await cache.read(key, () => load(now))
    try {
      return await held.find(header, token)
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey) || now < held.renewableFrom) throw error
      const renewed = await cache.renew(key, held, () => load(now + cooldown))
      return renewed.find(header, token)
    }
  }
}

async function judgeKeySet(response: Response): Promise<LocalJWKSet> {
  if (response.status !== 200)
    throw new UnusableAnswer(`expected keys with status 200, got ${response.status}`)
  const { createLocalJWKSet } = await loadJose()
  const keySet: unknown = await readJson(response)
  return createLocalJWKSet(keySet as JSONWebKeySet)
}

/** Only the issuer can create these signatures (RFC 8725 3.1). */
const asymmetric = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

/** Verifies the signature of the id_token. Its claims have already been validated (OpenID Connect Core 3.1.3.7). */
export async function verifyIdToken(
  provider: OAuthSettings,
  server: AuthorizationServer,
  idToken: string,
  context: OAuthContext,
): Promise<Failed | undefined> {
  const declared = provider.client.id_token_signed_response_alg
  return verifySignature(idToken, declared, provider, server, context)
}

/**
 * Verifies a signature of the issuer, with the keys that the configuration or the metadata names. Only asymmetric
 * algorithms are accepted, except for HS256 with the client secret if the provider declares only that (decision 9).
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
        return fail('misconfigured', `Provider "${provider.id}": expected a clientSecret, which HS256 needs`)
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
    // Without the keys, nobody knows whether the signature is valid.
    if (error instanceof UnusableAnswer)
      return failFrom(error, 'keys-refused', `Provider "${provider.id}": the keys are unusable`)
    return failFrom(error, 'signature-invalid', `Provider "${provider.id}": the signature is invalid`)
  }
}

/** Returns the URL of the issuer's keys. Runs discovery if the configuration does not contain it. */
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
