import type { Mutant } from '../mutant.ts'

const auth = 'src/integrations/qwik/auth.qwik.ts'
const solid = 'src/integrations/solid-start.ts'
const act = 'src/integrations/qwik/act.ts'
const event = 'src/integrations/qwik/event.ts'
const inputs = 'src/integrations/qwik/inputs.ts'
const serve = 'src/integrations/qwik/serve-event.ts'

/** Faults of the two framework integrations. */
export const mutants: readonly Mutant[] = [
  {
    id: 'integrations/solid-prefix-fixed',
    file: solid,
    find: '(prefix ?? basePath)',
    replace: 'basePath',
    kills: ['CFG-006', 'RTE-002'],
  },
  {
    id: 'integrations/solid-at-auth',
    file: solid,
    find: "basePath = '/api/auth' }",
    replace: "basePath = '/auth' }",
    kills: ['CFG-006', 'INT-014'],
  },
  {
    id: 'integrations/solid-without-post',
    file: solid,
    find: '{ GET: answer, POST: answer }',
    replace: '{ GET: answer, POST: async () => undefined }',
    kills: ['INT-014', 'INT-015'],
  },
  {
    id: 'integrations/solid-answers-everything',
    file: solid,
    find: "if (!pathname.startsWith(`${prefix}/`) || !isAuthAction(action ?? '')) return undefined",
    replace: 'if (!pathname.startsWith(prefix)) return undefined',
    kills: ['INT-015'],
  },
  {
    id: 'integrations/solid-session-of-nobody',
    file: solid,
    find: 'instanceOf(config).getSession(request)',
    replace: 'instanceOf(config).getSession(new Request(request.url))',
    kills: ['INT-016'],
  },
  {
    id: 'integrations/solid-with-a-secret-of-its-own',
    file: solid,
    find: 'raw: undefined, basePath',
    replace: "raw: undefined, secret: config.secret ?? 'a secret of its own, long enough', basePath",
    kills: ['INT-017'],
  },
  {
    id: 'integrations/solid-finds-credentials',
    file: solid,
    find: 'import { serveConfig, type',
    replace: 'import { createAuth as serveConfig, type',
    kills: ['DEC-36c'],
  },
  {
    id: 'integrations/solid-takes-nobody-for-a-user',
    file: solid,
    find: '  return session\n}',
    replace: '  return session && { ...session, user: session.user ?? {} }\n}',
    kills: ['INT-018', 'INT-020', 'INT-022'],
  },
  {
    id: 'integrations/solid-tells-no-page',
    file: solid,
    find: '  return session\n}',
    replace: '  return null\n}',
    kills: ['INT-019', 'INT-021', 'INT-022'],
  },
  {
    id: 'integrations/qwik-configured-without-the-event',
    file: auth,
    find: 'await serveEvent(event, await config(event))',
    replace: 'await serveEvent(event, await config({} as never))',
    kills: ['INT-001'],
  },
  {
    id: 'integrations/qwik-actions-mixed-up',
    file: auth,
    find: 'useSession, useSignIn, useSignOut } as QwikAuth',
    replace: 'useSession, useSignIn: useSignOut, useSignOut: useSignIn } as QwikAuth',
    kills: ['INT-002'],
  },
  {
    id: 'integrations/qwik-configured-in-browsers',
    file: auth,
    find: 'if (isServer) await',
    replace: 'await',
    kills: ['EMB-013'],
  },
  {
    id: 'integrations/qwik-no-routes',
    file: serve,
    find: 'pathname.startsWith(`${basePath}/`) && isAuthAction(action)',
    replace: 'false',
    kills: ['INT-003'],
  },
  {
    id: 'integrations/qwik-session-not-told',
    file: serve,
    find: 'event.sharedMap.set(sessionKey, data)',
    replace: 'event.sharedMap.set(sessionKey, null)',
    kills: ['INT-003', 'INT-004'],
  },
  {
    id: 'integrations/qwik-cookies-decoded',
    file: event,
    find: 'decode: (text) => text',
    replace: 'decode: decodeURIComponent',
    kills: ['INT-003'],
  },
  {
    id: 'integrations/qwik-session-without-cookies',
    file: serve,
    find: 'cookie: cookies }',
    replace: 'cookie: [] }',
    kills: ['INT-012'],
  },
  {
    id: 'integrations/qwik-environment-of-the-process',
    file: event,
    find: 'fillIn(environment, config)',
    replace: 'fillIn({}, config)',
    kills: ['INT-013'],
  },
  {
    id: 'integrations/qwik-forgets-where-to',
    file: act,
    find: 'inner ?? parsed.input.redirectTo ?? presentPage(event)\n',
    replace: 'presentPage(event)\n',
    kills: ['INT-005', 'INT-006'],
  },
  {
    id: 'integrations/qwik-drops-fields',
    file: act,
    find: '{ ...toFields(options), callbackUrl }',
    replace: '{ callbackUrl }',
    kills: ['INT-006', 'INT-008'],
  },
  {
    id: 'integrations/qwik-drops-parameters',
    file: act,
    find: 'query ? `${path}?${query}` : path',
    replace: 'path',
    kills: ['INT-007'],
  },
  {
    id: 'integrations/qwik-success-says-failed',
    file: act,
    find: 'return { failed: undefined,',
    replace: 'return { failed: false,',
    kills: ['INT-008', 'INT-011'],
  },
  {
    id: 'integrations/qwik-redirects-a-refusal',
    file: act,
    find: 'if (refusal !== undefined)',
    replace: 'if (refusal === null)',
    kills: ['DEC-36a', 'ERR-006'],
  },
  {
    id: 'integrations/qwik-takes-any-input',
    file: inputs,
    find: 'entry[1] !== true',
    replace: 'entry[1] === undefined',
    kills: ['INT-009', 'INT-011', 'ERR-015'],
  },
  {
    id: 'integrations/qwik-one-message-for-a-field',
    file: inputs,
    find: '[name, [message]]',
    replace: '[name, message]',
    kills: ['INT-009', 'INT-011', 'ERR-015'],
  },
  {
    id: 'integrations/qwik-signs-nobody-out',
    file: act,
    find: "completeConfig(event, given), 'signout'",
    replace: "completeConfig(event, given), 'session'",
    kills: ['INT-010'],
  },
]
