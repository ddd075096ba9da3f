import * as errors from '../../src/errors.ts'

/** Names of the error classes that `./errors` exports. */
export const errorNames: readonly string[] = Object.values(errors).flatMap((exported) =>
  typeof exported === 'function' && exported.prototype instanceof Error ? [exported.name] : [],
)
