import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { unknownIssuer } from './discover-server.ts'
import { type Failed, fail, show } from './failure.ts'

/** Methods that need the client's secret, and how each sends or uses it. */
const bySecret: Readonly<
  Record<string, (secret: string, server: oauth.AuthorizationServer) => oauth.ClientAuth>
> = {
  client_secret_basic: basic,
  client_secret_post: oauth.ClientSecretPost,
  client_secret_jwt: (secret, server) =>
    oauth.ClientSecretJwt(secret, { [oauth.modifyAssertion]: nameAudience(server, false) }),
}

/**
 * How the client proves itself to the token endpoint: what `client.token_endpoint_auth_method` says, and by default
 * `client_secret_basic`. Another method, or one without its secret or key, is a fault of the configuration.
 */
export function selectClientAuth(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
): { readonly auth: oauth.ClientAuth } | Failed {
  const { clientSecret, id } = provider
  const method = provider.client.token_endpoint_auth_method ?? 'client_secret_basic'
  if (method === 'none') return { auth: oauth.None() }
  if (method === 'private_key_jwt') return selectPrivateKey(provider, server)
  const withSecret = typeof method === 'string' && Object.hasOwn(bySecret, method) && bySecret[method]
  if (!withSecret)
    return fail(
      'misconfigured',
      `Provider "${id}": expected a known client.token_endpoint_auth_method, and it is ${show(method)}`,
    )
  if (!clientSecret)
    return fail(
      'misconfigured',
      `Provider "${id}": expected a clientSecret for ${method}; a public client has the method "none"`,
    )
  return { auth: withSecret(clientSecret, server) }
}

function selectPrivateKey(
  { token, id }: OAuthSettings,
  server: oauth.AuthorizationServer,
): { readonly auth: oauth.ClientAuth } | Failed {
  const what = `Provider "${id}": expected a private key in token.clientPrivateKey for private_key_jwt`
  if (!token.clientPrivateKey) return fail('misconfigured', what)
  try {
    const options = { [oauth.modifyAssertion]: nameAudience(server, true) }
    return { auth: oauth.PrivateKeyJwt(token.clientPrivateKey, options) }
  } catch (cause) {
    return fail('misconfigured', what, cause)
  }
}

/**
 * HTTP Basic with id and secret encoded as browsers encode forms. oauth4webapi encodes `-_.!~*'()` as well, which servers
 * that compare without decoding refuse.
 */
function basic(secret: string): oauth.ClientAuth {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encode(client.client_id)}:${encode(secret)}`)}`)
  }
}

/** For whom an assertion is (RFC 7523 3): the issuer, where it has one, or else the token endpoint; a signed one names both. */
function nameAudience(server: oauth.AuthorizationServer, both: boolean): oauth.ModifyAssertionFunction {
  const issuer = server.issuer === unknownIssuer ? undefined : server.issuer
  const endpoint = server.token_endpoint
  return (_header, payload) => {
    if (issuer === undefined) Object.assign(payload, { aud: endpoint })
    else if (both && endpoint !== undefined) Object.assign(payload, { aud: [issuer, endpoint] })
  }
}
