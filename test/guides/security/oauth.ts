import type { SecurityLine } from './line.ts'

const resourceServer = 'The library is not a resource server: it accepts no access tokens from clients.'
const authorizationServer = 'The library is a client, not an authorization server.'

/** OWASP ASVS 5.0, chapter 10: OAuth and OIDC. */
export const oauth: readonly SecurityLine[] = [
  {
    line: '10.1.1',
    asks: 'Send tokens only where they are needed',
    held: ['IL-06', 'SE-18', 'IL-02', 'DEC-35'],
    site: 'Do not return tokens from the `session` callback, because the browser can read its result.',
  },
  {
    line: '10.1.2',
    asks: 'Accept responses only for a sign-in of that browser',
    held: ['TX-01', 'TX-02', 'TX-03', 'TX-04', 'TX-05', 'TX-08', 'OI-04'],
    uncovered:
      'A browser that restores its old cookies can present them again for 15 minutes. The provider accepts a code once.',
  },
  {
    line: '10.2.1',
    asks: 'Protect the code flow against CSRF',
    held: ['TX-01', 'TX-02', 'TX-09', 'DEC-06b'],
  },
  {
    line: '10.2.2',
    asks: 'Prevent mix-up among authorization servers',
    held: ['TX-05', 'TX-06', 'TX-07'],
  },
  {
    line: '10.2.3',
    asks: 'Request only the scopes that you need',
    held: ['TX-13', 'WIR-032'],
    site: 'Set `authorization.params.scope` if the preset requests too many scopes. A sign-in request may request further scopes.',
  },
  { line: '10.3.1', asks: 'Resource servers check the audience', inapplicable: resourceServer },
  { line: '10.3.2', asks: 'Resource servers enforce scopes and claims', inapplicable: resourceServer },
  { line: '10.3.3', asks: 'Resource servers identify users by lasting claims', inapplicable: resourceServer },
  { line: '10.3.4', asks: 'Resource servers check strength and recency', inapplicable: resourceServer },
  { line: '10.3.5', asks: 'Resource servers demand sender-constrained tokens', inapplicable: resourceServer },
  {
    line: '10.4.1',
    asks: 'Compare redirect URIs exactly',
    inapplicable: `${authorizationServer} Register exact callback URLs at the provider.`,
  },
  { line: '10.4.2', asks: 'Codes work once', inapplicable: authorizationServer },
  { line: '10.4.3', asks: 'Codes are short-lived', inapplicable: authorizationServer },
  { line: '10.4.4', asks: 'Only the grants that a client needs', inapplicable: authorizationServer },
  { line: '10.4.5', asks: 'Prevent replay of refresh tokens', inapplicable: authorizationServer },
  {
    line: '10.4.6',
    asks: 'Require PKCE with S256',
    inapplicable: `${authorizationServer} It sends S256 itself: see RFC 9700, 2.1.1.`,
  },
  { line: '10.4.7', asks: 'Restrict dynamic registration', inapplicable: authorizationServer },
  { line: '10.4.8', asks: 'Refresh tokens expire', inapplicable: authorizationServer },
  { line: '10.4.9', asks: 'Users can revoke tokens', inapplicable: authorizationServer },
  {
    line: '10.4.10',
    asks: 'Authenticate confidential clients',
    inapplicable: `${authorizationServer} How it authenticates itself is under RFC 9700, 2.5.`,
  },
  { line: '10.4.11', asks: 'Grant clients only the scopes they need', inapplicable: authorizationServer },
  { line: '10.4.12', asks: 'Restrict response modes', inapplicable: authorizationServer },
  {
    line: '10.4.13',
    asks: 'Require pushed authorization requests',
    inapplicable: `${authorizationServer} It pushes requests to servers that demand it (TX-23).`,
  },
  {
    line: '10.4.14',
    asks: 'Issue sender-constrained access tokens only',
    inapplicable: `${authorizationServer} It supports neither DPoP nor mutual TLS.`,
  },
  { line: '10.4.15', asks: 'Protect `authorization_details`', inapplicable: authorizationServer },
  {
    line: '10.4.16',
    asks: 'Require client authentication by public keys',
    inapplicable: `${authorizationServer} It can use \`private_key_jwt\`: see RFC 9700, 2.5.`,
  },
  { line: '10.5.1', asks: 'Prevent replay of ID tokens', held: ['OI-04', 'OI-03'] },
  {
    line: '10.5.2',
    asks: 'Identify users by `sub`, not reassignable claims',
    held: ['OI-17', 'OI-05', 'OI-18'],
  },
  { line: '10.5.3', asks: 'Refuse metadata of another issuer', held: ['OI-15', 'OI-01'] },
  { line: '10.5.4', asks: 'The ID token’s audience is the client', held: ['OI-02'] },
  {
    line: '10.5.5',
    asks: 'Validate back-channel logout tokens',
    held: ['BCL-02', 'BCL-04'],
    site: 'Off unless you set `backChannelLogout`.',
  },
  { line: '10.6.1', asks: 'Restrict response types', inapplicable: authorizationServer },
  { line: '10.6.2', asks: 'Prevent forced logout at the provider', inapplicable: authorizationServer },
  { line: '10.7.1', asks: 'Ask for consent', inapplicable: authorizationServer },
  { line: '10.7.2', asks: 'Say clearly what is consented to', inapplicable: authorizationServer },
  { line: '10.7.3', asks: 'Users can review and revoke consent', inapplicable: authorizationServer },
]
