import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the integrations, the Node bridge and the client. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/client/create-auth-client.ts', [
    {
      id: 'embedding/client-base-path-fixed',
      in: 'createAuthClient',
      find: '(basePath)',
      replace: "(basePath && '/auth')",
      breaks: ['EMB-002'],
    },
  ]),
  ...mutantsOf('src/client/outcome.ts', [
    {
      id: 'embedding/client-imports-the-library',
      find: '/** The result',
      replace: "import { AuthError } from '../errors.ts'\nglobalThis.AuthError = AuthError\n/** The result",
      breaks: ['EMB-004'],
    },
  ]),
  ...mutantsOf('src/client/sign-in.ts', [
    {
      id: 'embedding/client-posts-no-ceremony',
      in: 'performCeremony',
      find: 'action: ceremony.action,',
      replace: '',
      breaks: ['EMB-005'],
    },
  ]),
  ...mutantsOf('src/client/watch-session.ts', [
    {
      id: 'embedding/client-hears-the-latest-request-only',
      in: 'refresh',
      find: 'turn < answered',
      replace: 'turn !== asked',
      breaks: ['EMB-003'],
    },
  ]),
  ...mutantsOf('src/integrations/qwik/act.ts', [
    {
      id: 'integrations/qwik-forgets-where-to',
      in: 'signIn',
      find: 'inner ?? parsed.input.redirectTo ??',
      replace: '',
      breaks: ['INT-005', 'INT-006'],
    },
    {
      id: 'integrations/qwik-drops-fields',
      in: 'signIn',
      find: '...toFields(options),',
      replace: '',
      breaks: ['INT-006', 'INT-008'],
    },
    {
      id: 'integrations/qwik-drops-parameters',
      in: 'signIn',
      find: 'query ? `${path}?${query}` :',
      replace: '',
      breaks: ['INT-007'],
    },
    {
      id: 'integrations/qwik-redirects-a-refusal',
      in: 'signIn',
      find: 'refusal === undefined',
      replace: 'refusal !== null',
      breaks: ['DEC-36a', 'ERR-006'],
    },
    {
      id: 'integrations/qwik-signs-nobody-out',
      in: 'signOut',
      find: ", 'signout",
      replace: ", 'session",
      breaks: ['INT-010'],
    },
    {
      id: 'integrations/qwik-takes-any-input',
      in: 'listErrors',
      find: '[1] !== true',
      replace: '[1] === undefined',
      breaks: ['INT-009', 'INT-011', 'ERR-015'],
    },
  ]),
  ...mutantsOf('src/integrations/qwik/auth.qwik.ts', [
    {
      id: 'integrations/qwik-configured-without-the-event',
      in: 'onRequest',
      find: '(event)',
      replace: '({} as never)',
      breaks: ['INT-001'],
    },
    {
      id: 'integrations/qwik-actions-mixed-up',
      in: 'serverAuthQrl',
      find: ', useSignOut',
      replace: ': useSignOut, useSignOut: useSignIn',
      breaks: ['INT-002'],
    },
    {
      id: 'integrations/qwik-configured-in-browsers',
      in: 'onRequest',
      find: 'if (isServer)',
      replace: '',
      breaks: ['EMB-013'],
    },
  ]),
  ...mutantsOf('src/integrations/qwik/serve-event.ts', [
    {
      id: 'integrations/qwik-environment-of-the-process',
      in: 'setEnvDefaults',
      find: 'environment,',
      replace: '{},',
      breaks: ['INT-013'],
    },
    {
      id: 'integrations/qwik-session-not-told',
      in: 'serveEvent',
      find: ', data',
      replace: ', null',
      breaks: ['INT-003', 'INT-004'],
    },
    {
      id: 'integrations/qwik-session-without-cookies',
      in: 'getSession',
      find: ': cookies',
      replace: ': []',
      breaks: ['INT-012'],
    },
  ]),
  ...mutantsOf('src/integrations/solid-start.ts', [
    {
      id: 'integrations/solid-prefix-fixed',
      in: 'prefixOf',
      find: '(prefix ?? basePath)',
      replace: 'basePath',
      breaks: ['CFG-006', 'RTE-002'],
    },
    {
      id: 'integrations/solid-without-post',
      in: 'SolidAuth',
      find: 'POST: answer',
      replace: 'POST: async () => undefined',
      breaks: ['INT-014', 'INT-015'],
    },
    {
      id: 'integrations/solid-session-without-cookies',
      in: 'getSession',
      find: '(request)',
      replace: '(new Request(request.url))',
      breaks: ['INT-016'],
    },
    {
      id: 'integrations/solid-with-its-own-secret',
      in: 'completeConfig',
      find: ': undefined,',
      replace: ": undefined, secret: config.secret ?? 'its own secret, which is long enough',",
      breaks: ['INT-017'],
    },
    {
      id: 'integrations/solid-finds-credentials',
      find: 'import { serveConfig }',
      replace: 'import { createAuth as serveConfig }',
      breaks: ['DEC-36c'],
    },
    {
      id: 'integrations/solid-takes-nobody-for-a-user',
      in: 'loadSession',
      find: 'return session',
      replace: 'return session && { ...session, user: session.user ?? {} }',
      breaks: ['INT-018', 'INT-020', 'INT-022'],
    },
    {
      id: 'integrations/solid-tells-no-page',
      in: 'loadSession',
      find: 'return session',
      replace: 'return null',
      breaks: ['INT-019', 'INT-021', 'INT-022'],
    },
  ]),
  ...mutantsOf('src/integrations/node/read-request.ts', [
    {
      id: 'embedding/node-path-moved-by-proxy',
      in: 'readOrigin',
      find: '&& isHost(host)',
      replace: '',
      breaks: ['EMB-014'],
    },
    {
      id: 'embedding/node-trusts-everybody',
      in: 'readOrigin',
      find: 'trustProxy ? readForwarded(headers, trustProxy) : {}',
      replace: 'readForwarded(headers, trustProxy || true)',
      breaks: ['EMB-008'],
    },
    {
      id: 'embedding/node-reads-twice',
      in: 'readRequest',
      find: '!incoming.readableEnded',
      replace: 'incoming.headers',
      breaks: ['EMB-009'],
    },
    {
      id: 'embedding/node-loses-what-it-is-mounted-at',
      in: 'readUrl',
      find: 'incoming.originalUrl ?? incoming.url',
      replace: 'incoming.url ?? incoming.originalUrl',
      breaks: ['EMB-010'],
    },
  ]),
  ...mutantsOf('src/integrations/node/node-auth.ts', [
    {
      id: 'embedding/node-keeps-an-extension-to-itself',
      in: 'getSession',
      find: 'addSession(outgoing, cookies)',
      replace: '',
      breaks: ['EMB-012'],
    },
  ]),
  ...mutantsOf('src/integrations/node/via-fetch.ts', [
    {
      id: 'embedding/node-rejects-for-trace',
      in: 'tryRequest',
      find: 'return undefined',
      replace: "throw new TypeError('no Request can have this method')",
      breaks: ['EMB-018'],
    },
  ]),
  ...mutantsOf('src/integrations/node/forwarded.ts', [
    {
      id: 'embedding/node-prefers-forwarded',
      in: 'readForwarded',
      find: "firstOf(headers['x-forwarded-host'])",
      replace: "findParameter(headers.forwarded, 'host') ?? firstOf(headers['x-forwarded-host'])",
      breaks: ['EMB-019'],
    },
  ]),
  ...mutantsOf('src/integrations/node/response-parts.ts', [
    {
      id: 'embedding/node-sends-one-cookie',
      in: 'writeSetCookie',
      find: '? first : [...cookies]',
      replace: '? first : cookies.slice(-1)',
      breaks: ['EMB-011', 'EMB-017'],
    },
  ]),
  ...mutantsOf('src/integrations/next/act.ts', [
    {
      id: 'embedding/next-trusts-other-sites',
      in: 'isFromOtherSite',
      find: "return !['same",
      replace: "return headers.has('x-none') && !['same",
      breaks: ['EMB-020'],
    },
    {
      id: 'embedding/next-loses-cookies',
      in: 'post',
      find: 'setCookies(cookies, answer.cookies)',
      replace: '',
      breaks: ['EMB-021'],
    },
    {
      id: 'embedding/next-redirects-without-rules',
      in: 'submit',
      find: 'readOutcome({ url, ok: ok',
      replace: 'readOutcome({ url: ok === false ? url : (fields.callbackUrl ?? url), ok: ok',
      breaks: ['EMB-025'],
    },
  ]),
  ...mutantsOf('src/integrations/next/request.ts', [
    {
      id: 'embedding/next-sends-the-header',
      in: 'readRequest',
      find: 'writeCookies(',
      replace: '((header: string, _: NextCookies) => header)(',
      breaks: ['EMB-022'],
    },
    {
      id: 'embedding/next-waits-for-no-connection',
      in: 'readRequest',
      find: ', connection()]',
      replace: ', connection]',
      breaks: ['EMB-030'],
    },
  ]),
  ...mutantsOf('src/integrations/next/next-auth.ts', [
    {
      id: 'embedding/next-extends-without-a-cookie',
      in: 'auth',
      find: 'return own.getSession(request)',
      replace: 'return (await own.getSessionWithCookies(request)).session',
      breaks: ['EMB-023'],
    },
  ]),
  ...mutantsOf('src/integrations/next/proxy.ts', [
    {
      id: 'embedding/next-exempts-the-base-path',
      in: 'isForRoute',
      find: 'isRoute(new URL(url).pathname, settings)',
      replace: 'new URL(url).pathname.startsWith(`${settings.basePath}/`)',
      breaks: ['EMB-024'],
    },
  ]),
  ...mutantsOf('src/react/create-react-auth.ts', [
    {
      id: 'embedding/react-ignores-the-server',
      in: 'SessionProvider',
      find: 'useState(() => describe(session))',
      replace: 'useState(() => describe(undefined))',
      breaks: ['EMB-026'],
    },
  ]),
  ...mutantsOf('src/opentelemetry/flow-tracer.ts', [
    {
      id: 'embedding/opentelemetry-exports-messages',
      in: 'describeError',
      find: "'error.type': type",
      replace: "'error.type': error?.message ?? type",
      breaks: ['EMB-027', 'EMB-028'],
    },
  ]),
]
