import * as oauth from 'oauth4webapi'
import { systemPlatform } from '../platform/clock.ts'
import type { OAuthSettings } from '../config/settings.ts'
import type { OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { fail, type Failed, show } from './failure.ts'

/** Allowed skew of the provider's clock in seconds (OI-03). */
export const clockTolerance = 30

/** Returns the client for oauth4webapi, on our clock. */
export function describeClient(provider: OAuthSettings, { platform }: OAuthContext): oauth.Client {
  const isSystemClock = platform.now === systemPlatform.now
  return {
    ...provider.client,
    client_id: provider.clientId,
    // Read at each use, because between two uses the system clock advances, but the clock of a test may not.
    get [oauth.clockSkew]() {
      return isSystemClock ? 0 : seconds(platform.now()) - seconds(systemPlatform.now())
    },
    [oauth.clockTolerance]: clockTolerance,
  }
}

/** Converts milliseconds to whole seconds. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

/** The authentication methods that need the client secret, with the function for each. */
const bySecret: Readonly<
  Record<string, (secret: string, server: oauth.AuthorizationServer) => oauth.ClientAuth>
> = {
  client_secret_basic: basic,
  client_secret_post: oauth.ClientSecretPost,
  client_secret_jwt: (secret, server) =>
    oauth.ClientSecretJwt(secret, { [oauth.modifyAssertion]: nameAudience(server, false) }),
}

/**
 * Returns the client authentication for the token endpoint: by `client.token_endpoint_auth_method`, or else
 * `client_secret_basic`. An unknown method, or a method without its secret or key, is a configuration fault.
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
      `Provider "${id}": expected a known client.token_endpoint_auth_method, got ${show(method)}`,
    )
  if (!clientSecret)
    return fail(
      'misconfigured',
      `Provider "${id}": expected a clientSecret for ${method}. A public client has the method "none"`,
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
 * HTTP Basic, with id and secret encoded as browsers encode forms. oauth4webapi also encodes `-_.!~*'()`, and some
 * servers compare without decoding.
 */
function basic(secret: string): oauth.ClientAuth {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encode(client.client_id)}:${encode(secret)}`)}`)
  }
}

/**
 * Returns the audience of an assertion (RFC 7523 3): the issuer, if known, or else the token endpoint. A signed
 * assertion names both.
 */
function nameAudience(server: oauth.AuthorizationServer, both: boolean): oauth.ModifyAssertionFunction {
  const issuer = server.issuer === unknownIssuer ? undefined : server.issuer
  const endpoint = server.token_endpoint
  return (_header, payload) => {
    if (issuer === undefined) Object.assign(payload, { aud: endpoint })
    else if (both && endpoint !== undefined) Object.assign(payload, { aud: [issuer, endpoint] })
  }
}
