import type { SecurityLine } from './line.ts'

const passwords =
  'With `Credentials`, your code handles the [passwords](passwords.md#what-you-build-yourself).'
/** OWASP ASVS 5.0, chapter 6: authentication. */
export const authentication: readonly SecurityLine[] = [
  {
    line: '6.1.1',
    asks: 'Document rate limits and other defences against guessing',
    site: 'Document what your `rateLimit` callback counts, and how a lockout ends.',
  },
  {
    line: '6.1.2',
    asks: 'List words that passwords must not contain',
    site: passwords,
  },
  {
    line: '6.1.3',
    asks: 'Document every way to sign in, and its strength',
    site: 'List your providers and the strength that you expect of each.',
  },
  { line: '6.2.1', asks: 'Passwords of at least 8 characters', held: ['PW-06'], site: passwords },
  { line: '6.2.2', asks: 'Users can change their password', held: ['PW-10'], site: passwords },
  { line: '6.2.3', asks: 'A change needs the old and the new password', held: ['PW-10'], site: passwords },
  { line: '6.2.4', asks: 'Refuse common passwords', site: passwords },
  { line: '6.2.5', asks: 'Allow any characters', held: ['PW-06'], site: passwords },
  {
    line: '6.2.6',
    asks: 'Mask password fields',
    site: "Give the field `type: 'password'` in the provider's `credentials`.",
  },
  {
    line: '6.2.7',
    asks: 'Allow pasting and password managers',
    site: 'Set `autocomplete` on the field. Your own pages must not block pasting.',
  },
  {
    line: '6.2.8',
    asks: 'Verify passwords exactly as typed',
    held: ['WIR-047'],
    site: 'In `authorize`, compare the password without trimming it, truncating it or changing its case.',
  },
  {
    line: '6.2.9',
    asks: 'Allow passwords of at least 64 characters',
    held: ['PW-06'],
    site: passwords,
  },
  { line: '6.2.10', asks: 'No forced periodic change of passwords', site: passwords },
  { line: '6.2.11', asks: 'Enforce the list of forbidden words', site: passwords },
  {
    line: '6.2.12',
    asks: 'Refuse breached passwords',
    held: ['PW-11'],
    site: 'Set `checkBreached` of `Password`. With `Credentials`, your code checks them.',
  },
  {
    line: '6.3.1',
    asks: 'Defend against credential stuffing and brute force',
    held: ['OPT-003', 'RL-03', 'RL-09', 'PW-15', 'FT-12'],
    site: 'Configure `authmachine/rate-limit`, or count attempts in `rateLimit`. Without this callback, there is no limit.',
  },
  {
    line: '6.3.2',
    asks: 'No default accounts',
    site: 'The library creates no default accounts. Do not create any yourself.',
  },
  {
    line: '6.3.3',
    asks: 'Require multi-factor authentication',
    held: ['WA-04', 'SF-01', 'SF-14', 'SF-09', 'SF-18', 'POL-01'],
    site: 'Use `passkey`, which requires user verification, or configure `secondFactor` and demand it with `requireSession`.',
  },
  {
    line: '6.3.4',
    asks: 'No undocumented ways to sign in, and the same rules for all',
    held: ['CB-01', 'WA-09', 'HH-03', 'POL-01', 'FT-01', 'FT-08'],
    site: 'Put rules that apply to everyone in `callbacks.signIn`, which runs for each type of provider.',
  },
  {
    line: '6.3.5',
    asks: 'Tell users about suspicious attempts',
    site: 'Notify users from `events.signIn` and `rateLimit`.',
  },
  {
    line: '6.3.6',
    asks: 'No e-mail as an authentication factor',
    site: 'Do not configure an e-mail provider if you need this level.',
  },
  {
    line: '6.3.7',
    asks: 'Tell users when their authentication details change',
    held: ['AL-07', 'EVT-011', 'EVT-012', 'EC-08', 'POL-07'],
    site: 'Set `sendNotice`, which gets each notice that the [table of changes](security.md#changes-to-an-account) names, or notify users from the events. Notify them as well when your code changes a password or an address. `emailChange` tells the previous address itself.',
  },
  {
    line: '6.3.8',
    asks: 'Failures do not show whether a user exists',
    held: ['IL-01', 'IL-10', 'WA-08', 'CB-06', 'PW-02', 'PW-07', 'PW-16', 'EC-04', 'STM-02'],
    open: ['TM-01'],
    site: 'Make your own `authorize` take equally long for unknown users. A custom `getUserInfo` on a passkey provider may [reveal who has an account](passkeys.md#known-and-unknown-addresses).',
  },
  {
    line: '6.4.1',
    asks: 'Initial passwords and activation codes are random and expire',
    inapplicable: 'The library issues neither. Mailed links are under 6.5.1 to 6.5.5.',
  },
  {
    line: '6.4.2',
    asks: 'No password hints or secret questions',
    site: 'The library has neither. Do not add them.',
  },
  {
    line: '6.4.3',
    asks: 'Resetting a password does not bypass other factors',
    held: ['SF-01', 'POL-01'],
    site: 'With `secondFactor`, a reset asks for the code before it shows the form. If you check another factor yourself, refuse the sign-in in `callbacks.signIn` until the user has passed it.',
  },
  {
    line: '6.4.4',
    asks: 'Prove identity again after losing a factor',
    held: ['SF-13', 'ACP-14'],
    site: 'You build account recovery.',
  },
  {
    line: '6.4.5',
    asks: 'Remind users before an authentication mechanism expires',
    inapplicable: 'Passkeys and linked accounts do not expire.',
  },
  {
    line: '6.4.6',
    asks: 'Administrators start a reset but never choose the password',
    site: 'Administrators can request the link for a user at `/auth/password/password`; only the user receives it. Build no page on which they choose the password.',
  },
  {
    line: '6.5.1',
    asks: 'Codes and out-of-band tokens work once',
    held: ['SU-01', 'CD-02', 'SF-05', 'SF-06', 'SU-16'],
    site: 'If your `authorize` checks one-time codes, make it accept each code only once.',
  },
  { line: '6.5.2', asks: 'Store one-time secrets hashed', held: ['SU-04', 'CD-07', 'SF-06'] },
  {
    line: '6.5.3',
    asks: 'Generate one-time secrets with a secure generator',
    held: ['SU-05', 'CD-01'],
    site: 'Use a secure generator in a custom `generateVerificationToken` too.',
  },
  { line: '6.5.4', asks: 'At least 20 bits in an out-of-band code', held: ['SU-05', 'OPT-010', 'CD-01'] },
  {
    line: '6.5.5',
    asks: 'Out-of-band tokens expire after at most ten minutes',
    held: ['SU-03', 'CD-05', 'SF-03'],
    open: ['SU-08'],
    site: 'Set `maxAge: 600` on the e-mail provider, or mail codes; by default, a link is valid for a day, as in Auth.js.',
  },
  {
    line: '6.5.6',
    asks: 'Any factor can be revoked after loss or theft',
    site: 'Delete the passkey’s row, or call the adapter’s `deleteFactor` or `unlinkAccount`, and end the sessions.',
  },
  {
    line: '6.5.7',
    asks: 'Biometrics only together with another factor',
    inapplicable: 'The library receives no biometric data. The authenticator that holds the key checks it.',
  },
  {
    line: '6.5.8',
    asks: 'Check TOTPs against a trusted clock',
    held: ['SF-03'],
    site: 'Synchronize the clocks of your servers.',
  },
  {
    line: '6.6.1',
    asks: 'Restrict codes by SMS and telephone',
    inapplicable: 'The library sends no codes by SMS or telephone.',
  },
  {
    line: '6.6.2',
    asks: 'Bind out-of-band tokens to their own request',
    held: ['SU-02', 'SU-07', 'SU-15', 'DEC-28d', 'DEC-37', 'OPT-011', 'CD-03', 'CD-04', 'CD-06'],
    uncovered: 'A link that another browser requested stays valid until it expires.',
    site: 'Set `supersedeLinks: true` on the e-mail provider. Without it, a new link leaves the older ones valid.',
  },
  {
    line: '6.6.3',
    asks: 'Limit guesses at out-of-band codes',
    held: ['SU-05', 'SU-06', 'OPT-003', 'OPT-010', 'CD-02', 'SF-11', 'FT-10'],
    site: 'The default token has too many bits to guess, and five guesses at a code are compared. Count the requests for codes (`email`) in `rateLimit`. If your `generateVerificationToken` returns short codes, use `authmachine/rate-limit`, or count `verification` attempts in `rateLimit`.',
  },
  {
    line: '6.6.4',
    asks: 'Limit push notifications',
    inapplicable: 'The library sends no push notifications.',
  },
  {
    line: '6.7.1',
    asks: 'Protect the keys that verify assertions from modification',
    site: 'The public keys of passkeys are rows in your database. Anyone who can write to it can add one.',
  },
  {
    line: '6.7.2',
    asks: 'Challenges are unique and at least 64 bits long',
    held: ['WA-01', 'WA-02'],
    uncovered:
      'Challenges are in cookies: a browser that restores an old cookie can use it again until it expires.',
  },
  {
    line: '6.8.1',
    asks: 'One identity provider cannot impersonate users of another',
    held: ['OI-17', 'OI-21', 'AL-01', 'AL-02', 'AL-04', 'AL-12', 'AL-13', 'TX-05', 'WA-10', 'DEC-39b'],
    site: 'Set `allowDangerousEmailAccountLinking` and `storeUnverifiedEmail` only for providers that verify addresses.',
  },
  {
    line: '6.8.2',
    asks: 'Verify the signatures of assertions',
    held: ['OI-06', 'OI-07', 'DEC-09a', 'DEC-09c'],
  },
  { line: '6.8.3', asks: 'Use each SAML assertion once', inapplicable: 'The library does not support SAML.' },
  {
    line: '6.8.4',
    asks: 'Verify the strength and recency of a provider’s authentication',
    held: ['OI-25', 'SF-07', 'POL-04'],
    site: 'For recency, set `authorization.params.max_age`: the library checks `auth_time`. For strength, send `acr_values`, and check `acr` and `amr` of the profile in `callbacks.signIn`.',
  },
]
