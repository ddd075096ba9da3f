import type { RequirementId } from 'authmachine/spec'
import { Breach, type Meaning } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** The state that an attack would change: the signed-in user, the rows of the store, and the codes sent to providers. */
export interface Snapshot {
  readonly who: string
  readonly rows: string
  readonly tokenRequests: number
}

/** Returns whether anybody is signed in in this browser. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return member((await browser.readSession()).json, 'user') !== undefined
}

/** Counts the requests to the token endpoints of all providers. */
export function countTokenRequests({ idps }: World): number {
  return Object.values(idps).reduce((sum, idp) => sum + idp.requestsTo('token').length, 0)
}

/** Records the current state. */
export async function takeSnapshot(world: World, browser: Browser): Promise<Snapshot> {
  const user = member((await browser.readSession()).json, 'user')
  const rows = world.features.has('store')
    ? [world.rows.users, world.rows.accounts, world.rows.sessions].map(({ length }) => length).join(' ')
    : ''
  return {
    who: user === undefined ? 'nobody' : String(member(user, 'email') ?? member(user, 'name')),
    rows,
    tokenRequests: countTokenRequests(world),
  }
}

/** Reads a session. @throws {Breach} that names the attack, if a monitor finds the session of another user */
export async function readAfter<T>(attack: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Breach)) throw error
    throw new Breach(error.id, `${attack}: it was accepted, so ${error.message}`, error.meaning)
  }
}

/**
 * Checks that nobody was signed in or out in this browser since then, and that no user, account or session was added
 * or removed.
 *
 * @param after the attempted attack, in words
 * @param meaning if nobody can use the attack against another user
 */
export async function checkUnchanged(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: Snapshot,
  after: string,
  meaning?: Partial<Meaning>,
): Promise<void> {
  const now = await readAfter(after, () => takeSnapshot(world, browser))
  world.check(id, now.who === before.who, `${after}: ${describeChange(before, now)}`, {
    observed: now.who === 'nobody' ? 'a sign-out' : 'a session',
    ...meaning,
  })
  world.check(
    id,
    now.rows === before.rows,
    `${after}: the store had ${before.rows} users, accounts and sessions, and now has ${now.rows}`,
    { observed: 'a broken rule' },
  )
}

function describeChange(before: Snapshot, now: Snapshot): string {
  if (now.who === 'nobody') return `${before.who} is now signed out`
  const owner = before.who === 'nobody' ? 'a browser without a session' : `the browser of ${before.who}`
  return `${owner} is now signed in as ${now.who}`
}

/**
 * Checks the same, and that no code was sent to a token endpoint.
 *
 * @param meaning if nobody can use the attack against another user
 */
export async function checkRefused(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: Snapshot,
  after: string,
  meaning?: Partial<Meaning>,
): Promise<void> {
  const sent = countTokenRequests(world) - before.tokenRequests
  await checkUnchanged(world, id, browser, before, after, meaning).catch((error: unknown) => {
    // A monitor may notice the same request as a fault of another requirement.
    const isOther = error instanceof Breach && error.id !== undefined && error.id !== id
    if (sent === 0 || !isOther) throw error
  })
  const shown = sent === 1 ? 'a request was' : `${sent} requests were`
  const says = `${after}: it signed nobody in, but ${shown} sent to the token endpoint`
  world.check(id, sent === 0, says, { observed: 'a request' })
}
