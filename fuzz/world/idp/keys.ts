import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** A key of the provider's: what it signs with, and what it shows. */
export interface SigningKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256'
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

async function createKey(alg: SigningKey['alg'], kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Made once for each process: a pair to start with, a pair to rotate to, and one that is shown nowhere. */
export const keys = Promise.all([
  createKey('RS256', 'rsa-1'),
  createKey('ES256', 'ec-1'),
  createKey('RS256', 'rsa-2'),
  createKey('ES256', 'ec-2'),
  createKey('RS256', 'foreign'),
]).then(([rsa, ec, nextRsa, nextEc, foreign]) => ({
  first: { rsa, ec },
  next: { rsa: nextRsa, ec: nextEc },
  foreign,
}))
