import type { RequirementId } from 'authmachine/spec'
import type { Browser } from '../../world/browser.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** What an attack would change: who is signed in, what the store holds, and which codes were sent to providers. */
export interface Stock {
  readonly who: string
  readonly rows: string
  readonly asked: number
}

/** Is anybody signed in in this browser, whoever that is? */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return member((await browser.readSession()).json, 'user') !== undefined
}

/** How often the token endpoints of all providers were asked. */
export function countTokenRequests({ idps }: World): number {
  return Object.values(idps).reduce((sum, idp) => sum + idp.requestsTo('token').length, 0)
}

/** What there is now. */
export async function takeStock(world: World, browser: Browser): Promise<Stock> {
  const user = member((await browser.readSession()).json, 'user')
  const rows = world.features.has('store')
    ? [world.rows.users, world.rows.accounts, world.rows.sessions].map(({ length }) => length).join(' ')
    : ''
  return {
    who: user === undefined ? 'nobody' : String(member(user, 'email') ?? member(user, 'name')),
    rows,
    asked: countTokenRequests(world),
  }
}

/**
 * Holds that since then nobody was signed in or out in this browser, and no user, account or session came or went.
 *
 * @param after what was done, in words
 */
export async function holdUnchanged(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: Stock,
  after: string,
): Promise<void> {
  const now = await takeStock(world, browser)
  world.hold(
    id,
    now.who === before.who,
    `${after}: the browser of ${before.who} is now the one of ${now.who}`,
  )
  world.hold(
    id,
    now.rows === before.rows,
    `${after}: the store held ${before.rows} users, accounts and sessions, and holds ${now.rows}`,
  )
}

/** Holds the same, and that no code was sent to a token endpoint. */
export async function holdRefused(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: Stock,
  after: string,
): Promise<void> {
  const asked = countTokenRequests(world) - before.asked
  world.hold(id, asked === 0, `${after}: ${asked} requests were sent to the token endpoint`)
  await holdUnchanged(world, id, browser, before, after)
}
