import { asError } from '../as-error.ts'
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidProvider } from '../errors.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import { readUser } from '../session/stored.ts'
import type { User } from '../types/records.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Has the application judge what was typed. The user it answers needs an id that stays. */
export const authorize = step({
  needs: ['visit', 'credentialsProvider'],
  says: {
    'credentials.accepted': ['candidate', 'account', 'credentials'],
    'credentials.refused': ['failure'],
  },
  async run({ visit, credentialsProvider }) {
    const { config, id: provider } = credentialsProvider
    const credentials = visit.body
    try {
      const user = await config.authorize({ ...credentials }, rebuildRequest(visit))
      if (!user)
        return {
          type: 'credentials.refused',
          failure: new CredentialsSignin('authorize refused', { provider }),
        }
      const id = readId(user, provider)
      const account = { provider, providerAccountId: id, type: 'credentials' as const }
      return { type: 'credentials.accepted', candidate: { ...user, id }, account, credentials }
    } catch (error) {
      if (error instanceof AuthError && !(error instanceof InvalidProvider))
        return { type: 'credentials.refused', failure: error }
      throw error instanceof AuthError ? error : new CallbackRouteError(asError(error), { provider })
    }
  },
})

function readId({ id }: User, provider: string): string {
  const text: unknown = typeof id === 'number' && Number.isFinite(id) ? String(id) : id
  if (typeof text === 'string' && text !== '') return text
  throw new InvalidProvider(`authorize of "${provider}" has to answer a user with an id`)
}

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
    'authorize answered a user whose id the adapter does not know; a session in the store needs one that it knows',
  )
  return { type: 'member.unknown', fault } as const
}
