import { faultsOf, type Mutant } from '../mutant.ts'

const fault = faultsOf('config')
const environment = 'src/config/environment.ts'
const defaults = 'src/config/set-env-defaults.ts'
const action = 'src/config/create-action-url.ts'

/** Faults in what the environment adds to a configuration. */
export const mutants: readonly Mutant[] = [
  fault(
    'secrets-oldest-first',
    environment,
    "['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']",
    "['AUTH_SECRET', 'AUTH_SECRET_1', 'AUTH_SECRET_2', 'AUTH_SECRET_3']",
    'DEC-04a',
    'RO-01',
    'WIR-058',
  ),
  fault(
    'url-path-ignored',
    defaults,
    "config.basePath ??= path || '/auth'",
    "config.basePath ??= '/auth'",
    'WIR-058',
  ),
  fault(
    'redundance-untold',
    defaults,
    'if (path && config.basePath && !suppressBasePathWarning)',
    'if (path && config.basePath && suppressBasePathWarning)',
    'WIR-058',
  ),
  fault(
    'secret-overwritten',
    defaults,
    'if (!config.secret || config.secret.length === 0) {',
    'if (environment.AUTH_SECRET) {',
    'WIR-058',
  ),
  fault('trust-overwritten', defaults, 'config.trustHost ??= ', 'config.trustHost = ', 'WIR-058', 'DEC-04d'),
  fault('unknown-host-untold', defaults, "createLogger(config).warn('unknown-host')", '', 'CF-04'),
  fault('unknown-host-told-again', defaults, 'if (warned.has(config)) return', '', 'CF-04'),
  fault(
    'known-host-told',
    defaults,
    'config.trustHost === true && !trustsHost(environment)',
    'config.trustHost === true',
    'CF-04',
  ),
  fault(
    'trust-false-is-set',
    defaults,
    "!['', 'false', '0'].includes(told.toLowerCase())",
    "told !== ''",
    'WIR-058',
    'DEC-04d',
  ),
  fault(
    'trust-any',
    defaults,
    'AUTH_URL ?? AUTH_TRUST_HOST ?? VERCEL ?? CF_PAGES',
    'AUTH_URL || AUTH_TRUST_HOST || VERCEL',
    'WIR-058',
    'DEC-04d',
  ),
  fault('production-trusted', defaults, "NODE_ENV !== 'production'", 'true', 'WIR-058', 'DEC-04d'),
  fault('own-credentials-lost', defaults, 'own[name] === undefined', 'true', 'WIR-058', 'DEC-04d'),
  fault('dash-kept', defaults, ".replaceAll('-', '_')", '', 'WIR-058', 'DEC-04d'),
  fault(
    'factory-without-options',
    defaults,
    'fillIn(make(found), found)',
    'fillIn(make({}), found)',
    'WIR-058',
    'DEC-04d',
  ),
  fault(
    'odd-provider-throws',
    defaults,
    '  } catch {\n    return given\n  }',
    '  } catch (error) {\n    throw error\n  }',
    'CF-01',
    'WIR-058',
  ),
  fault(
    'action-by-headers',
    action,
    'environment.AUTH_URL ?? environment.NEXTAUTH_URL',
    'undefined as string | undefined',
    'WIR-059',
    'DEC-04b',
  ),
  fault(
    'action-plain-host',
    action,
    "first(headers.get('x-forwarded-host')) ?? headers.get('host')",
    "headers.get('host') ?? first(headers.get('x-forwarded-host'))",
    'WIR-059',
  ),
  fault('action-list', action, "list?.split(',')[0]?.trim()", 'list?.trim()', 'WIR-059'),
  fault(
    'action-mismatch-untold',
    action,
    'if (path && path !== basePath)',
    'if (path && path === basePath)',
    'WIR-059',
  ),
  fault('action-of-any-case', action, 'actions.has(action)', 'actions.has(action.toLowerCase())', 'WIR-001'),
]
