import { InvalidConfig } from '../errors/classes.ts'
import { describe } from './rule.ts'

/** Asymmetric algorithms, with which only the issuer can sign (RFC 8725 3.1). */
export const asymmetric: readonly string[] =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

/** Values of client metadata that the library supports. */
const methods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none']
const encryption = ['id_token_encrypted_response_alg', 'userinfo_encrypted_response_alg']
const oneOf: Readonly<Record<string, readonly string[]>> = {
  token_endpoint_auth_method: methods,
  // With the client secret, only HS256 (decision 9).
  id_token_signed_response_alg: [...asymmetric, 'HS256'],
}

/**
 * Refuses client metadata that cannot work, before a user is sent to the provider.
 *
 * @throws InvalidConfig
 */
export function requireClient(client: Readonly<Record<string, unknown>>, id: string): void {
  const what = (name: string) => `\`client.${name}\` of provider "${id}"`
  for (const [name, values] of Object.entries(oneOf)) {
    const value = client[name]
    if (value === undefined || values.some((each) => each === value)) continue
    const isTls = typeof value === 'string' && value.endsWith('tls_client_auth')
    const hint = isTls
      ? '. For mutual TLS, set "none", and a `customFetch` that presents the certificate'
      : ''
    throw new InvalidConfig(
      `${what(name)} must be one of ${values.join(', ')}, got ${typeof value === 'string' ? JSON.stringify(value) : describe(value)}${hint}`,
    )
  }
  for (const name of encryption)
    if (client[name] !== undefined)
      throw new InvalidConfig(
        `${what(name)} is not supported. Remove it, and register the client at the provider without encryption`,
      )
}
