import type { Setup } from '../../targets/setup.ts'
import type { RequirementId } from 'authmachine/spec'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import { generateId, type Offer } from '../../world/passkeys.ts'
import type { Options } from '../../world/webauthn/authenticator.ts'
import type { World } from '../../world/world.ts'
import { readAfter } from './snapshot.ts'

/** An application with passkeys, identity providers and mailed links. */
export const withPasskeys = {
  strategy: 'database',
  providers: ['alpha', 'plain', 'mail', 'passkey'],
  config: { experimental: { enableWebAuthn: true } },
} as const satisfies Setup

/** The same application, with custom passkey or configuration options. */
export function passkeySetup(
  passkey: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>> = {},
): Setup {
  return { ...withPasskeys, provider: { passkey }, config: { ...withPasskeys.config, ...config } }
}

/** Both session strategies. */
export const passkeysAndSessions = {
  database: withPasskeys,
  jwt: { ...withPasskeys, strategy: 'jwt', config: { ...withPasskeys.config, adapter: true } },
} as const satisfies Record<string, Setup>

/** The stored users and credentials as text to compare; empty if the store is not visible. */
export function seeRows(world: World): string {
  if (!world.features.has('store')) return ''
  const { users, accounts, sessions, credentials } = world.rows
  return JSON.stringify([users, accounts, sessions, credentials])
}

/** Checks that nobody is signed in in this browser, and that no rows changed. */
export async function checkNobody(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: string,
  after: string,
): Promise<void> {
  const me = await readAfter(after, browser.whoAmI)
  world.check(id, me === undefined, `${after}: ${me ?? 'nobody'} was signed in`)
  world.check(id, seeRows(world) === before, `${after}: rows were changed`)
}

/** Returns the cookies with the challenge, which are the ones that only the options set. */
export function challengeOf({ reply }: Offer): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reply.cookies
      .filter(({ key }) => !/csrf|callback-?url/i.test(key) && !sessionCookie.test(key))
      .map(({ key, value }) => [key, value]),
  )
}

/** Options of the other ceremony with this challenge, as an attacker's page would write them. */
export function rewrite(world: World, { options }: Offer): Options {
  const { hostname: id } = new URL(world.origin)
  const user = { id: generateId(), name: 'new@passkey.example' }
  return { challenge: options?.challenge ?? '', rp: { id }, rpId: id, user }
}
