import type { ConnectionProblem } from './connection-problem.ts'

type Texts = readonly [sentence: string, fix: string]

/** Why a server could not be reached, and what to do about it. For providers, mail servers and databases alike. */
export const problemTexts: Readonly<Record<ConnectionProblem, Texts>> = {
  'certificate-untrusted': [
    'The server has a certificate that this machine does not trust: it is self-signed, or issued by a private authority.',
    'Set `NODE_EXTRA_CA_CERTS` to the file with the certificate of the authority before the process starts. Behind a proxy that inspects TLS, use the certificate of the proxy.',
  ],
  'certificate-of-another-host': [
    'The certificate of the server is for another host name.',
    'Use the host name in the certificate, or install a certificate for this host name.',
  ],
  'certificate-outdated': [
    'The certificate of the server has expired, or is not yet valid by the clock of this machine.',
    'Check the clock of this machine, and renew the certificate of the server.',
  ],
  'host-unknown': [
    'The host name could not be resolved.',
    'Check the spelling of the name, and the DNS of this machine. Inside a container, `localhost` is the container itself, and names of other networks are unknown.',
  ],
  'connection-refused': [
    'Nothing accepts connections at this host and port.',
    'Check the port, and that the server is running. Inside a container, `localhost` is the container itself.',
  ],
  'network-unreachable': [
    'The server could not be reached over the network.',
    'Check the firewall. If requests must pass a proxy, set `HTTPS_PROXY` and, on Node 24 or newer, `NODE_USE_ENV_PROXY=1`.',
  ],
  'connection-lost': [
    'The connection was closed before the response was complete.',
    'Try again. If it keeps failing, check the proxies and load balancers in between, and the log of the server.',
  ],
  'https-expected': [
    'The server does not speak TLS at this port, although its URL starts with `https:`.',
    'Check the port and the scheme of the URL.',
  ],
  'timed-out': [
    'The server did not respond in time.',
    'Check that this machine can reach it, through a proxy if there is one. If it is only slow, raise `timeout` on the provider.',
  ],
}

/** Why a sign-in with a provider failed, by the reason of the failure. Devtools show the same text. */
export const failureTexts = {
  misconfigured: [
    'An option of the provider is missing or invalid.',
    'Correct the option that the message names.',
  ],
  'insecure-url': [
    'A URL of the provider uses plain http on a host other than this machine.',
    'Use https. Set `allowInsecureRequests` on the provider only on a private network.',
  ],
  'hook-failed': [
    'A function of your configuration threw.',
    'Fix the function that the message names. The log contains the error that it threw, with the stack.',
  ],
  unreachable: [
    'The provider could not be reached.',
    'Check the host and the port in the message, and whether this machine can reach them. Read the cause in the log.',
  ],
  'timed-out': problemTexts['timed-out'],
  oversize: [
    'The response of the provider exceeds a limit.',
    'Check the URL that the message names. If the response is correct, request fewer claims or groups.',
  ],
  'discovery-refused': [
    'The discovery document of the provider is invalid, or names another issuer.',
    'Open `<issuer>/.well-known/openid-configuration` from the server. Its issuer must equal yours exactly, including a trailing slash. Without discovery, configure each endpoint.',
  ],
  'keys-refused': [
    'The keys of the provider could not be read.',
    'Open the `jwks_uri` of the discovery document, or your `jwks_endpoint`, from the server. It must return a JSON object with `keys`.',
  ],
  'push-refused': [
    'The provider refused the pushed authorization request.',
    'Check the client secret and `token_endpoint_auth_method`, and compare `authorization.params` with the documentation of the provider.',
  ],
  'code.refused': [
    'The provider refused the code or the refresh token.',
    'Check the client secret, `token_endpoint_auth_method`, and that the redirect URI is registered exactly. A code works once, for a short time.',
  ],
  'tokens.malformed': [
    'The response of the token endpoint contains no valid tokens.',
    'Check the response: it must be JSON with `access_token` and `token_type`. For a provider that differs, set `token.conform`.',
  ],
  'claims.invalid': [
    'A claim of the id_token is invalid.',
    'The message names the claim. Check `issuer` for `iss`, `clientId` for `aud`, `checks` for `nonce`, and the clock of the server for `exp`, `nbf` and `iat`.',
  ],
  'signature-invalid': [
    'The id_token is not signed by a key of the issuer.',
    'Check `issuer` and `jwks_endpoint`, and set `client.id_token_signed_response_alg` to the algorithm that is registered for the client.',
  ],
  'userinfo-refused': [
    'The userinfo could not be read.',
    'The userinfo endpoint must return a JSON object with status 2xx. For a provider that differs, set `userinfo.request`.',
  ],
  'subject-mismatched': [
    'The userinfo belongs to another user than the id_token.',
    'Check `userinfo`. It must contain the `sub` of the id_token.',
  ],
  'profile.unusable': [
    'The profile has no usable id.',
    'Return an id that is a string or a number from the `profile` callback.',
  ],
} as const satisfies Readonly<Record<string, Texts>>
