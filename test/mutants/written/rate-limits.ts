import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in rate limits: the counters, and the responses over the limit. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/rate-limit/counter.ts', [
    {
      id: 'rate-limits/one-attempt-fewer',
      in: 'openCounter',
      find: 'used.consumedPoints <= attempts',
      replace: 'used.consumedPoints < attempts',
      breaks: ['RL-03'],
    },
    {
      id: 'rate-limits/milliseconds-as-seconds',
      in: 'openCounter',
      find: 'used.msBeforeNext / 1000',
      replace: 'used.msBeforeNext',
      breaks: ['RL-03'],
    },
    {
      id: 'rate-limits/key-in-clear',
      in: 'openCounter',
      find: 'const key = await sha256Hex(subject) const used',
      replace: 'const key = subject; const used',
      breaks: ['RL-04'],
    },
    {
      id: 'rate-limits/outage-not-reported',
      in: 'openCounter',
      find: 'onError(asError(error))',
      replace: '',
      breaks: ['RL-05'],
    },
    {
      id: 'rate-limits/no-limit-during-outage',
      in: 'openCounter',
      find: '?? (await consume(memory, key, flexible))',
      replace: '?? { consumedPoints: 0, msBeforeNext: 0 }',
      breaks: ['RL-05'],
    },
    {
      id: 'rate-limits/no-patience',
      in: 'withinSecond',
      find: 'setTimeout(late, 1000)',
      replace: 'setTimeout(late, 20_000)',
      breaks: ['RL-05'],
    },
    {
      id: 'rate-limits/every-client-as-ioredis',
      in: 'openLimiter',
      find: "'evalSha' in store.client",
      replace: 'false',
      breaks: ['RL-03'],
    },
    {
      id: 'rate-limits/counted-in-each-process',
      in: 'openCounter',
      find: 'store && openLimiter(flexible, store, terms)',
      replace: 'undefined as RateLimiterAbstract | undefined',
      breaks: ['RL-03'],
    },
  ]),
  ...mutantsOf('src/rate-limit/client-network.ts', [
    {
      id: 'rate-limits/each-address-of-a-network',
      in: 'networkOf',
      find: '.slice(0, 4)',
      replace: '',
      breaks: ['RL-06'],
    },
    {
      id: 'rate-limits/all-mapped-addresses-as-one-network',
      in: 'networkOf',
      find: 'if (isMapped) return',
      replace: 'if (!isMapped) void',
      breaks: ['RL-06'],
    },
    {
      id: 'rate-limits/any-text-as-an-address',
      in: 'networkOf',
      find: "if (!groups) throw new TypeError('`clientAddress` must return an IPv4 or IPv6 address, without a port')",
      replace: 'if (!groups) return address',
      breaks: ['RL-06'],
    },
  ]),
  ...mutantsOf('src/rate-limit.ts', [
    {
      id: 'rate-limits/refused-client-counts-for-the-account',
      in: 'createRateLimits',
      find: 'refused ?? (await countSubject(attempt))',
      replace: '(await countSubject(attempt)) ?? refused',
      breaks: ['RL-06'],
    },
    {
      id: 'rate-limits/client-in-a-header-of-anybody',
      in: 'createRateLimits',
      find: 'options.clientAddress?.(attempt.request)',
      replace:
        "(options.clientAddress ?? (({ headers }) => headers.get('x-forwarded-for') ?? undefined))(attempt.request)",
      breaks: ['RL-06'],
    },
    {
      id: 'rate-limits/reset-does-nothing',
      in: 'createRateLimits',
      find: 'counters.credentials?.reset(nameAccount(provider, credentials))',
      replace: 'void nameAccount(provider, credentials)',
      breaks: ['RL-07'],
    },
    {
      id: 'rate-limits/reset-of-every-provider',
      in: 'createRateLimits',
      find: 'JSON.stringify([provider, foldName(name)])',
      replace: 'foldName(name)',
      breaks: ['RL-03', 'RL-07'],
    },
    {
      id: 'rate-limits/each-case-of-a-name',
      in: 'foldName',
      find: '.toLowerCase()',
      replace: '',
      breaks: ['RL-08'],
    },
    {
      id: 'rate-limits/nameless-credentials-share-a-count',
      in: 'createRateLimits',
      find: 'options.account?.(credentials)',
      replace: "options.account?.(credentials) ?? ''",
      breaks: ['RL-08'],
    },
  ]),
  ...mutantsOf('src/flows/shared/rate-limit.ts', [
    {
      id: 'rate-limits/time-not-sent',
      in: 'judge',
      find: 'if (retryAfter !== undefined) failure.retryAfter = retryAfter',
      replace: '',
      breaks: ['RL-02'],
    },
    {
      id: 'rate-limits/time-rounded-down',
      in: 'readRetryAfter',
      find: 'Math.ceil(decision.retryAfter)',
      replace: 'Math.floor(decision.retryAfter)',
      breaks: ['RL-02'],
    },
    {
      id: 'rate-limits/negative-time-sent',
      in: 'readRetryAfter',
      find: 'seconds > 0',
      replace: 'seconds !== 0',
      breaks: ['RL-02'],
    },
    {
      id: 'rate-limits/options-asked-as-mail',
      in: 'askOptionsRateLimit',
      find: "{ type: 'passkey-options', provider: webauthnProvider.id }",
      replace: "{ type: 'email', provider: webauthnProvider.id, identifier: '' }",
      breaks: ['RL-01'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      id: 'rate-limits/json-with-status-200',
      in: 'respond',
      find: 'limited ? 429 : 200',
      replace: '200',
      breaks: ['RL-02'],
    },
    {
      id: 'rate-limits/delayed-redirect',
      in: 'respond',
      find: 'headers: { ...headers, Location }, cookies, body: null',
      replace:
        'headers: { ...headers, ...limitHeaders(answer.limited ?? {}), Location }, cookies, body: null',
      breaks: ['RL-02'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'rate-limits/time-for-any-error',
      in: 'readRetryAfter',
      find: "query.get('error') === 'RateLimited'",
      replace: "query.get('error') !== null",
      breaks: ['RL-02'],
    },
    {
      id: 'rate-limits/any-text-as-a-time',
      in: 'readRetryAfter',
      find: '/^[1-9]\\d{0,8}$/.test(seconds)',
      replace: "seconds !== ''",
      breaks: ['RL-02'],
    },
  ]),
]
