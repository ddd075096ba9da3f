import type { Setup } from '../../targets/setup.ts'
import type { RequirementId } from 'authmachine/spec'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import { drawId, type Asked } from '../../world/passkeys.ts'
import type { Options } from '../../world/webauthn/authenticator.ts'
import type { World } from '../../world/world.ts'

/** Passkeys beside identity providers and links by mail. */
export const withPasskeys = {
  strategy: 'database',
  providers: ['alpha', 'plain', 'mail', 'passkey'],
  config: { experimental: { enableWebAuthn: true } },
} as const satisfies Setup

/** The same, with a passkey provider or a configuration of its own. */
export function passkeySetup(
  passkey: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>> = {},
): Setup {
  return { ...withPasskeys, provider: { passkey }, config: { ...withPasskeys.config, ...config } }
}

/** Both ways to keep sessions. */
export const passkeysAndSessions = {
  database: withPasskeys,
  jwt: { ...withPasskeys, strategy: 'jwt', config: { ...withPasskeys.config, adapter: true } },
} as const satisfies Record<string, Setup>

/** What the store holds of users and how they come in, as text to compare; nothing where it can't be seen. */
export function seeRows(world: World): string {
  if (!world.features.has('store')) return ''
  const { users, accounts, sessions, credentials } = world.rows
  return JSON.stringify([users, accounts, sessions, credentials])
}

/** Holds that nobody is signed in in this browser, and that nothing was stored since. */
export async function holdNobody(
  world: World,
  id: RequirementId,
  browser: Browser,
  before: string,
  after: string,
): Promise<void> {
  const me = await browser.whoAmI()
  world.hold(id, me === undefined, `${after}: ${me ?? 'nobody'} was signed in`)
  world.hold(id, seeRows(world) === before, `${after}: rows were changed`)
}

/** The cookies that keep a challenge: those of the options that are for nothing else. */
export function challengeOf({ reply }: Asked): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reply.cookies
      .filter(({ key }) => !/csrf|callback-?url/i.test(key) && !sessionCookie.test(key))
      .map(({ key, value }) => [key, value]),
  )
}

/** Options of the other ceremony with this challenge, as an attacker's page would write them. */
export function rewrite(world: World, { options }: Asked): Options {
  const { hostname: id } = new URL(world.origin)
  const user = { id: drawId(), name: 'new@passkey.example' }
  return { challenge: options?.challenge ?? '', rp: { id }, rpId: id, user }
}
