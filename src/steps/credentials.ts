import { asError } from '../as-error.ts'
import { describe } from '../config/describe.ts'
import { sha256Hex } from '../crypto/hash.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { formatUuid } from '../crypto/random.ts'
import { canonicaliseAddress } from '../email/canonical-address.ts'
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidProvider } from '../errors.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import { readUser } from '../session/stored.ts'
import type { User } from '../types/records.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Calls `authorize` with the submitted credentials. The user that it returns needs an id that stays the same. */
export const authorize = step({
  needs: ['visit', 'credentialsProvider'],
  says: {
    'credentials.accepted': ['candidate', 'account', 'credentials'],
    'credentials.refused': ['failure'],
  },
  async run({ visit, credentialsProvider }, world) {
    const { config, id: provider } = credentialsProvider
    const credentials = visit.body
    try {
      const user = await config.authorize({ ...credentials }, rebuildRequest(visit))
      if (!user)
        return {
          type: 'credentials.refused',
          failure: new CredentialsSignin('authorize refused', { provider }),
        }
      const identified = identify(user, provider, world)
      // Most users come with an id, and then nothing is awaited.
      const id = typeof identified === 'string' ? identified : await identified
      const account = { provider, providerAccountId: id, type: 'credentials' as const }
      return { type: 'credentials.accepted', candidate: { ...user, id }, account, credentials }
    } catch (error) {
      if (error instanceof AuthError && !(error instanceof InvalidProvider))
        return { type: 'credentials.refused', failure: error }
      throw error instanceof AuthError ? error : new CallbackRouteError(asError(error), { provider })
    }
  },
})

/** The id of the user, or a subject in its place where only a token will hold it (decision 43). */
function identify({ id, email }: User, provider: string, world: World): MaybePromise<string> {
  const given: unknown = id
  if (typeof given === 'string' && given !== '') return given
  if (typeof given === 'number' && Number.isFinite(given)) return String(given)
  if (given !== undefined && given !== null)
    throw new InvalidProvider(
      `authorize of "${provider}" must return a user whose id is a non-empty string or a number, got ${describe(given)}`,
    )
  if (world.store)
    throw new InvalidProvider(`authorize of "${provider}" returned a user without an id. ${recipe}`)
  const address = canonicaliseAddress(email) ?? email
  if (typeof address === 'string' && address !== '') return sha256Hex(JSON.stringify([provider, address]))
  world.logger.warn('random-user-id')
  return formatUuid(world.platform.randomBytes(16))
}

const recipe =
  "With an adapter, return the user's row: `(await adapter.getUserByEmail(email)) ?? (await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: null }))`"

/** For a session in the store, the user has to be in the store (decision 18). */
export const findMember = step({
  needs: ['candidate'],
  says: { 'member.found': ['holder'], 'member.unneeded': [], 'member.unknown': ['fault'] },
  run({ candidate }, world) {
    if (world.settings.session.strategy === 'jwt') return { type: 'member.unneeded' }
    return readMember(candidate, world)
  },
})

async function readMember({ id = '' }: User, world: World) {
  const holder = readUser(await demandStore(world).getUser(id), 'getUser')
  if (holder) return { type: 'member.found', holder } as const
  const fault = new InvalidProvider(
    `authorize returned a user whose id the adapter does not know, and sessions are kept in its store. ${recipe}`,
  )
  return { type: 'member.unknown', fault } as const
}
