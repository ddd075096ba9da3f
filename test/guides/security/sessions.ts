import type { SecurityLine } from './line.ts'

/** OWASP ASVS 5.0, chapter 7: session management. */
export const sessions: readonly SecurityLine[] = [
  {
    line: '7.1.1',
    asks: 'Document idle and absolute session lifetimes',
    held: ['LIM-001', 'LIM-003', 'CF-05'],
    site: 'Choose `session.maxAge` and document the reason. By default, a session expires after 30 days without use, and has no absolute limit.',
  },
  {
    line: '7.1.2',
    asks: 'Document how many parallel sessions are allowed',
    site: 'The library sets no limit. Enforce your own in `callbacks.signIn`.',
  },
  {
    line: '7.1.3',
    asks: 'Document all systems that share federated sessions',
    site: 'List your providers, and whether a sign-out ends their session too (`callbacks.endSession`).',
  },
  {
    line: '7.2.1',
    asks: 'Verify session tokens on the server',
    held: ['SE-04', 'SE-17', 'SE-21', 'JW-02', 'SF-02', 'SE-26'],
  },
  { line: '7.2.2', asks: 'Session tokens are generated, not static secrets', held: ['SE-01', 'SE-15'] },
  { line: '7.2.3', asks: 'Reference tokens are random, with 128 bits', held: ['SE-15', 'DEC-15b'] },
  {
    line: '7.2.4',
    asks: 'A sign-in issues a new token and ends the old',
    held: ['SE-01', 'SE-02', 'TX-19', 'DEC-15a', 'OPT-047', 'SF-08'],
    site: 'A copied session token works until it expires, unless you set `jwt.revocations`.',
  },
  {
    line: '7.3.1',
    asks: 'Idle sessions expire',
    held: ['LIM-001', 'SE-05', 'SE-06', 'SE-09'],
    site: 'Choose `session.maxAge`.',
  },
  {
    line: '7.3.2',
    asks: 'Sessions have an absolute lifetime',
    held: ['SE-08', 'SE-27', 'OPT-060'],
    site: 'Set `session.absoluteMaxAge`.',
  },
  {
    line: '7.4.1',
    asks: 'Signing out and expiry end the session permanently',
    held: ['SE-04', 'SE-10', 'SE-11', 'CC-03', 'CK-12', 'CK-16', 'OPT-047', 'OPT-049', 'POL-06', 'FT-02'],
    site: 'Sessions in cookies need `jwt.revocations`. Send `no-store` with your own pages.',
  },
  {
    line: '7.4.2',
    asks: 'Disabling or deleting an account ends its sessions',
    held: ['SE-14', 'OPT-042', 'OPT-043', 'OPT-048', 'ACP-11'],
    site: 'Call `deleteUser`, or `revokeSessions` for a disabled user, whose new sign-ins `callbacks.signIn` refuses. JWT sessions need `jwt.revocations`.',
  },
  {
    line: '7.4.3',
    asks: 'Offer to end other sessions after a factor changes',
    held: ['OPT-042', 'OPT-048', 'PW-09', 'PW-10', 'ACP-08', 'EC-07', 'POL-03', 'STM-01', 'STM-02'],
    site: 'After other changes, call `revokeSessions` with `except`. JWT sessions need `jwt.revocations`.',
  },
  {
    line: '7.4.4',
    asks: 'Every page offers to sign out',
    site: 'Link to the sign-out page, or post to it with the CSRF token.',
  },
  {
    line: '7.4.5',
    asks: 'Administrators can end sessions',
    held: ['OPT-041', 'OPT-042', 'OPT-048', 'POL-03', 'STM-03'],
    site: 'Call `revokeSessions`. JWT sessions need `jwt.revocations`. Replacing the secret ends all sessions in cookies.',
  },
  {
    line: '7.5.1',
    asks: 'Authenticate again before sensitive changes to the account',
    held: ['AL-03', 'WA-11', 'DEC-19a', 'DEC-38', 'SF-13', 'SF-20', 'ACP-13', 'EC-02', 'POL-02', 'FT-25'],
    site: 'Where sessions record it, linking an account, adding a passkey and changing an address demand a recent sign-in and the second factor. A sign-in at a provider may be a redirect without a password: for OpenID Connect, set `authorization.params.max_age` to 900 or less. Before your own code changes an address, demand one too: with `secondFactor`, `accountPage` or `emailChange`, call `requireSession(request, { freshness })`.',
  },
  {
    line: '7.5.2',
    asks: 'Users can see and end their sessions',
    held: ['SE-24', 'OPT-040', 'OPT-041', 'OPT-042', 'ACP-01', 'ACP-06', 'ACP-08'],
    site: 'Set `accountPage`, which ends sessions without a new sign-in. Or build the page with `listSessions` and `revokeSession`, and demand a recent sign-in. JWT sessions cannot be listed.',
  },
  {
    line: '7.5.3',
    asks: 'Authenticate again before highly sensitive operations',
    held: ['SF-14', 'ACP-13'],
    site: 'With `secondFactor`, `accountPage` or `emailChange`, call `requireSession(request, { freshness })`. Otherwise, make the user sign in again. For OpenID Connect, set `authorization.params.max_age`, so that the provider also asks again.',
  },
  {
    line: '7.6.1',
    asks: 'Session lifetimes of site and provider match the documentation',
    held: ['OPT-004', 'OPT-005', 'BCL-03'],
    site: 'A session of your site may outlast the one at the provider. Set `backChannelLogout`, or shorten `maxAge`.',
  },
  {
    line: '7.6.2',
    asks: 'No session without a user action',
    held: ['TX-17', 'TX-21', 'SE-03', 'DEC-28d', 'CD-04'],
    site: "Do not set `confirm: 'never'` on an e-mail provider.",
  },
]
