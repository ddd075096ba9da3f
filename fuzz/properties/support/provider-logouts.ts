import type { Setup } from '../../targets/setup.ts'
import type { Claims } from '../../world/idp/faults.ts'
import type { Person } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { isSignedIn, readWith, sessionOf, type Cookies } from './sessions.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const wanted = { 'back-channel-logout': true } as const
/** The features that properties of provider-initiated logouts need. */
export const logoutNeeds = ['clock', 'setup'] as const

/** Applications with either session strategy. */
export const logoutSetups = {
  database: { strategy: 'database', with: wanted },
  jwt: { strategy: 'jwt', with: wanted },
} as const satisfies Record<string, Setup>

type LogoutProvider = 'alpha' | 'beta'

/** How a person signs in. */
interface Arrival {
  readonly at?: LogoutProvider
  /** The session that the provider names in the id_token, if any. */
  readonly device?: string
  /** The subject in the id_token, if it is not that of the person. */
  readonly sub?: string
  /** Added to the time of the id_token, in seconds. */
  readonly fraction?: number
}

/** Returns the time in whole seconds. */
const seconds = (world: World) => Math.floor(world.clock.now() / 1000)

/** @returns the session cookies, if there is a session */
export async function tryToEnter(
  world: World,
  person: Person,
  { at = 'alpha', device, sub, fraction = 0 }: Arrival,
): Promise<Cookies> {
  const iat = fraction === 0 ? {} : { iat: seconds(world) + fraction }
  world.idps[at].addToClaims({
    ...(device !== undefined && { sid: device }),
    ...(sub !== undefined && { sub }),
    ...iat,
  })
  const browser = world.browser(person.name)
  await browser.arrive(await browser.visit(at, person))
  return sessionOf(browser.cookies())
}

/** @returns the session cookies @throws {Unreached} without a session */
export async function enter(world: World, person: Person, arrival: Arrival): Promise<Cookies> {
  const held = await tryToEnter(world, person, arrival)
  world.assume(await isLive(world, held), `${person.name} is not signed in`)
  return held
}

/** Returns the claims of a valid logout token for a person. */
export function claimsFor(
  world: World,
  person: Person,
  changes: Claims = {},
  at: LogoutProvider = 'alpha',
): Claims {
  const iat = seconds(world)
  const times = { iat, exp: iat + 120, jti: `logout at ${iat}` }
  const aud = world.idps[at].requestsTo('authorize').at(-1)?.parameters.get('client_id')
  const subject = { iss: world.idps[at].issuer, aud, sub: `${person.name}-at-${at}` }
  return { ...subject, ...times, events: { [logoutEvent]: {} }, ...changes }
}

/** Posts logout tokens, as a provider does. */
export function postLogout(world: World, ...tokens: readonly string[]): Promise<Reply> {
  const body = new URLSearchParams(tokens.map((token): [string, string] => ['logout_token', token]))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = world.url('backchannel-logout')
  return world.send(new Request(url, { method: 'POST', headers, body: body.toString() }))
}

/** Returns whether the cookies are those of a signed-in user. */
export async function isLive(world: World, held: Cookies): Promise<boolean> {
  return isSignedIn(await readWith(world, held))
}
