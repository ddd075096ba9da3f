import type { Mutant } from '../mutant.ts'

const settings = 'src/config/derive-settings.ts'
const check = 'src/config/check-config.ts'
const answer = 'src/handler/answer.ts'
const chunks = 'src/cookies/chunks.ts'
const table = 'src/cookies/cookie-table.ts'
const visit = 'src/http/parse-visit.ts'
const find = 'src/token/find-token.ts'
const auth = 'src/create-auth.ts'
const csrf = 'src/steps/check-csrf.ts'

/** Faults of what sessions are configured to be, of their cookies, and of who asks for them. */
export const mutants: readonly Mutant[] = [
  {
    id: 'session/always-tokens',
    file: settings,
    find: "(config.adapter ? 'database' : 'jwt')",
    replace: "'jwt'",
    kills: ['SES-002'],
  },
  {
    id: 'session/always-rows',
    file: settings,
    find: "(config.adapter ? 'database' : 'jwt')",
    replace: "'database'",
    kills: ['SES-001'],
  },
  {
    id: 'session/strategy-ignored',
    file: settings,
    find: 'given?.strategy ?? (',
    replace: '(',
    kills: ['SES-002'],
  },
  {
    id: 'session/shorter-month',
    file: settings,
    find: '30 * day',
    replace: '29 * day',
    kills: ['SES-003', 'SES-004', 'LIM-001', 'LIM-003'],
  },
  {
    id: 'session/longer-day',
    file: settings,
    find: 'given?.updateAge ?? day',
    replace: 'given?.updateAge ?? 2 * day',
    kills: ['SES-005', 'LIM-002'],
  },
  {
    id: 'session/short-ids',
    file: settings,
    find: 'randomBytes(32)',
    replace: 'randomBytes(8)',
    kills: ['SES-009', 'DEC-15b', 'SE-15', 'SES-011'],
  },
  {
    id: 'session/ids-of-their-own',
    file: settings,
    find: 'given?.generateSessionToken ??',
    replace: '',
    kills: ['SES-008'],
  },
  {
    id: 'session/token-outlives-session',
    file: settings,
    find: 'Math.min(config.jwt?.maxAge ?? session.maxAge, session.maxAge)',
    replace: 'config.jwt?.maxAge ?? session.maxAge',
    kills: ['DEC-24c', 'SE-25', 'LIM-003'],
  },
  {
    id: 'session/newest-secret-alone',
    file: settings,
    find: 'config.jwt?.secret === undefined ? secrets :',
    replace: 'config.jwt?.secret === undefined ? secrets.slice(0, 1) :',
    kills: ['ATN-013'],
  },
  {
    id: 'session/any-host-trusted',
    file: check,
    find: 'if (trustHost) return undefined',
    replace: 'if (trustHost || !trustHost) return undefined',
    kills: ['ATN-014'],
  },
  {
    id: 'session/check-not-switched-off',
    file: csrf,
    find: '!settings.csrf || ',
    replace: '',
    kills: ['WIR-011'],
  },
  {
    id: 'session/any-age',
    file: check,
    find: ' && age > 0 && age <= longest',
    replace: '',
    kills: ['DEC-24e'],
  },
  {
    id: 'session/session-cacheable',
    file: answer,
    find: 'answer: { status, ...json(body), cookies, private: true },\n        announces',
    replace: 'answer: { status, ...json(body), cookies },\n        announces',
    kills: ['CK-12', 'WIR-013'],
  },
  {
    id: 'session/stale-pieces-kept',
    file: chunks,
    find: '.filter((name) => !names.has(name))',
    replace: '.filter(() => false)',
    kills: ['CK-05'],
  },
  {
    id: 'session/pieces-not-cleared',
    file: chunks,
    find: 'const pieces = carriedPieces(cookies, cookie.name).filter((name) => name !== cookie.name)',
    replace: 'const pieces: string[] = []',
    kills: ['SE-11', 'CK-16', 'WIR-052'],
  },
  {
    id: 'session/readable-by-scripts',
    file: table,
    find: 'httpOnly: true',
    replace: 'httpOnly: false',
    kills: ['ATN-011'],
  },
  {
    id: 'session/never-secure',
    file: visit,
    find: "settings.useSecureCookies ?? origin.startsWith('https:')",
    replace: 'settings.useSecureCookies ?? false',
    kills: ['ATN-015'],
  },
  {
    id: 'session/bearer-ignored',
    file: find,
    find: 'cookie ? cookie : readBearer',
    replace: 'cookie ? cookie : void',
    kills: ['ATN-016'],
  },
  {
    id: 'session/cookies-ignored',
    file: find,
    find: 'return cookie ? cookie : readBearer',
    replace: 'return readBearer',
    kills: ['ATN-016'],
  },
  {
    id: 'session/any-status-a-session',
    file: auth,
    find: 'response.status === 200 ? await',
    replace: 'response.status > 0 ? await',
    kills: ['SE-22'],
  },
  {
    id: 'session/any-body-a-session',
    file: auth,
    find: ' && Object.keys(body).length > 0',
    replace: '',
    kills: ['SE-22'],
  },
  {
    id: 'session/throws-instead',
    file: auth,
    find: '    return { session: null, cookies: [] }\n',
    replace: "    throw new Error('no session')\n",
    kills: ['SE-22'],
  },
  {
    id: 'session/update-needs-no-proof',
    file: csrf,
    find: "visit.method === 'GET'",
    replace: "visit.action === 'session'",
    kills: ['TX-17', 'TX-18', 'WIR-007'],
  },
  {
    id: 'session/proof-by-query',
    file: csrf,
    find: 'visit.body.csrfToken',
    replace: "visit.body.csrfToken ?? visit.query.get('csrfToken')",
    kills: ['TX-17'],
  },
]
