import { asError } from '../errors/as-error.ts'
import { freezeClass } from '../copies/copy-handed-out.ts'
import type { Awaitable } from '../types/records.ts'
import { OutboundError } from './outbound-fetch.ts'

/** A function of the configuration threw. `cause` is the thrown value. */
export class HookError extends Error {
  static {
    freezeClass(this)
  }

  constructor(hook: string, thrown: unknown) {
    const cause = asError(thrown)
    super(`\`${hook}\` threw: ${cause.message}`, { cause })
  }
}

/**
 * Calls a function of the configuration.
 *
 * @param hook its name, for the log
 * @throws HookError, or the OutboundError of a request that the function sent with the library's fetch
 */
export async function callHook<T>(hook: string, call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof OutboundError ? error : new HookError(hook, error)
  }
}
