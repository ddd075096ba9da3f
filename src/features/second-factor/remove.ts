import { requireStore, type World } from '../../flows/engine/world.ts'
import { endKept } from '../../policy/end-kept.ts'
import { tell } from '../../policy/tell.ts'
import { readUser } from '../../session/stored.ts'

const change = 'application-removes-factor'

/** The removal by the application: the operations that it calls, and what it does. */
export const removal = {
  operations: ['getUser', 'getFactor', 'deleteFactor'],
  doing: 'removing the second factor',
  perform: remove,
} as const

/** @returns whether there was one */
async function remove(userId: string, world: World): Promise<boolean> {
  const store = requireStore(world)
  const user = readUser(await store.getUser(userId), 'getUser')
  if (!user || !(await store.getFactor(userId))) return false
  await endKept(change, userId, world)
  if (!(await store.deleteFactor(userId))) return false
  const message = { user, change: 'removed' } as const
  tell(change, { event: 'updateSecondFactor', message }, { user }, world.out)
  await endKept(change, userId, world)
  return true
}
