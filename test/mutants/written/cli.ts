import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the command line and the developer tools. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/cli/completion.ts', [
    {
      id: 'tools/completion-without-options',
      in: 'offersOf',
      find: 'options.map((option) => `--${option}`)',
      replace: '[options.length].map(String)',
      breaks: ['CLI-004'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-providers.ts', [
    {
      id: 'tools/doctor-takes-a-cache-for-a-clock',
      in: 'readSkew',
      find: 'date + age',
      replace: 'date',
      breaks: ['CLI-007'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-config.ts', [
    {
      id: 'tools/doctor-blind-to-the-configuration',
      in: 'judgeSettings',
      find: 'if (fault)',
      replace: 'if (fault?.message === undefined && fault)',
      breaks: ['CLI-005'],
    },
    {
      id: 'tools/doctor-forgets-the-base-path',
      in: 'judgeConfig',
      find: '${settings.basePath}',
      replace: '/auth',
      breaks: ['CLI-008'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-hosts.ts', [
    {
      id: 'tools/doctor-blind-to-the-proxy',
      in: 'judgeRedirectProxy',
      find: 'own !== undefined && own !== origin',
      replace: 'own !== null',
      breaks: ['DEC-41b'],
    },
    {
      id: 'tools/doctor-shows-the-url-whole',
      in: 'judgeUrl',
      find: 'site is ${url.origin}',
      replace: 'site is ${url.href}',
      breaks: ['CLI-005'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-providers.ts', [
    {
      id: 'tools/doctor-asks-no-provider',
      in: 'judgeServer',
      find: '(found)',
      replace: '(found) && needs.length === 0',
      breaks: ['CLI-007'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-secrets.ts', [
    {
      id: 'tools/doctor-shows-the-secret',
      in: 'judgeSecrets',
      find: '[0]))} bytes',
      replace: '[0]))} bytes (${String(secrets[0])})',
      breaks: ['CLI-006'],
    },
  ]),
  ...mutantsOf('src/fetch-limited.ts', [
    {
      id: 'tools/doctor-reads-without-end',
      in: 'readLimited',
      find: 'if (left < 0)',
      replace: 'if (left < -(2 ** 30))',
      breaks: ['CLI-011'],
    },
    {
      id: 'tools/site-keeps-everybody-waiting',
      in: 'fetchLimited',
      find: 'AbortSignal.timeout(patience)',
      replace: 'AbortSignal.timeout(patience * 100)',
      breaks: ['CLI-011'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/ask-site.ts', [
    {
      id: 'tools/doctor-hides-the-limit',
      in: 'describeAnswer',
      find: "isCut ? ', of which the first 1 MiB was read' : ''",
      replace: "''",
      breaks: ['CLI-011'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/judge-site.ts', [
    {
      id: 'tools/doctor-starts-every-sign-in',
      in: 'judgeSite',
      find: 'providers.slice(0, maxProviders)',
      replace: 'providers',
      breaks: ['CLI-011'],
    },
    {
      id: 'tools/doctor-takes-any-caching',
      in: 'judgeCaching',
      find: '/no-store/.test(control)',
      replace: "control !== '-'",
      breaks: ['CLI-009'],
    },
  ]),
  ...mutantsOf('src/cli/load-module.ts', [
    {
      id: 'tools/doctor-obeys-a-module',
      in: 'loadModule',
      find: '${reasonOf(error)}',
      replace: '${(error as Error).message}',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('src/cli/migrate/run-migrate.ts', [
    {
      id: 'tools/migrate-asks-nobody',
      in: 'runMigrate',
      find: 'if (!values.yes) await confirm(terminal)',
      replace: 'void confirm',
      breaks: ['CLI-014'],
    },
    {
      id: 'tools/migrate-takes-silence-for-consent',
      in: 'confirm',
      find: 'if (!ask) throw',
      replace: 'if (!ask) return\nif (ask.length > 9) throw',
      breaks: ['CLI-014'],
    },
    {
      id: 'tools/migrate-takes-any-answer-for-consent',
      in: 'confirm',
      find: '/^y(es)?$/i',
      replace: '/^y/i',
      breaks: ['CLI-014'],
    },
    {
      id: 'tools/migrate-asks-after-a-dry-run',
      in: 'runMigrate',
      find: '|| isDry) return',
      replace: ') return',
      breaks: ['CLI-014'],
    },
    {
      id: 'tools/migrate-shows-the-password',
      in: 'attempt',
      find: "reason.replaceAll(password, '***')",
      replace: 'reason',
      breaks: ['CLI-016'],
    },
  ]),
  ...mutantsOf('src/cli/migrate/open-driver.ts', [
    {
      id: 'tools/migrate-creates-the-file-of-a-dry-run',
      in: 'openSqlite',
      find: "isDry && !existsSync(path) ? ':memory:' : path",
      replace: "existsSync(path) || isDry || path ? path : ''",
      breaks: ['CLI-014'],
    },
  ]),
  ...mutantsOf('src/cli/migrate/open-url.ts', [
    {
      id: 'tools/migrate-repeats-the-url',
      in: 'openUrl',
      find: 'DATABASE_URL must be a URL that starts with postgres://, mysql://, mariadb:// or sqlite:.\\n',
      replace: "DATABASE_URL must be a URL that starts with postgres://, not ' + text + '.\\n",
      breaks: ['CLI-016'],
    },
    {
      id: 'tools/migrate-shows-the-password-as-written',
      in: 'decode',
      find: 'return decodeURIComponent(text)',
      replace: 'return text',
      breaks: ['CLI-016'],
    },
  ]),
  ...mutantsOf('src/cli/migrate/find-database.ts', [
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
  ...mutantsOf('src/cli/doctor/run-doctor.ts', [
    {
      id: 'tools/doctor-repeats-a-password',
      in: 'readUrl',
      find: '!url.username && !url.password',
      replace: 'text !== undefined',
      breaks: ['CLI-003'],
    },
    {
      id: 'tools/problems-end-well',
      in: 'runDoctor',
      find: '(sections)',
      replace: '([])',
      breaks: ['CLI-005', 'CLI-009'],
    },
  ]),
  ...mutantsOf('src/cli/doctor/finding.ts', [
    {
      id: 'explanations/not-in-doctor',
      in: 'writeFinding',
      find: 'texts.section && referTo(texts.section)',
      replace: 'undefined',
      breaks: ['DEC-03f'],
    },
    {
      id: 'tools/doctor-obeys-line-breaks',
      in: 'writeFinding',
      find: 'escapeControls(texts.says)',
      replace: 'texts.says',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('src/cli/run-command.ts', [
    {
      id: 'tools/unwritable-file-with-a-stack',
      in: 'runCommand',
      find: 'throw new CommandError(`Cannot write ${path}: ${reasonOf(error)}`, 1)',
      replace: 'throw error',
      breaks: ['CLI-003'],
    },
    {
      id: 'tools/complaints-as-they-come',
      in: 'runCommand',
      find: 'given.complain(escapeLines(text))',
      replace: 'given.complain(text)',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('src/escape-controls.ts', [
    {
      id: 'tools/invisible-letters-pass',
      find: '\\p{Default_Ignorable_Code_Point}\\u2800',
      replace: '',
      breaks: ['CLI-010'],
    },
    {
      id: 'tools/controls-of-ascii-alone',
      find: 'const unprintable = /[\\p{Cc}',
      replace: 'const unprintable = /[\\x00-\\x1f',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('src/cli/arguments.ts', [
    {
      id: 'tools/misspelt-option-taken',
      in: 'parseArguments',
      find: ': true',
      replace: ': true, strict: false',
      breaks: ['CLI-003'],
    },
  ]),
  ...mutantsOf('src/cli/secret.ts', [
    {
      id: 'tools/secret-always-the-same',
      in: 'runSecret',
      find: 'randomBytes',
      replace: '(length) => new Uint8Array(length)',
      breaks: ['CLI-001'],
    },
    {
      id: 'tools/secret-replaced',
      in: 'setVariable',
      find: 'throw alreadyHeld(path)',
      replace: 'return line',
      breaks: ['CLI-002'],
    },
    {
      id: 'tools/secret-written-at-the-first-mention',
      in: 'setVariable',
      find: 'text.replace(withoutValue,',
      replace: 'text.replace(/(AUTH_SECRET=)/,',
      breaks: ['CLI-002'],
    },
    {
      id: 'tools/secret-for-everybody-to-read',
      in: 'runSecret',
      find: '0o600',
      replace: '0o644',
      breaks: ['CLI-002'],
    },
  ]),
  ...mutantsOf('src/devtools/create-devtools.ts', [
    {
      id: 'devtools/anywhere',
      in: 'createDevtools',
      find: "['development', 'test'].includes(NODE_ENV)",
      replace: "NODE_ENV !== 'production'",
      breaks: ['DEC-37b'],
    },
    {
      id: 'devtools/instead-of-opentelemetry',
      in: 'watch',
      find: 'joinTracers(known, traces)',
      replace: 'joinTracers(undefined && known, traces)',
      breaks: ['EMB-027'],
    },
  ]),
  ...mutantsOf('src/error-names.ts', [
    {
      id: 'devtools/message-as-name',
      in: 'nameOf',
      find: ": 'Error'",
      replace: ': error.message',
      breaks: ['DEC-37a'],
    },
  ]),
  ...mutantsOf('src/devtools/pages.ts', [
    {
      id: 'devtools/any-host',
      in: 'createPages',
      find: '!isAllowed(request, hosts)',
      replace: 'false',
      breaks: ['DEC-37g'],
    },
    {
      id: 'devtools/runs-removed-by-any-method',
      in: 'createPages',
      find: "request.method === 'DELETE' && rest",
      replace: "request.method !== 'GET' && rest",
      breaks: ['DEC-37i'],
    },
    {
      id: 'devtools/host-header-ignored',
      in: 'isAllowed',
      find: "[host, headers.get('host') ?? host]",
      replace: '[host]',
      breaks: ['DEC-37g'],
    },
    {
      id: 'devtools/host-header-parsed-as-a-url',
      in: 'isAllowed',
      find: '!isHost(name) ||',
      replace: '',
      breaks: ['DEC-37g'],
    },
  ]),
  ...mutantsOf('src/devtools/recorder.ts', [
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
  ...mutantsOf('src/devtools/grouping.ts', [
    {
      id: 'devtools/one-group-for-all-browsers',
      in: 'fingerprint',
      find: 'hash ^ value.charCodeAt(at)',
      replace: 'hash ^ 1',
      breaks: ['DEC-37h'],
    },
    {
      id: 'devtools/session-in-its-own-group',
      in: 'bind',
      find: "if (flow !== 'sign-out')",
      replace: 'if (sent.size > 99)',
      breaks: ['DEC-37h'],
    },
    {
      id: 'devtools/cookie-as-group',
      in: 'place',
      find: 'return id',
      replace: 'return values[0] ?? id',
      breaks: ['DEC-37a'],
    },
  ]),
  ...mutantsOf('src/devtools/run-page.ts', [
    {
      id: 'devtools/inline-style-of-drawings',
      in: 'createDrawing',
      find: 'styled: false,',
      replace: '',
      breaks: ['DEC-37f'],
    },
  ]),
  ...mutantsOf('src/devtools/stream.ts', [
    {
      id: 'devtools/aborted-before-followed',
      in: 'createStream',
      find: 'if (request.signal.aborted) return new Response(null, { status: 204 })',
      replace: '',
      breaks: ['DEC-37c'],
    },
    {
      id: 'devtools/waits-for-sleepers',
      in: 'tell',
      find: '(controller.desiredSize ?? 0) <= 0',
      replace: 'controller.desiredSize === null',
      breaks: ['DEC-37c'],
    },
  ]),
]
