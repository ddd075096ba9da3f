/**
 * Key of a provider's own `fetch`, used for every request to its endpoints. A wrong function can make sign-ins
 * insecure.
 */
export const customFetch: unique symbol = Symbol('custom-fetch')

/** Set `raw: raw` to make `Auth` return an internal response object and throw its errors. */
export const raw: unique symbol = Symbol('return-type-raw')

/** Set `skipCSRFCheck: skipCSRFCheck` to disable the CSRF check, for frameworks with their own. */
export const skipCSRFCheck: unique symbol = Symbol('skip-csrf-check')

/** Key under which devtools and OpenTelemetry pass their tracers. */
export const tracer: unique symbol = Symbol.for('authmachine.tracer')

/** Key under which tests and the oracle pass time, randomness and fetch to a configuration. */
export const platform: unique symbol = Symbol.for('authmachine.platform')

/** Key under which `setEnvDefaults` stores the site's variables, for the configuration check. */
export const siteEnvironment: unique symbol = Symbol.for('authmachine.site-environment')

/**
 * Key of the option names that the calling integration reads from the configuration, although the library does not.
 * Without it, the caller may be any published integration.
 */
export const readElsewhere: unique symbol = Symbol.for('authmachine.read-elsewhere')

/** Key of the functions of a password provider: a credentials provider with routes that set passwords. */
export const passwords: unique symbol = Symbol.for('authmachine.passwords')

/**
 * Key on `globalThis` of a function that `authmachine doctor` sets while it loads a module. `createAuth` calls the
 * function with its configuration, because most modules do not export the configuration.
 */
export const configListener: unique symbol = Symbol.for('authmachine.config-listener')

/** Key of the function of a feature that finds its fault in a configuration. Only `defineFeature` sets it. */
export const findFault: unique symbol = Symbol.for('authmachine.find-fault')
