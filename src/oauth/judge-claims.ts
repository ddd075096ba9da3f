import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { decodeJwt } from 'jose/jwt/decode'
import type { AuthorizationServer, IDToken } from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/base64url.ts'
import { clockTolerance, seconds } from './client.ts'
import type { OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { type Failed, fail, show } from './failure.ts'
import { UnusableAnswer } from './read-json.ts'

/** Characters of an id_token; those of large organisations, with all groups of a user, have a third of it. */
export const longestIdToken = 64 * 1024

/** What stands for the tenant in a preset's `issuerTemplate`. */
const placeholder = '{tenantid}'

/**
 * The issuer that an id_token has to name. For a multi-tenant provider it is the template with the token's own tenant in
 * it (decision 9): the token is not trusted here, it is compared with the outcome, and the issuer's signature verified.
 *
 * @throws UnusableAnswer for a token that is too long to be looked at
 */
export function expectIssuer(
  { preset }: Pick<OAuthSettings, 'preset'>,
  server: AuthorizationServer,
  idToken: string,
): string {
  if (idToken.length > longestIdToken)
    throw new UnusableAnswer(`ID Token: expected at most ${longestIdToken} characters`)
  const template = preset.issuerTemplate
  if (template === undefined || server.issuer !== template || !template.includes(placeholder))
    return server.issuer
  const tenant = readTenant(idToken)
  return tenant === undefined ? unknownIssuer : template.replace(placeholder, () => tenant)
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
 * What oauth4webapi leaves open of OpenID Connect Core 2, 3.1.3.7 and 3.1.3.8: the shape of `sub`, `azp` beside a single
 * audience, an `iat` in the future, `at_hash` and `c_hash`, and the tenants that are let in.
 */
export async function judgeClaims(
  provider: Pick<OAuthSettings, 'clientId' | 'tenants'>,
  claims: IDToken,
  bound: { readonly idToken: string; readonly accessToken: string; readonly code?: string },
  { platform }: OAuthContext,
): Promise<Failed | undefined> {
  const refuse = (claim: string, expected: string, came: unknown) =>
    fail('claims-invalid', `ID token: expected ${claim} to be ${expected}, and ${show(came)} came`)
  const { sub, azp, iat, tid } = claims
  if (!/^[\x20-\x7e]{1,255}$/.test(sub))
    return fail('claims-invalid', 'ID token: expected sub to be 1 to 255 ASCII characters')
  if (azp !== undefined && azp !== provider.clientId) return refuse('azp', show(provider.clientId), azp)
  const latest = seconds(platform.now()) + clockTolerance
  if (!(iat <= latest)) return refuse('iat', `at most ${latest}`, iat)
  if (provider.tenants && !provider.tenants.some((tenant) => tenant === tid))
    return refuse('tid', `one of ${show(provider.tenants)}`, tid)

  const { alg } = decodeProtectedHeader(bound.idToken)
  if (claims.at_hash !== undefined && claims.at_hash !== (await halfHash(bound.accessToken, alg)))
    return fail('claims-invalid', 'ID token: expected at_hash to be the hash of the access token')
  if (
    claims.c_hash !== undefined &&
    bound.code !== undefined &&
    claims.c_hash !== (await halfHash(bound.code, alg))
  )
    return fail('claims-invalid', 'ID token: expected c_hash to be the hash of the code')
  return undefined
}

/** The left half of the text's hash, by the hash of the token's algorithm (OpenID Connect Core 3.1.3.6). */
async function halfHash(text: string, alg = ''): Promise<string> {
  // EdDSA over Ed25519 hashes with SHA-512 (RFC 8032 5.1).
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(2)
  if (!['256', '384', '512'].includes(bits)) return ''
  const hash = new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(text)))
  return encodeBase64url(hash.subarray(0, hash.length / 2))
}
