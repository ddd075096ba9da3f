/** Key of a provider's own `fetch`, used for every request to its endpoints. Misuse has security implications. */
export const customFetch: unique symbol = Symbol('custom-fetch')

/** `raw: raw` makes `Auth` answer with an internal response object and throw its errors. */
export const raw: unique symbol = Symbol('return-type-raw')

/** `skipCSRFCheck: skipCSRFCheck` switches the CSRF check off, for frameworks that bring their own. */
export const skipCSRFCheck: unique symbol = Symbol('skip-csrf-check')

/** Key under which devtools pass what is to be told of every run. */
export const tracer: unique symbol = Symbol.for('authmachine.tracer')

/** Key under which tests and the oracle pass time, randomness and fetch to a configuration. */
export const platform: unique symbol = Symbol.for('authmachine.platform')

/** Key under which `setEnvDefaults` keeps what the environment says of the site, for the check of the configuration. */
export const siteEnvironment: unique symbol = Symbol.for('authmachine.site-environment')
