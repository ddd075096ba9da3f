import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { choose, enter, receiveReset } from './passwords.ts'
import { orElse, prepareSignIn, type SignInMethod } from './sign-in-methods.ts'

const password = 'a password that is long enough'
const member = 'member@mail.example'

/** Applications with a gate and a second factor, with either session strategy. */
export const withGate = {
  database: { strategy: 'database', passwords: {}, with: { gate: true, 'second-factor': true } },
  jwt: {
    strategy: 'jwt',
    config: { adapter: true },
    passwords: {},
    with: { gate: true, 'second-factor': true },
  },
} as const satisfies Record<string, Setup>

/** Users of `form` are not stored, so a gate can keep nothing for them. */
type Method = Exclude<SignInMethod, 'form'> | 'reset'
export const methods = fc.constantFrom<Method>('alpha', 'plain', 'mail', 'passkey', 'reset')

/** Signs in for the first time, up to the gate. */
export async function arrive(world: World, browser: Browser, method: Method): Promise<void> {
  if (method === 'reset') await choose(world, browser, await receiveReset(world, browser, member), password)
  else await (await prepareSignIn(world, browser, orElse(world, method)))()
}

/** Signs in as the same user. Another passkey would register another user. */
export async function arriveAgain(world: World, browser: Browser, method: Method): Promise<void> {
  if (method === 'reset') await enter(world, browser, member, password)
  else await arrive(world, browser, method)
}

/** Opens a browser that does not answer gates automatically. */
export const openAtGates = (world: World, owner: string) => world.browser(owner, { staysAtGates: true })

/** Gives a browser all cookies of another, except its CSRF token. */
export function copyCookies(from: Browser, to: Browser): void {
  for (const [name, value] of Object.entries(from.cookies()))
    if (!name.includes('csrf')) to.setCookie(`${name}=${value}; Path=/; Secure`)
}

export const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** The rows that a sign-in could have stored. */
export const countRows = ({ rows: { users, accounts, sessions } }: World) =>
  [users.length, accounts.length, sessions.length].join()

/** Returns whether the last redirect leads to a gate. */
export function isAtGate(world: World): boolean {
  const { pathname = '' } = world.replies.findLast(({ reply }) => reply.location)?.reply.location ?? {}
  return isGate(world, pathname)
}

/** Returns whether a gate has been opened, since the world was opened. */
export function wasAtGate(world: World): boolean {
  return world.replies.some(
    ({ request, reply }) => reply.status === 200 && isGate(world, new URL(request.url).pathname),
  )
}

function isGate({ basePath, gates = {} }: World, pathname: string): boolean {
  return pathname.startsWith(`${basePath}/`) && Object.hasOwn(gates, pathname.slice(basePath.length + 1))
}
