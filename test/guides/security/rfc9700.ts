import type { SecurityLine } from './line.ts'

/** RFC 9700: the recommendations of section 2, and the attacks of section 4. */
export const rfc9700: readonly SecurityLine[] = [
  {
    line: '2.1',
    asks: 'Protect redirect flows: CSRF, mix-up, open redirects',
    held: ['TX-01', 'TX-02', 'TX-03', 'TX-05', 'TX-06', 'RD-01', 'CK-14'],
    uncovered: 'A browser that restores its old cookies can present them again for 15 minutes.',
  },
  {
    line: '2.1.1',
    asks: 'PKCE or nonce against code injection, without downgrade',
    held: ['TX-08', 'TX-09', 'TX-24', 'TX-25', 'DEC-06a', 'DEC-06b'],
    site: "Do not set `checks: ['none']`.",
  },
  { line: '2.1.2', asks: 'No implicit grant', held: ['OI-20', 'TX-13'] },
  {
    line: '2.2.1',
    asks: 'Sender-constrained access tokens',
    uncovered: 'DPoP and mutual TLS are not supported. Access tokens are bearer tokens.',
  },
  {
    line: '2.2.2',
    asks: 'Sender-constrained or rotating refresh tokens',
    held: ['RO-06', 'RO-08', 'OPT-002'],
    site: 'The provider decides whether it rotates refresh tokens. The library supports rotation.',
  },
  {
    line: '2.3',
    asks: 'Restrict the privileges of access tokens',
    held: ['WIR-032'],
    site: 'Request few scopes, and set the audience if the provider has a parameter for it.',
  },
  {
    line: '2.4',
    asks: 'No password grant',
    site: 'The library has none. Do not send passwords to a provider’s token endpoint from `authorize`.',
  },
  {
    line: '2.5',
    asks: 'Authenticate the client, preferably with public keys',
    held: ['WIR-038', 'DEC-10b'],
    site: "Set `client.token_endpoint_auth_method: 'private_key_jwt'`; the default is `client_secret_basic`.",
  },
  {
    line: '2.6',
    asks: 'Use metadata and TLS end to end',
    held: ['OI-15', 'OI-16', 'DEC-10f', 'DEC-11a'],
  },
  {
    line: '4.1',
    asks: 'Redirect URIs that match too much',
    held: ['TX-13', 'TX-14', 'HH-02', 'CLI-008'],
    site: 'Register exact callback URLs. `npx authmachine doctor` prints them.',
  },
  { line: '4.2', asks: 'Credentials in `Referer`', held: ['RD-07', 'TX-15', 'CK-13'] },
  {
    line: '4.3',
    asks: 'Credentials in the browser history',
    held: ['RD-07', 'IL-06', 'SE-26', 'TX-26'],
    site: 'The callback URL contains the code, which works once.',
  },
  { line: '4.4', asks: 'Mix-up', held: ['TX-05', 'TX-06', 'TX-07', 'TX-20'] },
  { line: '4.5', asks: 'Code injection', held: ['TX-08', 'TX-10', 'OI-04'] },
  { line: '4.6', asks: 'Access token injection', held: ['OI-08', 'OI-12', 'OI-20'] },
  {
    line: '4.7',
    asks: 'CSRF',
    held: ['TX-25', 'TX-01', 'TX-04', 'TX-17', 'TX-18', 'TX-21', 'SE-03', 'OPT-009', 'CD-03'],
    site: 'Do not set `skipCSRFCheck`, which is for frameworks that have their own check.',
  },
  { line: '4.8', asks: 'PKCE downgrade', held: ['TX-09', 'DEC-06b'] },
  {
    line: '4.9',
    asks: 'Access tokens leaked at resource servers',
    held: ['IL-06'],
    site: 'Send an access token only to the API that it was issued for.',
  },
  {
    line: '4.10',
    asks: 'Misuse of stolen access tokens',
    uncovered: 'Tokens are bearer tokens (see 2.2.1).',
    site: 'Encrypt the accounts in your database, or store no tokens (the provider’s `account` callback).',
  },
  {
    line: '4.11',
    asks: 'Open redirects',
    held: ['RD-01', 'RD-02', 'RD-08', 'TX-20', 'DEC-41a', 'EMB-007', 'EMB-025'],
    site: 'A custom `redirect` callback replaces the check. Keep `redirectProxy.allow` narrow.',
  },
  { line: '4.12', asks: '307 redirects that repeat a form', held: ['TX-22'] },
  {
    line: '4.13',
    asks: 'Headers forged past a TLS-terminating proxy',
    held: ['HH-01', 'HH-06', 'CK-15', 'EMB-008'],
    site: 'Set `AUTH_URL`, and configure the proxy to remove forwarded headers from clients.',
  },
  {
    line: '4.14',
    asks: 'Protect refresh tokens and their rotation',
    held: ['RO-06', 'RO-07', 'RO-08', 'OPT-002', 'OI-24'],
    site: 'Refresh tokens are stored in your database, so protect it.',
  },
  {
    line: '4.15',
    asks: 'Clients that pose as users',
    inapplicable: 'An authorization server and its resource servers prevent this.',
  },
  {
    line: '4.16',
    asks: 'Clickjacking',
    held: ['CK-13', 'DEC-32a'],
    site: 'Send `frame-ancestors` with your own sign-in pages.',
  },
  {
    line: '4.17',
    asks: 'Attacks on popups and `postMessage`',
    inapplicable: 'Sign-ins use redirects. The client library sends no code or token between windows.',
  },
]
