import type { LocalJWKSet } from 'jose'
import { decode } from 'jose/base64url'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import {
  JOSEAlgNotAllowed,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWSSignatureVerificationFailed,
} from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import type { AuthorizationServer, IDToken } from 'oauth4webapi'
import { asymmetric } from '../config/client-metadata.ts'
import type { OAuthSettings } from '../config/settings.ts'
import { asError } from '../errors/as-error.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { loadJose } from '../crypto/load-jose.ts'
import { findExcess } from '../http/limits.ts'
import { clockTolerance, seconds } from './client.ts'
import type { OAuthContext } from './context.ts'
import { discoverServer, unknownIssuer } from './discover-server.ts'
import { fail, type Failed, hasFailed, show } from './failure.ts'
import { dropEmpty } from './optional-members.ts'
import { jsonLimits, outboundFetch, readJson, UnusableResponse } from './outbound-fetch.ts'
import { cacheByFetch } from './provider-cache.ts'
import { adviseAlgorithm, failFrom } from './provider-error.ts'

/** Maximum characters of a JWT. A JWT with all groups of a user in a large organisation has a third of this length. */
export const longestJwt = 64 * 1024

/** The placeholder for the tenant in a preset's `issuerTemplate`. */
const placeholder = '{tenantid}'

/**
 * Returns the expected issuer of an id_token. For a multi-tenant provider, it is the template with the token's own
 * tenant (decision 9). The token is not trusted yet. The caller compares its issuer with the result, and verifies the
 * signature.
 *
 * @throws UnusableResponse if the token is too large
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

/** Claims that a provider may leave out. Some providers send `null` or an empty text instead. */
const optionalClaims: ReadonlySet<string> = new Set([
  'acr',
  'amr',
  'at_hash',
  'auth_time',
  'azp',
  'c_hash',
  'nbf',
  'nonce',
])

/**
 * Returns a JWT whose empty optional claims are left out, for checks that do not include the signature. Returns a JWT
 * without such claims unchanged.
 */
export function withoutEmptyClaims(jwt: string): string {
  const [header, , ...rest] = jwt.split('.')
  try {
    const claims = decodeJwt(jwt)
    const isEmpty = ([name, value]: [string, unknown]) =>
      optionalClaims.has(name) && (value === null || value === '')
    const entries = Object.entries(claims)
    if (!entries.some(isEmpty)) return jwt
    const kept = Object.fromEntries(entries.filter((entry) => !isEmpty(entry)))
    return [header, encodeBase64url(new TextEncoder().encode(JSON.stringify(kept))), ...rest].join('.')
  } catch {
    // The parser of the token reports that it is malformed.
    return jwt
  }
}

/**
 * Measures a JWT before its claims are used, as the response of a provider is measured (LM-10, LM-11).
 *
 * @throws UnusableResponse if it is too long, or has too many or too deeply nested claims
 */
export function limitJwt(jwt: string): void {
  const excess = jwt.length > longestJwt ? `more than ${longestJwt} characters` : measureClaims(jwt)
  if (excess !== undefined) throw new UnusableResponse(`expected a smaller JWT, got ${excess}`)
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
    // Characters that cannot change the rest of the URL.
    return typeof tid === 'string' && /^[\w-]+$/.test(tid) ? tid : undefined
  } catch {
    return undefined
  }
}

/**
 * Does the checks that oauth4webapi lacks (OpenID Connect Core 2, 3.1.3.7 and 3.1.3.8): the form of `sub`, `azp` with a
 * single audience, a future `iat`, `at_hash` and `c_hash`, and the allowed tenants.
 */
export async function checkClaims(
  provider: Pick<OAuthSettings, 'id' | 'clientId' | 'tenants'>,
  claims: IDToken,
  bound: { readonly idToken: string; readonly accessToken: string; readonly code?: string },
  { platform }: OAuthContext,
): Promise<Failed | undefined> {
  const refuse = (claim: string, expected: string, came?: unknown) => {
    const got = came === undefined ? '' : `, got ${show(came)}`
    return fail(
      'claims.invalid',
      `Provider "${provider.id}": expected ${claim} of the id_token to be ${expected}${got}`,
    )
  }
  const { sub, azp, iat, tid } = claims
  if (!/^[\x20-\x7e]{1,255}$/.test(sub)) return refuse('sub', '1 to 255 ASCII characters')
  if (azp !== undefined && azp !== provider.clientId) return refuse('azp', show(provider.clientId), azp)
  const latest = seconds(platform.now()) + clockTolerance
  if (!(iat <= latest)) return refuse('iat', `at most ${latest}`, iat)
  if (provider.tenants && !provider.tenants.some((tenant) => tenant === tid))
    return refuse('tid', `one of ${show(provider.tenants)}`, tid)

  const { alg } = decodeProtectedHeader(bound.idToken)
  if (claims.at_hash !== undefined && claims.at_hash !== (await halfHash(bound.accessToken, alg)))
    return refuse('at_hash', 'the hash of the access token')
  if (
    claims.c_hash !== undefined &&
    bound.code !== undefined &&
    claims.c_hash !== (await halfHash(bound.code, alg))
  )
    return refuse('c_hash', 'the hash of the code')
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
 * Verifies a signature with a key set, which is fetched once and cached for ten minutes. An unknown key or a signature
 * that does not match causes a renewal, so that a rotation is noticed at once. There is at most one renewal in 30
 * seconds (OI-11). Only `kid` and `alg` of the header are used (OI-10).
 */
async function verifyByKeys(
  jwt: string,
  uri: string,
  provider: OAuthSettings,
  context: OAuthContext,
): Promise<void> {
  const cache = keySets(provider, context)
  const key = JSON.stringify([uri, provider.allowInsecureRequests])
  const now = context.platform.now()
  const load = async (renewableFrom: number) => {
    const response = await outboundFetch(provider, context)(uri)
    return { find: await checkKeySet(response), renewableFrom }
  }
  const held = await cache.read(key, () => load(now))
  try {
    return await verifyWith(held, jwt)
  } catch (error) {
    if (!mayBeOutdated(error) || now < held.renewableFrom) throw error
    const renewed = await cache.renew(key, held, () => load(now + cooldown))
    return verifyWith(renewed, jwt)
  }
}

/**
 * Returns whether a newer key set could contain the key. Some issuers replace a key without changing its id, or use no
 * ids.
 */
function mayBeOutdated(error: unknown): boolean {
  return error instanceof JWKSNoMatchingKey || error instanceof JWSSignatureVerificationFailed
}

/** Maximum number of keys without an id to try. Issuers have a few. */
const mostCandidates = 16

/** Verifies a signature with the matching key of a set, or with each if several match. */
async function verifyWith({ find }: KeySet, jwt: string): Promise<void> {
  const { compactVerify } = await loadJose()
  const options = { algorithms: [...asymmetric] }
  try {
    await compactVerify(jwt, find, options)
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error) {
      if (tried++ >= mostCandidates) break
      const failure = await compactVerify(jwt, key, options).then(() => undefined, asError)
      if (!failure) return
      if (!(failure instanceof JWSSignatureVerificationFailed)) throw failure
    }
    throw new JWSSignatureVerificationFailed()
  }
}

async function checkKeySet(response: Response): Promise<LocalJWKSet> {
  if (response.status !== 200)
    throw new UnusableResponse(`expected keys with status 200, got ${response.status}`)
  const { createLocalJWKSet } = await loadJose()
  const keySet = await readJson(response)
  const { keys } = keySet
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'object' || key === null))
    throw new UnusableResponse('expected keys to be a list of JSON Web Keys')
  return createLocalJWKSet({ keys: keys.map((key: object) => dropEmpty(key)) })
}

/**
 * Verifies a signature of the issuer, with the keys that the configuration or the metadata names. Only asymmetric
 * algorithms are accepted, except for HS256 with the client secret if the provider declares only HS256 (decision 9).
 *
 * @param declared the algorithm of the client's registration, for example `id_token_signed_response_alg`
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
    await verifyByKeys(jwt, uri, provider, context)
    return undefined
  } catch (error) {
    // Without the keys, the signature cannot be verified.
    if (error instanceof UnusableResponse)
      return failFrom(error, 'keys-refused', `Provider "${provider.id}": the keys are unusable`, adviseKeys)
    if (error instanceof JOSEAlgNotAllowed) return refuseAlgorithm(jwt, declared, provider)
    return failFrom(error, 'signature-invalid', `Provider "${provider.id}": the signature is invalid`)
  }
}

const adviseKeys = 'Check the `jwks_uri` of the metadata, or set `jwks_endpoint`'

function refuseAlgorithm(jwt: string, declared: string | undefined, { id }: OAuthSettings): Failed {
  const { alg } = decodeProtectedHeader(jwt)
  const expected = declared ?? `one of ${asymmetric.join(', ')}`
  const what = `Provider "${id}": expected a JWT signed with ${expected}, got ${show(alg)}`
  const isSecret = typeof alg === 'string' && alg.startsWith('HS')
  const fix = isSecret
    ? `${adviseAlgorithm}. Of the algorithms with the client secret, only HS256 is supported`
    : adviseAlgorithm
  return fail('signature-invalid', `${what}. ${fix}`)
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
