import { factorOf, type World } from '../flows/engine/world.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { Visit } from '../http/visit.ts'
import { heldSignInCookie } from '../session/held-sign-in.ts'

/** Ends the sign-in of this browser that a gate holds, with every copy of its cookie. */
export async function endHeldOf(visit: Visit, world: World): Promise<void> {
  const held = await heldSignInCookie.peek(visit, world)
  world.out.setCookies(heldSignInCookie.remove(visit))
  if (!held) return
  if (storeOfRows(world)) await takeHeld(held.id, world)
  else if (held.passed.userId !== undefined) await endHeld(held.passed.userId, world)
}

/** Ends the sign-ins of a user that wait for the second factor or that a gate holds. */
export async function endHeld(userId: string, world: World): Promise<void> {
  await (await factorOf(world))?.endHeld(userId, world)
  await endHeldByGates(userId, world)
}

/** The identifier of the rows of held sign-ins. */
const identifier = 'authmachine held sign-in'

type Tools = Pick<World, 'store' | 'settings' | 'platform'>

function storeOfRows({ store }: Tools) {
  return store?.has('createVerificationToken') && store.has('useVerificationToken') ? store : undefined
}

/** Stores a row for a sign-in that a gate holds, for ten minutes. Without such rows, its cookie works more than once. */
export async function storeHeld(id: string, now: number, tools: Tools): Promise<void> {
  const token = await sha256Base64url(id)
  await storeOfRows(tools)?.createVerificationToken({ identifier, token, expires: new Date(now + 600_000) })
}

/** Removes the row of a held sign-in, which only one request can do. */
export async function takeHeld(id: string, tools: Tools): Promise<boolean> {
  const store = storeOfRows(tools)
  const token = await sha256Base64url(id)
  return !store || Boolean(await store.useVerificationToken({ identifier, token }))
}

/** The name of the record: when the sign-ins of a user that gates held last ended, in milliseconds since 1970. */
const name = 'held'

/** Returns the store, if gates may hold sign-ins and it can note when they end. */
function storeOf({ store, settings }: Tools) {
  const isNeeded = settings.features.some(({ gate }) => gate)
  return isNeeded && store?.has('getRecord') && store.has('setRecord') ? store : undefined
}

/** Ends the sign-ins of a user that gates hold now, with every copy of their cookies. */
export async function endHeldByGates(userId: string, tools: Tools): Promise<void> {
  const store = storeOf(tools)
  if (!store) return
  const before = await store.getRecord(userId, name)
  const held = before === null ? undefined : { value: before }
  try {
    // If another request is faster, it ends the same sign-ins.
    await store.setRecord(userId, name, String(tools.platform.now()), held)
  } catch (error) {
    // `authorize` may return users whom the store does not have. They have no records.
    if (store.has('getUser') && !(await store.getUser(userId))) return
    throw error
  }
}

/** Returns whether the sign-in of a user that a gate held at this time has ended. */
export async function isEndedByGates(
  userId: string | undefined,
  heldAt: number,
  tools: Tools,
): Promise<boolean> {
  const store = userId === undefined ? undefined : storeOf(tools)
  if (!store || userId === undefined) return false
  const ended = await store.getRecord(userId, name)
  return ended !== null && heldAt <= Number(ended)
}
