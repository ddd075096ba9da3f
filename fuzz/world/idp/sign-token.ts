import {
  base64url,
  CompactSign,
  exportJWK,
  exportSPKI,
  importJWK,
  type CompactJWSHeaderParameters,
} from 'jose'
import type { Claims, Fault, SignatureFault } from './faults.ts'
import { loadKeys, type SigningKey } from './keys.ts'

const encoder = new TextEncoder()

/** Signs the claims as a JWT, with the given faults. */
export async function signToken(
  claims: Claims,
  key: SigningKey,
  secret: string,
  faults: ReadonlySet<Fault>,
): Promise<string> {
  const has = (fault: SignatureFault) => faults.has(fault)
  const { foreign } = await loadKeys()
  if (has('alg-none')) return `${encode({ alg: 'none' })}.${encode(claims)}.`
  if (has('alg-none-in-capitals')) return `${encode({ alg: 'NONE' })}.${encode(claims)}.`
  if (has('alg-hs256-public-key')) {
    const pem = await exportSPKI((await importJWK({ ...key.publicJwk }, key.alg)) as CryptoKey)
    return sign(claims, { alg: 'HS256', kid: key.kid }, encoder.encode(pem))
  }
  if (has('jwk-header'))
    return sign(claims, { alg: 'RS256', jwk: await exportJWK(await publicOf(foreign)) }, foreign.privateKey)
  if (has('jku-header'))
    return sign(claims, { alg: 'RS256', kid: key.kid, jku: 'https://evil.example/jwks' }, foreign.privateKey)
  if (has('x5c-header'))
    return sign(claims, { alg: 'RS256', kid: key.kid, x5c: ['AAAA'] }, foreign.privateKey)
  if (has('signature-foreign')) return sign(claims, { alg: 'RS256', kid: key.kid }, foreign.privateKey)
  if (has('foreign-without-kid')) return sign(claims, { alg: 'RS256' }, foreign.privateKey)
  if (has('kid-unknown')) return sign(claims, { alg: 'RS256', kid: 'nowhere' }, foreign.privateKey)
  if (has('alg-hs256-secret'))
    return damage(await sign(claims, { alg: 'HS256' }, encoder.encode(secret)), key, faults)
  if (has('kid-absent')) return sign(claims, { alg: key.alg }, key.privateKey)
  if (has('crit-header'))
    return sign(claims, { alg: key.alg, kid: key.kid, crit: ['exp'], exp: 1 }, key.privateKey, { exp: true })
  const typ = has('typ-of-access-token') ? 'at+jwt' : 'JWT'
  return damage(await sign(claims, { alg: key.alg, kid: key.kid, typ }, key.privateKey), key, faults)
}

/** Replaces the header or the signature of a valid token. */
function damage(jwt: string, key: SigningKey, faults: ReadonlySet<Fault>): string {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  if (faults.has('signature-missing')) return `${header}.${payload}.`
  if (faults.has('signature-flipped')) {
    const bytes = base64url.decode(signature)
    bytes[9] = (bytes[9] ?? 0) ^ 1
    return `${header}.${payload}.${base64url.encode(bytes)}`
  }
  if (faults.has('alg-unknown')) return `${encode({ alg: 'XS256', kid: key.kid })}.${payload}.${signature}`
  if (faults.has('alg-missing')) return `${encode({ kid: key.kid })}.${payload}.${signature}`
  if (faults.has('alg-swapped'))
    return `${encode({ alg: key.alg === 'RS256' ? 'ES256' : 'RS256', kid: key.kid })}.${payload}.${signature}`
  return jwt
}

function sign(
  claims: Claims,
  header: CompactJWSHeaderParameters,
  key: CryptoKey | Uint8Array,
  crit?: Record<string, boolean>,
): Promise<string> {
  return new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(key, crit && { crit })
}

async function publicOf(key: SigningKey): Promise<CryptoKey> {
  return (await importJWK({ ...key.publicJwk }, key.alg, { extractable: true })) as CryptoKey
}

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value))
}
