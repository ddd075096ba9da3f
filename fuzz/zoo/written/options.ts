import type { Mutant } from '../mutant.ts'

const admission = 'src/steps/admission.ts'
const limit = 'src/steps/ask-rate-limit.ts'
const logout = 'src/steps/end-session.ts'
const recognise = 'src/steps/recognise.ts'
const lifetime = 'src/session/lifetime.ts'
const refresh = 'src/steps/refresh.ts'
const answers = 'src/oauth/refresh-tokens.ts'
const memory = 'src/adapters/memory.ts'

/** Faults of what an application may ask for beyond the interface specification. */
export const mutants: readonly Mutant[] = [
  {
    id: 'options/tokens-of-the-first-sign-in',
    file: admission,
    find: "if (!store.has('updateAccount')) return",
    replace: "if (store.has('updateAccount')) return",
    kills: ['OPT-001'],
  },
  {
    id: 'options/token-not-sent-again-erased',
    file: admission,
    find: 'const updated = await store.updateAccount({ ...kept, ...key })',
    replace: "const updated = await store.updateAccount({ refresh_token: '', ...kept, ...key })",
    kills: ['OPT-001'],
  },
  {
    id: 'options/held-token-not-compared',
    file: memory,
    find: 'if (held && accounts.read(key)?.refresh_token !== held.refresh_token) return null',
    replace: 'if (held && accounts.read(key)?.refresh_token === undefined) return null',
    kills: ['OPT-002'],
  },
  {
    id: 'options/held-token-not-compared-in-the-database',
    file: 'src/adapters/kysely-table.ts',
    find: '.where((eb) => eb.and({ ...key, ...held }))',
    replace: '.where((eb) => eb.and(key))',
    kills: ['OPT-002'],
  },
  {
    id: 'options/limit-not-heeded',
    file: limit,
    find: 'if (decision === true) return',
    replace: 'if (decision || attempt) return',
    kills: ['OPT-003'],
  },
  {
    id: 'options/limit-on-what-was-typed',
    file: limit,
    find: "{ type: 'email', provider: mailProvider.id, identifier }",
    replace: "{ type: 'email', provider: mailProvider.id, identifier: String(visit.body.email) }",
    kills: ['OPT-003'],
  },
  {
    id: 'options/limit-is-no-status',
    file: 'src/pages/error-text.ts',
    find: 'status: 429',
    replace: 'status: 200',
    kills: ['OPT-003'],
  },
  {
    id: 'options/logout-without-hint',
    file: logout,
    find: 'logoutHint: idToken ? { idToken } : {}',
    replace: 'logoutHint: idToken ? {} : {}',
    kills: ['OPT-004'],
  },
  {
    id: 'options/logout-leads-nowhere',
    file: logout,
    find: "url.searchParams.set('post_logout_redirect_uri', callbackUrl)",
    replace: "url.searchParams.set('redirect_uri', callbackUrl)",
    kills: ['OPT-004'],
  },
  {
    id: 'options/logout-asked-of-nobody',
    file: logout,
    find: 'return endSession && ended ? ask(endSession, ended, world)',
    replace: 'return endSession ? ask(endSession, ended ?? ({} as never), world)',
    kills: ['OPT-004'],
  },
  {
    id: 'options/logout-fault-passed-on',
    file: logout,
    find: '    logger.error(new SignOutError(asError(error)))\n    return local',
    replace: '    logger.error(new SignOutError(asError(error)))\n    throw error',
    kills: ['OPT-005'],
  },
  {
    id: 'options/revoked-token-counts',
    file: recognise,
    find: "revoked ? { type: 'token.invalid' }",
    replace: "revoked === undefined ? { type: 'token.invalid' }",
    kills: ['OPT-006'],
  },
  {
    id: 'options/no-answer-is-no',
    file: recognise,
    find: "if (typeof answer === 'boolean') return answer",
    replace: 'if (answer !== Object) return answer === true',
    kills: ['OPT-006'],
  },
  {
    id: 'options/leaving-is-asked-about',
    file: recognise,
    find: 'export const openLeavingToken = openWith(() => false)',
    replace: 'export const openLeavingToken = openToken',
    kills: ['OPT-006', 'SE-11'],
  },
  {
    id: 'options/lifetime-lost-in-the-callback',
    file: lifetime,
    find: 'session.signInMaxAge && before[claim] !== undefined ?',
    replace: 'session.signInMaxAge && before[claim] === undefined ?',
    kills: ['OPT-007'],
  },
  {
    id: 'options/lifetime-beyond-max-age',
    file: lifetime,
    find: 'Math.floor(Math.min(chosen, session.maxAge))',
    replace: 'Math.floor(Math.max(chosen, session.maxAge))',
    kills: ['OPT-007'],
  },
  {
    id: 'options/short-row-never-extended',
    file: lifetime,
    find: 'updateAge: Math.min(session.updateAge, maxAge / 2)',
    replace: 'updateAge: session.updateAge',
    kills: ['OPT-007'],
  },
  {
    id: 'options/any-lifetime-taken',
    file: lifetime,
    find: 'if (!(Number.isFinite(chosen) && chosen > 0))',
    replace: 'if (Number.isNaN(session.maxAge))',
    kills: ['OPT-007'],
  },
  {
    id: 'options/refresh-without-claim',
    file: refresh,
    find: "return taken ? { type: 'refresh.claimed', claim }",
    replace: "return taken !== undefined ? { type: 'refresh.claimed', claim }",
    kills: ['RO-06'],
  },
  {
    id: 'options/refresh-not-waited-for',
    file: refresh,
    find: 'if (now < claimedUntil) return',
    replace: 'if (now < claimedUntil - now) return',
    kills: ['RO-06'],
  },
  {
    id: 'options/claim-for-ever',
    file: 'src/session/refresh-claim.ts',
    find: 'claimedUntil: Number(until)',
    replace: 'claimedUntil: Number(until) * 2',
    kills: ['RO-06'],
  },
  {
    id: 'options/newer-tokens-overwritten',
    file: refresh,
    find: '      { refresh_token: claim },\n    )\n    return linkedAccount',
    replace: '    )\n    return linkedAccount',
    kills: ['RO-06'],
  },
  {
    id: 'options/refused-token-kept',
    file: refresh,
    find: "{ ...accountKey, refresh_token: '' }, { refresh_token: claim }",
    replace: '{ ...accountKey }, { refresh_token: claim }',
    kills: ['RO-07'],
  },
  {
    id: 'options/any-error-is-for-good',
    file: answers,
    find: 'error instanceof oauth.ResponseBodyError && forGood.includes(error.error)',
    replace: 'error instanceof oauth.ResponseBodyError',
    kills: ['RO-07'],
  },
  {
    id: 'options/claim-not-released',
    file: refresh,
    find: 'const patch = { ...accountKey, refresh_token: refreshToken }',
    replace: 'const patch = { ...accountKey, refresh_token: claim || refreshToken }',
    kills: ['RO-07'],
  },
  {
    id: 'options/rotated-token-not-stored',
    file: refresh,
    find: 'refresh_token: renewed.refresh_token ?? refreshToken',
    replace: 'refresh_token: refreshToken',
    kills: ['RO-08', 'OPT-008'],
  },
  {
    id: 'options/exposed-unstored',
    file: refresh,
    find: "return linkedAccount ? { type: 'tokens.stored', linkedAccount } :",
    replace:
      "return linkedAccount ? { type: 'tokens.stored', linkedAccount: { ...linkedAccount, access_token: 'other' } } :",
    kills: ['RO-08', 'OPT-008'],
  },
  {
    id: 'options/refresh-too-late',
    file: refresh,
    find: 'const margin = 60',
    replace: 'const margin = 0',
    kills: ['OPT-008'],
  },
  {
    id: 'options/anybodys-id-token',
    file: answers,
    find: 'return one.sub !== undefined && one.sub === other.sub && one.iss === other.iss',
    replace: 'return one.sub !== undefined && one.iss === other.iss',
    kills: ['OI-24'],
  },
]
