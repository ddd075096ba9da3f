import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the exports of the package, in the testing kit, and in what the oracle accepts from a hostile application. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('package.json', [
    { id: 'handler/subpath-replaced', find: '/memory"', replace: '/sqlite"', breaks: ['DEC-01b'] },
    {
      id: 'providers/subpath-of-internals',
      find: './src/providers/*.ts',
      replace: './src/adapters/*.ts',
      breaks: ['DEC-01c'],
    },
  ]),
  ...mutantsOf('src/types/inference.ts', [
    {
      id: 'types/id-of-the-preset-only',
      find: '? Given & string',
      replace: '? Own',
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
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'config/start-may-throw',
      in: 'tryDerive',
      find: 'return undefined',
      replace: "throw new Error('an option threw')",
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
      id: 'session/failure-is-nobody',
      in: 'createSessionReader',
      find: 'if (status !== 200) throw',
      replace: 'if (status < 0) throw',
      breaks: ['DEC-49a'],
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
      id: 'handler/cause-lost',
      in: 'constructor',
      find: ', err: inner',
      replace: '',
      breaks: ['DEC-02a', 'ERR-009', 'ERR-001'],
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
  ...mutantsOf('fuzz/testing/identity-provider.ts', [
    {
      id: 'tools/provider-chooses-nobody',
      in: 'choose',
      find: 'idp.choose(sub)',
      replace: '',
      breaks: ['KIT-001'],
    },
    {
      id: 'tools/provider-behaves-from-the-beginning',
      in: 'mockIdentityProvider',
      find: 'misbehave, ...(clients',
      replace: 'misbehave: misbehave.slice(0, 0), ...(clients',
      breaks: ['KIT-002'],
    },
  ]),
  ...mutantsOf('fuzz/testing/mailbox.ts', [
    {
      id: 'tools/mailbox-gives-the-first',
      in: 'linkTo',
      find: '.findLast',
      replace: '.find',
      breaks: ['KIT-005'],
    },
  ]),
  ...mutantsOf('fuzz/testing/session-cookie.ts', [
    { id: 'tools/session-without-claims', in: 'seal', find: ', ...claims', replace: '', breaks: ['KIT-003'] },
  ]),
  ...mutantsOf('fuzz/testing/virtual-clock.ts', [
    {
      id: 'tools/clock-rings-in-any-order',
      in: 'advance',
      find: '.toSorted((a, b) => a.due - b.due)',
      replace: '',
      breaks: ['KIT-004'],
    },
  ]),
  ...mutantsOf('fuzz/targets/running.ts', [
    {
      id: 'oracle/attacks-any-host',
      in: 'sendTo',
      find: 'if (to !== origin)',
      replace: "if (to === '')",
      breaks: ['CLI-012'],
    },
    {
      id: 'oracle/reads-without-end',
      in: 'sendTo',
      find: 'if (isCut)',
      replace: "if (isCut && to === '')",
      breaks: ['CLI-011'],
    },
  ]),
  ...mutantsOf('fuzz/world/origin-of.ts', [
    {
      id: 'oracle/sends-no-origin',
      in: 'originOf',
      find: "method === 'HEAD'",
      replace: "method !== ''",
      breaks: ['CLI-017'],
    },
  ]),
  ...mutantsOf('fuzz/world/hosted.ts', [
    {
      id: 'oracle/keeps-any-request',
      in: 'openHosted',
      find: 'if (isCut)',
      replace: "if (isCut && method === '')",
      breaks: ['CLI-013'],
    },
  ]),
]
