import { faultsOf, type Mutant } from '../mutant.ts'

const fault = faultsOf('config')
const shape = 'src/config/check-shape.ts'
const check = 'src/config/check-config.ts'

/** Faults of the checks of a configuration: what is refused, and in which words. */
export const mutants: readonly Mutant[] = [
  fault('providers-of-any-kind', shape, "  ['providers', list],\n", '', 'CFG-002', 'CF-01'),
  fault('path-of-any-kind', shape, 'new URL(path, here).pathname === path', "path !== ''", 'CF-01'),
  fault('page-of-another-host', shape, '/^\\/(?![/\\\\])/.test(target)', "target.startsWith('/')", 'CF-01'),
  fault('hooks-of-any-kind', shape, "  ['callbacks', hook],\n", '', 'CF-01'),
  fault(
    'switch-of-any-kind',
    shape,
    'accepts: (value) => value === symbol',
    'accepts: () => true',
    'CFG-037',
    'CFG-043',
    'CF-01',
  ),
  fault(
    'null-is-given',
    shape,
    'value === undefined || value === null || accepts(value)',
    'value === undefined || accepts(value)',
    'CF-01',
  ),
  fault(
    'trust-unchecked',
    check,
    '    checkTrust(settings) ??\n',
    '',
    'CFG-039',
    'CF-01',
    'DEC-04c',
    'DEC-04d',
  ),
  fault('blank-secret', check, "secret.trim() === ''", "secret === ''", 'DEC-26a', 'CF-01'),
  fault('no-secret', check, 'list.length === 0 || list.some', 'list.some', 'DEC-26a', 'CF-01'),
  fault('weak-up-to-32', check, '< strongSecret', '<= strongSecret', 'DEC-26b'),
  fault('weak-by-letters', check, 'bytes.encode(secret).length', 'secret.length', 'DEC-26b'),
  fault('endless-age', check, ' && age <= longest', '', 'DEC-24e', 'CF-01'),
  fault('age-of-nothing', check, 'age > 0', 'age >= 0', 'DEC-24e', 'CF-01'),
  fault(
    'experiment-untold',
    check,
    'config.experimental?.enableWebAuthn === true',
    'false',
    'CFG-015',
    'CF-04',
  ),
  fault(
    'danger-untold',
    check,
    'oauth.some((provider) => provider.allowDangerousEmailAccountLinking)',
    'false',
    'CF-04',
  ),
  fault('checks-off-untold', check, 'oauth.some((provider) => provider.checksDisabled)', 'false', 'CF-04'),
  fault(
    'operation-forgotten',
    check,
    "'getSessionAndUser', 'updateSession', 'deleteSession']",
    "'getSessionAndUser', 'deleteSession']",
    'FI-04',
    'DEC-33c',
  ),
  fault(
    'operation-too-many',
    check,
    "'getUserByAccount', 'linkAccount'],\n  email",
    "'getUserByAccount', 'linkAccount', 'deleteUser'],\n  email",
    'ADP-001',
    'FI-04',
  ),
  fault('operations-one-by-one', check, "${missing.join(', ')}", '${missing[0]}', 'FI-04', 'DEC-33c'),
  fault('authorize-unchecked', check, '    checkCredentials(settings) ??\n', '', 'CF-01'),
]
