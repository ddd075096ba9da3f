import { CompactSign, SignJWT, exportSPKI, importJWK, UnsecuredJWT, type JWTPayload } from 'jose'
import { loadKeys } from '../../../fuzz/world/idp/keys.ts'
import { issuer, type App } from '../app.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Returns the claims of a valid logout token of the provider, with some of them changed, or removed by `undefined`. */
export function logoutClaims(app: Pick<App, 'clock'>, change: JWTPayload = {}): JWTPayload {
  const iat = Math.floor(app.clock.now() / 1000)
  const claims = { iss: issuer, aud: 'client', iat, exp: iat + 120, jti: 'one', events: { [event]: {} } }
  return { ...claims, sub: 'ada', ...change }
}

type Forge = (claims: JWTPayload) => Promise<string>

/** Signs claims with the provider's key for this algorithm. */
export const signLogout = async (
  claims: JWTPayload,
  typ: string | undefined = 'logout+jwt',
  wanted: 'RS256' | 'ES256' = 'RS256',
) => {
  const { rsa, ec } = (await loadKeys()).first
  const { alg, kid, privateKey } = wanted === 'RS256' ? rsa : ec
  return new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ && { typ }) }).sign(privateKey)
}

/** Ways to forge a logout token without the provider's key. */
export const forgeries: Readonly<Record<string, Forge>> = {
  'another key': async (claims) => {
    const { first, foreign } = await loadKeys()
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: first.rsa.kid, typ: 'logout+jwt' })
      .sign(foreign.privateKey)
  },
  'no signature': async (claims) => new UnsecuredJWT(claims).encode(),
  'HS256 with the public key': async (claims) => {
    const { rsa } = (await loadKeys()).first
    const pem = await exportSPKI((await importJWK({ ...rsa.publicJwk }, 'RS256')) as CryptoKey)
    return signBytes(claims, new TextEncoder().encode(pem))
  },
  'HS256 with the client secret': (claims) =>
    signBytes(claims, new TextEncoder().encode('client-secret'.padEnd(32, '\0'))),
}

function signBytes(claims: JWTPayload, key: Uint8Array): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
    .sign(key)
}

/** Posts a logout token, as a provider does: without cookies. */
export function postLogout(
  app: Pick<App, 'handle'>,
  token: string | readonly string[],
  type?: string,
): Promise<Response> {
  const fields = [token].flat().map((value): [string, string] => ['logout_token', value])
  const headers = { 'content-type': type ?? 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return app.handle(
    new Request('https://app.test/auth/backchannel-logout', { method: 'POST', headers, body }),
  )
}
