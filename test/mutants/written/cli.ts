import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the command line and the developer tools. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/tools/cli/completion.ts', [
    {
      id: 'tools/completion-without-options',
      in: 'offersOf',
      find: 'options.map((option) => `--${option}`)',
      replace: '[options.length].map(String)',
      breaks: ['CLI-004'],
    },
  ]),
  ...mutantsOf('src/tools/cli/doctor/judge-config.ts', [
    {
      id: 'tools/doctor-forgets-the-base-path',
      in: 'judgeConfig',
      find: '${settings.basePath}',
      replace: '/auth',
      breaks: ['CLI-008'],
    },
  ]),
  ...mutantsOf('src/tools/cli/doctor/judge-hosts.ts', [
    {
      id: 'tools/doctor-blind-to-the-proxy',
      in: 'judgeRedirectProxy',
      find: 'own !== undefined && own !== origin',
      replace: 'own !== null',
      breaks: ['DEC-41b'],
    },
  ]),
  ...mutantsOf('src/tools/cli/doctor/judge-providers.ts', [
    {
      id: 'tools/doctor-asks-no-provider',
      in: 'judgeServer',
      find: '(found)',
      replace: '(found) && needs.length === 0',
      breaks: ['CLI-007'],
    },
  ]),
  ...mutantsOf('src/tools/cli/doctor/judge-secrets.ts', [
    {
      id: 'tools/doctor-shows-the-secret',
      in: 'judgeSecrets',
      find: '[0]))} bytes',
      replace: '[0]))} bytes (${String(secrets[0])})',
      breaks: ['CLI-006'],
    },
  ]),
  ...mutantsOf('src/tools/cli/migrate/find-database.ts', [
    {
      id: 'tools/migrate-takes-a-url-for-a-module',
      in: 'findDatabase',
      find: '/^[a-z]+:/i.test(path)',
      replace: '/^https?:/i.test(path)',
      breaks: ['CLI-016'],
    },
    {
      id: 'tools/migrate-closes-the-database-of-the-site',
      in: 'findDatabase',
      find: 'async close() {}',
      replace: 'close: async () => db.destroy()',
      breaks: ['CLI-014'],
    },
  ]),
  ...mutantsOf('src/adapters/kysely-sqlite-lock.ts', [
    {
      id: 'tools/migrate-does-not-lock-a-file',
      in: 'lockFile',
      find: 'sql`begin immediate`',
      replace: 'sql`begin`',
      breaks: ['CLI-015'],
    },
    {
      id: 'tools/migrate-leaves-half-the-tables',
      in: 'lockFile',
      find: 'sql`rollback`',
      replace: 'sql`commit`',
      breaks: ['CLI-003'],
    },
  ]),
  ...mutantsOf('src/tools/cli/doctor/run-doctor.ts', [
    {
      id: 'tools/problems-end-well',
      in: 'runDoctor',
      find: '(sections, values.strict)',
      replace: '([], values.strict)',
      breaks: ['CLI-005', 'CLI-009'],
    },
  ]),
  ...mutantsOf('src/text/escape-controls.ts', [
    {
      id: 'tools/controls-of-ascii-alone',
      in: 'unprintable',
      find: '[\\p{Cc}',
      replace: '[\\x00-\\x1f',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('src/tools/cli/secret.ts', [
    {
      id: 'tools/secret-always-the-same',
      in: 'runSecret',
      find: 'randomBytes',
      replace: '(length) => new Uint8Array(length)',
      breaks: ['CLI-001'],
    },
    {
      id: 'tools/secret-for-everybody-to-read',
      in: 'runSecret',
      find: '0o600',
      replace: '0o644',
      breaks: ['CLI-002'],
    },
  ]),
  ...mutantsOf('src/tools/devtools/create-devtools.ts', [
    {
      id: 'devtools/anywhere',
      in: 'createDevtools',
      find: "['development', 'test'].includes(NODE_ENV)",
      replace: "NODE_ENV !== 'production'",
      breaks: ['DEC-37b'],
    },
  ]),
  ...mutantsOf('src/tools/devtools/pages.ts', [
    {
      id: 'devtools/runs-removed-by-any-method',
      in: 'createPages',
      find: "request.method === 'DELETE' && rest",
      replace: "request.method !== 'GET' && rest",
      breaks: ['DEC-37i'],
    },
    {
      id: 'devtools/host-header-parsed-as-a-url',
      in: 'isAllowed',
      find: '!isHost(name) ||',
      replace: '',
      breaks: ['DEC-37g'],
    },
  ]),
  ...mutantsOf('src/tools/devtools/recorder.ts', [
    {
      id: 'devtools/runs-by-number',
      in: 'begin',
      find: '`${count}-${encodeHex(randomBytes(16))}`',
      replace: '`${count}-${encodeHex(new Uint8Array(16))}`',
      breaks: ['DEC-37d'],
    },
    {
      id: 'devtools/keeps-all-runs',
      in: 'keep',
      find: '.size > kept',
      replace: '.size > kept * 10',
      breaks: ['DEC-37c'],
    },
  ]),
  ...mutantsOf('src/tools/devtools/grouping.ts', [
    {
      id: 'devtools/one-group-for-all-browsers',
      in: 'fingerprint',
      find: 'hash ^ value.charCodeAt(at)',
      replace: 'hash ^ 1',
      breaks: ['DEC-37h'],
    },
  ]),
  ...mutantsOf('src/tools/devtools/run-page.ts', [
    {
      id: 'devtools/inline-style-of-drawings',
      in: 'createDrawing',
      find: 'styled: false,',
      replace: '',
      breaks: ['DEC-37f'],
    },
  ]),
]
