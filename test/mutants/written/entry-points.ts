import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the exports of the package. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('package.json', [
    { id: 'handler/subpath-replaced', find: '/memory"', replace: '/sqlite"', breaks: ['DEC-01b'] },
    {
      id: 'providers/subpath-of-internals',
      find: './src/providers/*.ts',
      replace: './src/adapters/*.ts',
      breaks: ['DEC-01c'],
    },
    {
      id: 'handler/subpath-doubled',
      find: './machines/index.ts',
      replace: './src/index.ts',
      breaks: ['DEC-01b'],
    },
  ]),
  ...mutantsOf('src/types/inference.ts', [
    {
      id: 'types/access-tokens-of-every-provider',
      find: "readonly type: 'oauth' | 'oidc'",
      replace: 'readonly type: string',
      breaks: ['OPT-030'],
    },
    {
      id: 'types/id-of-the-preset-only',
      find: '? Given & string',
      replace: '? Own',
      breaks: ['OPT-030'],
    },
  ]),
  ...mutantsOf('src/types/instance.ts', [
    {
      id: 'types/access-tokens-without-a-store',
      find: '[Store] extends [undefined]',
      replace: '[Store] extends [never]',
      breaks: ['OPT-030'],
    },
  ]),
  ...mutantsOf('src/instance/create-auth.ts', [
    {
      id: 'handler/auth-writes-config',
      in: 'createAuth',
      find: '{ ...config, [readElsewhere]: [] }',
      replace: 'Object.assign(config, { [readElsewhere]: [] })',
      breaks: ['CFG-001', 'DEC-33a'],
    },
    {
      id: 'handler/fault-waits-for-a-request',
      in: 'createAuth',
      find: 'reportAtStart(complete)',
      replace: '',
      breaks: ['OPT-034'],
    },
    {
      id: 'handler/foreign-names-are-silent',
      in: 'createAuth',
      find: '[readElsewhere]: []',
      replace: '',
      breaks: ['SEA-015'],
    },
  ]),
  ...mutantsOf('src/instance/create-edge-auth.ts', [
    {
      id: 'edge/foreign-names-are-silent',
      in: 'createEdgeAuth',
      find: '[readElsewhere]: []',
      replace: '',
      breaks: ['SEA-015'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'config/start-keeps-its-settings',
      in: 'tryDerive',
      find: 'deriveSettings(config, readEnvironment())',
      replace: 'settingsOf(config)',
      breaks: ['OPT-034'],
    },
    {
      id: 'config/start-may-throw',
      in: 'tryDerive',
      find: 'return undefined',
      replace: "throw new Error('an option threw')",
      breaks: ['OPT-034'],
    },
    {
      id: 'config/sveltekit-build-is-a-start',
      in: 'isBuild',
      find: '|| Boolean(SVELTEKIT_FORK)',
      replace: '',
      breaks: ['OPT-034'],
    },
    {
      id: 'config/start-repeats-a-request',
      in: 'reportAtStart',
      find: 'if (derived.has(config)) return',
      replace: '',
      breaks: ['OPT-034'],
    },
  ]),
  ...mutantsOf('src/instance/create-edge-auth.ts', [
    {
      id: 'embedding/edge-without-environment',
      find: 'setEnvDefaults(readEnvironment(), complete)',
      replace: 'setEnvDefaults({}, complete)',
      breaks: ['EMB-029'],
    },
  ]),
  ...mutantsOf('src/handler/read-session.ts', [
    {
      id: 'handler/session-of-nothing',
      in: 'isSession',
      find: ' && Object.keys(value).length > 0',
      replace: '',
      breaks: ['CF-03', 'SE-22'],
    },
    {
      id: 'handler/session-without-cookies',
      in: 'createSessionReader',
      find: 'writeCookies(joinLists(world.out.cookies, cookies))',
      replace: '[]',
      breaks: ['RTE-003', 'SE-06'],
    },
    {
      id: 'session/failure-is-nobody',
      in: 'createSessionReader',
      find: 'if (status !== 200) throw',
      replace: 'if (status < 0) throw',
      breaks: ['DEC-49a'],
    },
    {
      id: 'session/fault-is-nobody',
      in: 'createSessionReader',
      find: 'if (settings.fault) throw copyOfError(settings.fault)',
      replace: 'if (settings.fault) return { session: null, cookies: [] }',
      breaks: ['DEC-49a'],
    },
    {
      id: 'session/read-without-event',
      in: 'createSessionReader',
      find: 'fireEvents(joinLists(world.out.announcements, announces), settings)',
      replace: 'undefined',
      breaks: ['DEC-49b'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      id: 'session/read-by-the-method-of-the-page',
      in: 'visitSession',
      find: "method: 'GET',",
      replace: "method: request.method as 'GET',",
      breaks: ['DEC-49b'],
    },
  ]),
  ...mutantsOf('src/errors/classes.ts', [
    {
      id: 'sign-in/checks-told-as-the-server',
      in: 'InvalidCheck',
      find: '= true',
      replace: '= false',
      breaks: ['WIR-036', 'DEC-31f', 'WIR-055'],
    },
    {
      id: 'handler/name-by-base',
      in: 'constructor',
      find: 'new.target.name',
      replace: 'AuthError.name',
      breaks: ['WIR-055', 'DEC-03b'],
    },
    {
      id: 'handler/denied-untold',
      in: 'AccessDenied',
      find: 'static override clientSafe = true',
      replace: '',
      breaks: ['WIR-055', 'ERR-010'],
    },
    {
      id: 'handler/adapter-error-told',
      in: 'AdapterError',
      find: "AdapterError'",
      replace: "AdapterError'\nstatic override clientSafe = true",
      breaks: ['WIR-055', 'ERR-012'],
    },
    {
      id: 'handler/message-lost',
      in: 'constructor',
      find: "(inner?.message ?? '')",
      replace: "''",
      breaks: ['DEC-02a', 'ERR-009'],
    },
    {
      id: 'handler/cause-lost',
      in: 'constructor',
      find: ', err: inner',
      replace: '',
      breaks: ['DEC-02a', 'ERR-009', 'ERR-001'],
    },
    {
      id: 'handler/no-base',
      in: 'isClientError',
      find: 'AuthError &&',
      replace: 'Error &&',
      breaks: ['WIR-055'],
    },
    {
      id: 'handler/code-renamed',
      in: 'CredentialsSignin',
      find: "= 'credentials",
      replace: "= 'invalid",
      breaks: ['ERR-005'],
    },
    {
      id: 'handler/message-with-link',
      in: 'constructor',
      find: "' ? message",
      replace: "' ? `${message}. Read more at https://errors.authjs.dev`",
      breaks: ['DEC-03b', 'WIR-055'],
    },
    {
      id: 'handler/type-misspelt',
      in: 'SignOutError',
      find: "SignOutError'",
      replace: "SignoutError' as ErrorType",
      breaks: ['DEC-03c', 'WIR-055'],
    },
  ]),
  ...mutantsOf('src/index.ts', [
    { id: 'handler/export-forgotten', find: 'customFetch,', replace: '', breaks: ['DEC-01a'] },
    {
      id: 'handler/export-too-many',
      find: 'customFetch,',
      replace: 'customFetch, platform,',
      breaks: ['DEC-01a'],
    },
  ]),
  ...mutantsOf('src/handler/serve-sessions.ts', [
    {
      id: 'session/unknown-requirement-passes',
      in: 'findLacking',
      find: 'unknown !== undefined',
      replace: 'false',
      breaks: ['EMB-032'],
    },
  ]),
  ...mutantsOf('src/handler/serve-sessions.ts', [
    {
      id: 'embedding/anybody-is-somebody',
      in: 'isSomebody',
      find: '?.user !== undefined && found.session.user',
      replace: '',
      breaks: ['EMB-006'],
    },
    {
      id: 'embedding/wildcards-are-pages',
      in: 'acceptsHtml',
      find: '\\/xhtml\\+xml',
      replace: '\\/xhtml\\+xml|\\*\\/\\*',
      breaks: ['EMB-006'],
    },
    {
      id: 'embedding/comes-back-to-the-root',
      in: 'refuse',
      find: 'pathOf(request.url)',
      replace: "'/'",
      breaks: ['EMB-007'],
    },
  ]),
  ...mutantsOf('src/types/symbols.ts', [
    {
      id: 'handler/symbol-shared',
      in: 'skipCSRFCheck',
      find: 'Symbol',
      replace: 'Symbol.for',
      breaks: ['DEC-01a'],
    },
  ]),
  ...mutantsOf('src/copies/without-undefined.ts', [
    {
      id: 'cookies/undefined-erases-default',
      in: 'withoutUndefined',
      find: '([, value]) => value !== undefined',
      replace: '() => true',
      breaks: ['CFG-009'],
    },
  ]),
]
