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
    {
      id: 'session/any-age',
      in: 'checkAges',
      find: '&& age > 0 && age <= longestAge',
      replace: '',
      breaks: ['DEC-24e'],
    },
    {
      id: 'webauthn/counter-operation-forgotten',
      in: 'needs',
      find: "'updateAuthenticatorCounter',",
      replace: '',
      breaks: ['FI-04', 'CF-01'],
    },
    {
      id: 'webauthn/experiment-by-default',
      in: 'checkWebAuthn',
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
    {
      id: 'config/experiment-untold',
      in: 'findWarnings',
      find: 'config.experimental?.enableWebAuthn === true',
      replace: 'false',
      breaks: ['CFG-015', 'CF-04'],
    },
  ]),
  ...mutantsOf('src/config/check-shape.ts', [
    {
      id: 'config/providers-of-any-kind',
      in: 'fields',
      find: "['providers', list],",
      replace: '',
      breaks: ['CFG-002', 'CF-01'],
    },
    {
      id: 'config/switch-of-any-kind',
      in: 'only',
      find: '(value) => value === symbol',
      replace: '() => true',
      breaks: ['CFG-037', 'CFG-043', 'CF-01'],
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
  ...mutantsOf('src/config/foreign-names.ts', [
    {
      id: 'seams/authorized-is-silent',
      in: 'listForeign',
      find: '!read.includes(path)',
      replace: "!read.includes(path) && name !== 'authorized'",
      breaks: ['SEA-015'],
    },
  ]),
]
