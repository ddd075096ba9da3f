import type { Mutant } from '../mutant.ts'

const admission = 'src/steps/admission.ts'
const memory = 'src/adapters/memory.ts'
const handler = 'src/handler/create-handler.ts'
const issue = 'src/steps/issue-session.ts'
const shown = 'src/steps/present-session.ts'

/** Faults that show when things happen at once, or go wrong in the middle. */
export const mutants: readonly Mutant[] = [
  {
    id: 'races/owner-not-awaited',
    file: admission,
    find: 'for (const pause of pauses) {',
    replace: 'for (const pause of pauses.slice(0, 0)) {',
    kills: ['CC-01'],
  },
  {
    id: 'races/address-not-read-again',
    file: 'src/steps/email-verification.ts',
    find: "return member ? { type: 'user.known', member }",
    replace: "return member?.id === '' ? { type: 'user.known', member }",
    kills: ['CC-02'],
  },
  {
    id: 'races/link-not-consumed',
    file: memory,
    find: 'useVerificationToken: ({ identifier, token }) => tokens.remove([identifier, token])',
    replace: 'useVerificationToken: ({ identifier, token }) => tokens.read([identifier, token])',
    kills: ['SU-01'],
  },
  {
    id: 'races/revoked-row-comes-back',
    file: memory,
    find: 'if (before === null) return null\n',
    replace: '',
    kills: ['CC-04'],
  },
  {
    id: 'races/sign-out-revokes-nothing',
    file: 'src/steps/sign-out.ts',
    find: 'const session = (await demandStore(world).deleteSession(heldCookie)) ?? null',
    replace: 'const session = (await demandStore(world).getSessionAndUser(heldCookie))?.session ?? null',
    kills: ['CC-03', 'CC-04'],
  },
  {
    id: 'races/extension-taken-back',
    file: memory,
    find: 'return lead > 0 && lead < lateness ? held : given',
    replace: 'return lead > lateness * lateness ? held : given',
    kills: ['CC-05'],
  },
  {
    id: 'races/update-not-handed-on',
    file: shown,
    find: '...(update && { trigger: update.trigger, newSession: update.data }),',
    replace: '',
    kills: ['CC-06'],
  },
  {
    id: 'races/keys-of-another-site',
    file: 'src/token/derive-keys.ts',
    find: 'const keys = secrets.get(secret) ?? createKeys(engine, secret)\n  secrets.set(secret, keys)',
    replace: "const keys = secrets.get('') ?? createKeys(engine, secret)\n  secrets.set('', keys)",
    kills: ['CC-07'],
  },
  {
    id: 'races/checks-kept',
    file: 'src/flows/endings.ts',
    find: 'cookies: clear(facts.visit, facts.transaction),',
    replace: 'cookies: clear(facts.visit, facts.transaction).slice(0, 0),',
    kills: ['CC-08'],
  },
  {
    id: 'races/keys-by-host',
    file: 'src/oauth/json-web-keys.ts',
    find: 'JSON.stringify([uri, provider.allowInsecureRequests])',
    replace: 'JSON.stringify([new URL(uri).origin, provider.allowInsecureRequests])',
    kills: ['CC-11'],
  },
  {
    id: 'races/one-outbox',
    file: handler,
    find: 'out: createOutbox() }',
    replace: "out: ((createWorld as { out?: World['out'] }).out ??= createOutbox()) }",
    kills: ['SE-20'],
  },
  {
    id: 'faults/cookie-before-all-is-done',
    file: issue,
    find: 'world.out.setCookies(csrf)',
    replace: 'world.out.setCookies(csrf.length > 0 ? (await changeCsrf(visit, world.settings)).cookies : [])',
    kills: ['FI-01', 'FI-11'],
  },
  {
    id: 'faults/hanging-link-not-noticed',
    file: admission,
    find: "await answerInTime(link(), 'linkAccount', world.platform).catch(asError)",
    replace: 'await link().catch(asError)',
    kills: ['FI-02'],
  },
  {
    id: 'faults/hanging-user-not-noticed',
    file: admission,
    find: "await answerInTime(create(), 'createUser', world.platform)",
    replace: 'await create()',
    kills: ['FI-02'],
  },
  {
    id: 'faults/hanging-credential-not-noticed',
    file: 'src/steps/enrolment.ts',
    find: "await answerInTime(create(), 'createAuthenticator', world.platform)",
    replace: 'await create()',
    kills: ['FI-02'],
  },
  {
    id: 'faults/anything-is-a-user',
    file: 'src/session/stored.ts',
    find: "if (typeof value === 'object' && isId((value as { id?: unknown }).id)) return value as AdapterUser",
    replace: 'if (value) return value as AdapterUser',
    kills: ['FI-03'],
  },
  {
    id: 'faults/no-deadline-of-requests',
    file: 'src/oauth/outbound-fetch.ts',
    find: "reject(new OutboundError('timed-out', `Expected an answer of ${name} within ${timeout} ms`))",
    replace: '',
    kills: ['FI-05'],
  },
  {
    id: 'faults/event-rejects',
    file: 'src/handler/finish.ts',
    find: 'logger.error(new EventError(asError(error), { event }))',
    replace: 'throw new EventError(error instanceof Error ? error : new Error(String(error)), { event })',
    kills: ['FI-07', 'FI-12'],
  },
  {
    id: 'faults/hiccup-shown-as-signed-out',
    file: 'src/flows/session.ts',
    find: "return { kind: 'json', status: 503, body: null, logs }",
    replace: "return { kind: 'json', status: 200, body: null, logs }",
    kills: ['FI-08'],
  },
  {
    id: 'faults/no-deadline-of-steps',
    file: 'src/flows/run.ts',
    find: 'report instanceof Promise ? withDeadline(report, node.step, world.platform) : report',
    replace: 'withDeadline && report',
    kills: ['FI-02', 'DEC-34'],
  },
  {
    id: 'faults/zeros-for-randomness',
    file: 'src/crypto/random.ts',
    find: '      crypto.getRandomValues(pool)\n',
    replace: '      try { crypto.getRandomValues(pool) } catch {}\n',
    kills: ['FI-11'],
  },
  {
    id: 'faults/late-keys-are-good-keys',
    file: 'src/oauth/verify-signature.ts',
    find: 'await jose.compactVerify(jwt, findKey(uri, provider, context), { algorithms: asymmetric })',
    replace:
      "await jose.compactVerify(jwt, findKey(uri, provider, context), { algorithms: asymmetric }).catch((error: Error) => { if (!error.message.includes('within')) throw error })",
    kills: ['FI-05'],
  },
  {
    id: 'races/one-document-for-all',
    file: 'src/oauth/discover-server.ts',
    find: 'const key = JSON.stringify([wellKnown, issuer, preset.issuerTemplate, allowInsecureRequests])',
    replace: 'const key = JSON.stringify([preset.issuerTemplate, allowInsecureRequests])',
    kills: ['CC-11', 'CC-07'],
  },
  {
    id: 'faults/rejection-not-heard',
    file: 'src/crypto/maybe-promise.ts',
    find: 'answer.catch(fail)',
    replace: 'answer',
    kills: ['FI-12', 'FI-01'],
  },
  {
    id: 'faults/old-session-first',
    file: issue,
    find: 'const row = demandSession(',
    replace: "await store.deleteSession(visit.cookies.get(cookie.name) ?? '')\n  const row = demandSession(",
    kills: ['FI-13'],
  },
]
