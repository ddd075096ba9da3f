import fc from 'fast-check'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Reply } from '../../world/reply.ts'

/** Returns whether the response reports a refusal or a failure. */
export function isRefusal({ status, location, failure }: Reply): boolean {
  return failure !== undefined || status >= 400 || (location?.searchParams.has('error') ?? false)
}

/** Returns whether the response reports a broken application or store. */
export function isFault({ status, location, failure }: Reply): boolean {
  const error = location?.searchParams.get('error')
  return failure !== undefined || status >= 500 || error === 'Configuration'
}

/** Returns whether the response sets or clears a session cookie. */
export function touchesSession({ cookies }: Reply): boolean {
  return cookies.some(({ key }) => sessionCookie.test(key))
}

/** The same application with either session strategy, and a store under both. */
export function stored(setup: Setup = {}): Readonly<Record<'database' | 'jwt', Setup>> {
  return {
    database: { ...setup, strategy: 'database' },
    jwt: { ...setup, strategy: 'jwt', config: { ...setup.config, adapter: true } },
  }
}

/** An address of a new user. */
export const freshAddress = fc.stringMatching(/^[a-z]{6}$/).map((local) => `${local}@mail.example`)

/** Two different addresses. */
export const twoAddresses = fc.tuple(freshAddress, freshAddress).filter(([one, other]) => one !== other)
