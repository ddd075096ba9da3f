import fc from 'fast-check'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Reply } from '../../world/reply.ts'

/** Does the reply say that something was refused, or went wrong? */
export function isRefusal({ status, location, failure }: Reply): boolean {
  return failure !== undefined || status >= 400 || (location?.searchParams.has('error') ?? false)
}

/** Does the reply set or clear a session cookie? */
export function touchesSession({ cookies }: Reply): boolean {
  return cookies.some(({ key }) => sessionCookie.test(key))
}

/** The same application with either way to keep sessions, and a store under both. */
export function stored(setup: Setup = {}): Readonly<Record<'database' | 'jwt', Setup>> {
  return {
    database: { ...setup, strategy: 'database' },
    jwt: { ...setup, strategy: 'jwt', config: { ...setup.config, adapter: true } },
  }
}

/** An address of somebody new. */
export const freshAddress = fc.stringMatching(/^[a-z]{6}$/).map((local) => `${local}@mail.example`)

/** Two addresses that differ. */
export const twoAddresses = fc.tuple(freshAddress, freshAddress).filter(([one, other]) => one !== other)
