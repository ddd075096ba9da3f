import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the checks of a configuration. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/config/set-env-defaults.ts', [
    {
      id: 'config/variable-told-though-set',
      in: 'listMissing',
      find: 'secret === undefined',
      replace: 'secret !== null',
      breaks: ['OPT-032'],
    },
  ]),
  ...mutantsOf('src/config/check-config.ts', [
    {
      id: 'config/trust-unchecked',
      in: 'checkConfig',
      find: 'checkTrust(settings) ??',
      replace: '',
      breaks: ['CFG-039', 'CF-01', 'DEC-04c', 'DEC-04d'],
    },
    {
      id: 'config/operation-forgotten',
      in: 'needs',
      find: "updateSession', '",
      replace: '',
      breaks: ['FI-04', 'DEC-33c'],
    },
    {
      id: 'config/operation-too-many',
      in: 'needs',
      find: "'], email",
      replace: "', 'deleteUser'],\nemail",
      breaks: ['ADP-001', 'FI-04'],
    },
  ]),
  ...mutantsOf('src/features/passkeys/options.ts', [
    {
      id: 'webauthn/counter-operation-forgotten',
      in: 'ceremonyNeeds',
      find: "'updateAuthenticatorCounter',",
      replace: '',
      breaks: ['FI-04', 'CF-01'],
    },
    {
      id: 'config/experiment-untold',
      in: 'findPasskeyWarnings',
      find: 'experimental?.enableWebAuthn === true',
      replace: 'false',
      breaks: ['CFG-015', 'CF-04'],
    },
    {
      id: 'webauthn/experiment-by-default',
      in: 'checkPasskeys',
      find: '!experimental?.enableWebAuthn',
      replace: 'experimental?.enableWebAuthn === false',
      breaks: ['ATN-002', 'CFG-014', 'CF-01'],
    },
  ]),
  ...mutantsOf('src/config/warnings.ts', [
    {
      id: 'config/weak-by-letters',
      in: 'findWarnings',
      find: 'bytes.encode(secret)',
      replace: 'secret',
      breaks: ['DEC-26b'],
    },
  ]),
  ...mutantsOf('src/config/check-names.ts', [
    {
      id: 'seams/integrations-warned-of',
      in: 'findUnknownIn',
      find: '...foreign.filter((each) => !unread.includes(each)).map(({ name }) => name),',
      replace: '',
      breaks: ['SEA-014'],
    },
    {
      id: 'seams/anything-is-meant',
      in: 'findUnknownIn',
      find: 'distance <= Math.max(1, Math.floor(name.length / 3))',
      replace: 'distance > 0',
      breaks: ['SEA-012'],
    },
    {
      id: 'seams/swapped-letters-count-twice',
      in: 'editDistance',
      find: 'at(row - 2, column - 2) + 1',
      replace: 'Infinity',
      breaks: ['SEA-013'],
    },
  ]),
  ...mutantsOf('src/config/check-names.ts', [
    {
      id: 'seams/authorized-is-silent',
      in: 'listForeign',
      find: '!read.includes(path)',
      replace: "!read.includes(path) && name !== 'authorized'",
      breaks: ['SEA-015'],
    },
  ]),
  ...mutantsOf('src/config/check-options.ts', [
    {
      id: 'account/described-tokens-accepted',
      in: 'checkNeed',
      find: 'strategy && session.strategy !== strategy',
      replace: 'strategy && !session',
      breaks: ['ACP-04'],
    },
  ]),
  ...mutantsOf('src/config/rule.ts', [
    {
      id: 'session/any-age',
      in: 'lifetime',
      find: '&& Number(age) > 0 && Number(age) <= longestAge',
      replace: '',
      breaks: ['DEC-24e'],
    },
    {
      id: 'config/switch-of-any-kind',
      in: 'only',
      find: '(value) => value === symbol',
      replace: '() => true',
      breaks: ['CFG-037', 'CFG-043', 'CF-01'],
    },
  ]),
  ...mutantsOf('src/config/options.ts', [
    {
      id: 'config/providers-of-any-kind',
      in: 'options',
      find: 'providers: { rule: list },',
      replace: 'providers: {},',
      breaks: ['CFG-002', 'CF-01'],
    },
    {
      id: 'config/base-path',
      in: 'options',
      find: "default: '/",
      replace: "default: '/api/",
      breaks: ['CFG-005', 'CF-05'],
    },
    {
      id: 'session/shorter-month',
      in: 'session',
      find: '30 * day',
      replace: '29 * day',
      breaks: ['SES-003', 'SES-004', 'LIM-001', 'LIM-003'],
    },
    {
      id: 'session/longer-day',
      in: 'session',
      find: 'rule: interval, default: day',
      replace: 'rule: interval, default: 2 * day',
      breaks: ['SES-005', 'LIM-002'],
    },
  ]),
]
