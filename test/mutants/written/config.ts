import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the defaults from environment and providers. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/config/create-action-url.ts', [
    {
      id: 'config/action-by-headers',
      in: 'createActionURL',
      find: "readSiteUrl(environment) ?? readSiteUrl(environment, 'NEXTAUTH_URL')",
      replace: 'undefined as URL | undefined',
      breaks: ['WIR-059', 'DEC-04b'],
    },
    {
      id: 'config/action-at-any-host',
      in: 'createActionURL',
      find: '!isHost(host)',
      replace: 'false',
      breaks: ['EMB-016'],
    },
  ]),
  ...mutantsOf('src/config/derive-settings.ts', [
    {
      id: 'explanations/shown-in-production',
      in: 'deriveSettings',
      find: "config[siteEnvironment]?.NODE_ENV === 'development'",
      replace: 'config.debug === true',
      breaks: ['DEC-03f', 'DEC-03g'],
    },
  ]),
  ...mutantsOf('src/config/create-logger.ts', [
    {
      id: 'config/no-console',
      in: 'createLogger',
      find: 'logError(error)',
      replace: 'undefined',
      breaks: ['CFG-020', 'CFG-021', 'ERR-002', 'WIR-060', 'DEC-03b'],
    },
    {
      id: 'config/log-lines-forged',
      in: 'describe',
      find: 'escapeControls(',
      replace: 'String(',
      breaks: ['IL-09'],
    },
    {
      id: 'config/debug-always',
      in: 'createLogger',
      find: 'config.debug ? logDebug(message, metadata) : undefined',
      replace: 'logDebug(message, metadata)',
      breaks: ['CFG-011', 'CFG-012', 'WIR-060'],
    },
    {
      id: 'config/debug-when-asked',
      in: 'createLogger',
      find: "('debug')",
      replace: "('debug') && config.debug",
      breaks: ['WIR-060', 'DEC-03a'],
    },
    {
      id: 'config/logger-may-throw',
      in: 'guard',
      find: 'try { const logged = log(...args) if (logged instanceof Promise) logged.catch(() => undefined) } catch { // See above. }',
      replace: 'log(...args)',
      breaks: ['FI-07'],
    },
  ]),
  ...mutantsOf('src/config/default-callbacks.ts', [
    {
      id: 'session/whole-user-shown',
      in: 'session',
      find: '{ name: user?.name, email: user?.email, image: user?.image }',
      replace: 'user',
      breaks: ['SE-18', 'CBK-022'],
    },
  ]),
  ...mutantsOf('src/config/environment.ts', [
    {
      id: 'config/empty-variable-is-set',
      in: 'readVariable',
      find: ' || undefined',
      replace: '',
      breaks: ['DEC-40e'],
    },
    {
      id: 'config/process-that-throws',
      in: 'findVariables',
      find: '{ return {}',
      replace: '(error) {\nthrow error',
      breaks: ['ECO-005'],
    },
    {
      id: 'config/unusable-url-ignored',
      in: 'readSiteUrl',
      find: 'if (problem === undefined) return new URL(text)',
      replace: 'return problem === undefined ? new URL(text) : undefined',
      breaks: ['DEC-40a', 'HH-01'],
    },
  ]),
  ...mutantsOf('src/config/resolve-oauth.ts', [
    {
      id: 'config/no-pkce',
      in: 'resolveOAuth',
      find: ": ['pkce']",
      replace: ": ['state']",
      breaks: ['PRV-015', 'CF-05'],
    },
    {
      id: 'config/no-pkce-for-openid',
      in: 'resolveOAuth',
      find: "['pkce', 'nonce']",
      replace: "['nonce']",
      breaks: ['DEC-06a', 'TX-24'],
    },
    {
      id: 'config/nonce-for-all',
      in: 'readChecks',
      find: "state', 'none",
      replace: "state', 'nonce', 'none",
      breaks: ['PRV-014', 'PRV-029', 'CF-01'],
    },
    {
      id: 'config/danger-by-default',
      in: 'resolveOAuth',
      find: 'allowDangerousEmailAccountLinking === true',
      replace: 'allowDangerousEmailAccountLinking !== false',
      breaks: ['PRV-019', 'CF-05'],
    },
    {
      id: 'config/proxy-without-path',
      in: 'readRedirectProxy',
      find: "url.replace(/\\/$/, '')",
      replace: 'new URL(url).origin',
      breaks: ['CFG-029', 'CFG-030', 'CFG-032', 'PRV-022', 'CFG-028'],
    },
    {
      id: 'config/slow-provider',
      in: 'requestTimeout',
      find: '= 10_000',
      replace: '= 60_000',
      breaks: ['CF-05', 'DEC-11c'],
    },
    {
      id: 'config/profile-ignored',
      in: 'resolveOAuth',
      find: 'config.profile ??',
      replace: '',
      breaks: ['PRV-017', 'FI-07'],
    },
  ]),
  ...mutantsOf('src/config/resolve-provider.ts', [
    {
      id: 'config/id-of-anything',
      in: 'resolveProvider',
      find: 'A-Za-z0-9._~-',
      replace: '^/',
      breaks: ['PRV-002', 'CF-01', 'CF-02'],
    },
    {
      id: 'config/type-forgotten',
      in: 'resolveProvider',
      find: "'webauthn':",
      replace: "'passkey' as unknown:",
      breaks: ['PRV-001', 'CFG-014'],
    },
    {
      id: 'config/options-lose',
      in: 'resolveProvider',
      find: 'defaultsWithUrls, options',
      replace: 'options ?? {}, defaultsWithUrls',
      breaks: ['PRV-025', 'PRV-014', 'PRV-026', 'DEC-06e'],
    },
  ]),
  ...mutantsOf('src/config/set-env-defaults.ts', [
    {
      id: 'seams/credentials-in-the-options',
      in: 'fillIn',
      find: '...Object.fromEntries(missing.map((name) => [name, found[name]]))',
      replace: 'options: { ...provider.options, ...found } as never',
      breaks: ['SEA-007'],
    },
    {
      id: 'config/site-of-the-framework-ignored',
      in: 'setTrust',
      find: 'config[siteEnvironment] = { AUTH_URL, AUTH_TRUST_HOST, NODE_ENV }',
      replace: '{}',
      breaks: ['DEC-40d', 'DEC-40b'],
    },
  ]),
  ...mutantsOf('src/config/warnings.ts', [
    {
      id: 'config/warned-at-each-copy',
      in: 'isFirst',
      find: 'if (told.has(key)) return false',
      replace: '',
      breaks: ['DEC-40c', 'CF-04'],
    },
  ]),
  ...mutantsOf('src/config/store.ts', [
    {
      id: 'config/missing-operation-is-null',
      in: 'wrapStore',
      find: 'throw new AdapterError(`The adapter has no ${name} method, which this flow needs`)',
      replace: 'return null',
      breaks: ['ERR-012', 'ADP-002', 'DEC-33d'],
    },
    {
      id: 'config/arguments-logged',
      in: 'wrapStore',
      find: '{name}`',
      replace: '{name}`, args',
      breaks: ['DEC-35', 'IL-02', 'IL-03'],
    },
  ]),
]
