import { mutantsOf, type Mutant } from '../mutant.ts'

/** Missing limits on texts that clients and providers choose, and bugs in rate limits. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/text/normalise.ts', [
    {
      id: 'limits/texts-of-any-length-normalised',
      in: 'normalise',
      find: 'text.length <= longest && ',
      replace: 'longest > 0 && ',
      breaks: ['LM-14'],
    },
  ]),
  ...mutantsOf('src/oauth/fetch-userinfo.ts', [
    {
      id: 'limits/odd-userinfo-is-unexpected',
      in: 'checkUserinfo',
      find: "return failFrom(error, 'userinfo-refused', what, adviseUserinfo)",
      replace: 'throw error',
      breaks: ['LM-17'],
    },
  ]),
  ...mutantsOf('src/text/typed-secret.ts', [
    {
      id: 'codes/spaces-count',
      in: 'fold',
      find: '[\\s\\p{Pd}\\p{Cf}\\u2212]',
      replace: '[\\p{Cf}\\u2212]',
      breaks: ['CD-08', 'SF-21'],
    },
    {
      id: 'typed/digits-of-one-script',
      in: 'fold',
      find: '.replaceAll(/(?!\\d)\\p{Nd}/gu, toAscii)',
      replace: ".replaceAll(/(?!\\d)\\p{Nd}/gu, (digit) => (digit === '' ? toAscii(digit) : digit))",
      breaks: ['SF-21', 'CD-08'],
    },
  ]),
  ...mutantsOf('src/rate-limit/counter.ts', [
    {
      id: 'rate-limits/attempts-at-once-count-once',
      in: 'openCounter',
      find: '(await consume(memory, key, flexible))',
      replace: '(await consume(memory, `${key} ${Math.random()}`, flexible))',
      breaks: ['CC-09', 'SU-06', 'LM-02', 'RL-03'],
    },
    {
      id: 'rate-limits/key-in-clear',
      in: 'openCounter',
      find: 'const key = await sha256Hex(subject) const used',
      replace: 'const key = subject; const used',
      breaks: ['RL-04'],
    },
    {
      id: 'rate-limits/no-patience',
      in: 'withinSecond',
      find: 'setTimeout(late, 1000)',
      replace: 'setTimeout(late, 20_000)',
      breaks: ['RL-05'],
    },
  ]),
  ...mutantsOf('src/rate-limit/client-network.ts', [
    {
      id: 'rate-limits/each-address-of-a-network',
      in: 'networkOf',
      find: '.slice(0, 4)',
      replace: '',
      breaks: ['RL-06', 'LM-03', 'LM-02'],
    },
  ]),
  ...mutantsOf('src/rate-limit/create-rate-limits.ts', [
    {
      id: 'rate-limits/client-in-a-header-of-anybody',
      in: 'createRateLimits',
      find: 'options.clientAddress?.(attempt.request)',
      replace:
        "(options.clientAddress ?? (({ headers }) => headers.get('x-forwarded-for') ?? undefined))(attempt.request)",
      breaks: ['RL-06', 'LM-03', 'LM-02'],
    },
    {
      id: 'rate-limits/reset-does-nothing',
      in: 'createRateLimits',
      find: 'counters.credentials?.reset(nameAccount(attempt.provider, attempt.credentials))',
      replace: 'void nameAccount(attempt.provider, attempt.credentials)',
      breaks: ['RL-07'],
    },
    {
      id: 'rate-limits/mails-not-counted',
      in: 'countSubject',
      find: "case 'email':",
      replace: '',
      breaks: ['LM-02', 'LM-05', 'RL-03'],
    },
    {
      id: 'rate-limits/guesses-not-counted',
      in: 'countSubject',
      find: "case 'verification':",
      replace: '',
      breaks: ['SU-06', 'RL-03'],
    },
    {
      id: 'rate-limits/account-of-a-further-field',
      in: 'createRateLimits',
      find: 'options.account?.(credentials)',
      replace: 'credentials.account ?? options.account?.(credentials)',
      breaks: ['RL-09'],
    },
    {
      id: 'rate-limits/nameless-credentials-share-a-count',
      in: 'createRateLimits',
      find: 'options.account?.(credentials)',
      replace: "options.account?.(credentials) ?? ''",
      breaks: ['RL-08'],
    },
  ]),
  ...mutantsOf('src/features/passwords/rate-limit.ts', [
    {
      id: 'rate-limits/changes-of-a-field',
      in: 'checkChangeRateLimit',
      find: 'account: nameAccount(email)',
      replace: 'account: nameAccount(visit.body.email ?? email)',
      breaks: ['RL-09'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'rate-limits/accounts-as-typed',
      in: 'nameAccount',
      find: "canonicaliseAddress(email) ?? (typeof email === 'string' ? email : '')",
      replace: "typeof email === 'string' ? email : ''",
      breaks: ['LM-03'],
    },
    {
      id: 'rate-limits/mails-of-a-parameter',
      in: 'checkMailRateLimit',
      find: 'provider: mailProvider.id, identifier }',
      replace: "provider: mailProvider.id, identifier: visit.query.get('email') ?? identifier }",
      breaks: ['RL-09'],
    },
    {
      id: 'rate-limits/guesses-of-a-browser',
      in: 'checkVerificationRateLimit',
      find: 'provider: mailProvider.id, identifier }',
      replace:
        "provider: mailProvider.id, identifier: visit.request.headers.get('user-agent') ?? identifier }",
      breaks: ['RL-09'],
    },
    {
      id: 'rate-limits/time-rounded-down',
      in: 'readRetryAfter',
      find: 'Math.ceil(decision.retryAfter)',
      replace: 'Math.floor(decision.retryAfter)',
      breaks: ['RL-02'],
    },
  ]),
  ...mutantsOf('src/flows/shared/prove-passkey.ts', [
    {
      id: 'rate-limits/options-asked-as-mail',
      in: 'checkOptionsRateLimit',
      find: "{ type: 'passkey-options', provider: webauthnProvider.id }",
      replace: "{ type: 'email', provider: webauthnProvider.id, identifier: '' }",
      breaks: ['RL-01'],
    },
  ]),
]
