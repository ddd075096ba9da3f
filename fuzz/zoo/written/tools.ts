import type { Mutant } from '../mutant.ts'

const secret = 'src/cli/secret.ts'
const doctor = 'src/cli/doctor'
const kit = 'fuzz/testing'

/** Faults of the command line and of the testing kit. */
export const mutants: readonly Mutant[] = [
  {
    id: 'tools/secret-always-the-same',
    file: secret,
    find: 'randomText(randomBytes)',
    replace: 'randomText((length) => new Uint8Array(length))',
    kills: ['CLI-001'],
  },
  {
    id: 'tools/secret-replaced',
    file: secret,
    find: 'throw alreadyHeld(path)',
    replace: 'return line',
    kills: ['CLI-002'],
  },
  {
    id: 'tools/secret-for-everybody-to-read',
    file: secret,
    find: '0o600',
    replace: '0o644',
    kills: ['CLI-002'],
  },
  {
    id: 'tools/misspelt-option-taken',
    file: 'src/cli/parse-arguments.ts',
    find: 'allowPositionals: true',
    replace: 'allowPositionals: true, strict: false',
    kills: ['CLI-003'],
  },
  {
    id: 'tools/problems-end-well',
    file: `${doctor}/run-doctor.ts`,
    find: 'return hasProblem(sections) ? 1 : 0',
    replace: 'return hasProblem([]) ? 1 : 0',
    kills: ['CLI-005', 'CLI-009'],
  },
  {
    id: 'tools/completion-without-options',
    file: 'src/cli/completion.ts',
    find: '...options.map((option) => `--${option}`)',
    replace: '...[options.length].map(String)',
    kills: ['CLI-004'],
  },
  {
    id: 'tools/doctor-blind-to-the-configuration',
    file: `${doctor}/judge-config.ts`,
    find: 'if (fault)',
    replace: 'if (fault?.message === undefined && fault)',
    kills: ['CLI-005'],
  },
  {
    id: 'tools/doctor-shows-the-url-whole',
    file: `${doctor}/judge-hosts.ts`,
    find: 'AUTH_URL says that the site is ${url.origin}',
    replace: 'AUTH_URL says that the site is ${url.href}',
    kills: ['CLI-005'],
  },
  {
    id: 'tools/doctor-shows-the-secret',
    file: `${doctor}/judge-secrets.ts`,
    find: 'a secret of ${bytesOf(String(secrets[0]))} bytes',
    replace: 'a secret of ${bytesOf(String(secrets[0]))} bytes (${String(secrets[0])})',
    kills: ['CLI-006'],
  },
  {
    id: 'tools/doctor-asks-no-provider',
    file: `${doctor}/judge-providers.ts`,
    find: 'if (hasFailed(found))',
    replace: 'if (hasFailed(found) && needs.length === 0)',
    kills: ['CLI-007'],
  },
  {
    id: 'tools/doctor-takes-a-cache-for-a-clock',
    file: `${doctor}/judge-clock.ts`,
    find: 'date + age - here',
    replace: 'date - here',
    kills: ['CLI-007'],
  },
  {
    id: 'tools/doctor-forgets-the-base-path',
    file: `${doctor}/judge-config.ts`,
    find: '}${settings.basePath}`',
    replace: '}/auth`',
    kills: ['CLI-008'],
  },
  {
    id: 'tools/doctor-takes-any-caching',
    file: `${doctor}/judge-site.ts`,
    find: '/no-store/.test(control)',
    replace: "control !== '-'",
    kills: ['CLI-009'],
  },
  {
    id: 'tools/provider-takes-any-client',
    file: `${kit}/identity-provider.ts`,
    find: '...(clients && { clients }),',
    replace: '',
    kills: ['KIT-001'],
  },
  {
    id: 'tools/provider-chooses-nobody',
    file: `${kit}/identity-provider.ts`,
    find: 'idp.choose(sub)',
    replace: '',
    kills: ['KIT-001'],
  },
  {
    id: 'tools/provider-behaves-from-the-beginning',
    file: `${kit}/identity-provider.ts`,
    find: '    misbehave,',
    replace: '    misbehave: misbehave.slice(0, 0),',
    kills: ['KIT-002'],
  },
  {
    id: 'tools/session-without-prefix',
    file: `${kit}/session-cookie.ts`,
    find: "secure ? '__Secure-' : ''",
    replace: "secure ? '' : ''",
    kills: ['KIT-003'],
  },
  {
    id: 'tools/session-without-claims',
    file: `${kit}/session-cookie.ts`,
    find: ', ...claims }',
    replace: ' }',
    kills: ['KIT-003'],
  },
  {
    id: 'tools/clock-rings-in-any-order',
    file: `${kit}/virtual-clock.ts`,
    find: '.toSorted((a, b) => a.due - b.due)',
    replace: '',
    kills: ['KIT-004'],
  },
  {
    id: 'tools/mailbox-gives-the-first',
    file: `${kit}/mailbox.ts`,
    find: 'mails.findLast',
    replace: 'mails.find',
    kills: ['KIT-005'],
  },
]
