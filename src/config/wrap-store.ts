import { asError } from '../as-error.ts'
import { orElse, settle } from '../crypto/maybe-promise.ts'
import { AdapterError } from '../errors.ts'
import type { Adapter } from '../types/adapter.ts'
import type { LoggerInstance } from '../types/config.ts'
import type { WrappedStore } from './settings.ts'

const operations = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'updateAccount',
  'listAccountsByUserId',
  'getAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'deleteSessionsByUserId',
  'createVerificationToken',
  'useVerificationToken',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'deleteAuthenticator',
  'updateAuthenticatorCounter',
] as const satisfies readonly (keyof Adapter)[]

type Operation = (...args: unknown[]) => unknown

/** An operation of the adapter, prototype methods included; undefined when it is missing. */
export function findOperation(adapter: Adapter, name: keyof Adapter): Operation | undefined {
  const operation: unknown = adapter[name]
  return typeof operation === 'function' ? (operation as Operation) : undefined
}

/**
 * The adapter with every operation present. One that fails, or is missing, throws AdapterError; all are called with
 * the adapter as `this`, and answer synchronously where the adapter does.
 */
export function wrapStore(adapter: Adapter, logger: LoggerInstance): WrappedStore {
  const wrapped: Record<string, unknown> = {}
  for (const name of operations) {
    wrapped[name] = (...args: unknown[]): unknown => {
      const operation = findOperation(adapter, name)
      if (!operation) throw new AdapterError(`The adapter has no ${name}, which this flow needs`)
      logger.debug(`adapter_${name}`)
      return orElse(
        () => settle(operation.apply(adapter, args)),
        (error) => fail(name, error),
      )
    }
  }
  wrapped.adapter = adapter
  wrapped.has = (name: keyof Adapter) => findOperation(adapter, name) !== undefined
  return wrapped as unknown as WrappedStore
}

function fail(name: string, error: unknown): never {
  throw new AdapterError(`The adapter's ${name} failed`, asError(error))
}
