import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { stored } from './outcome.ts'

/** The planes of external calls. */
export const planes = ['store', 'callback', 'network', 'mail', 'event'] as const

/** Sign-in methods of these applications. */
export const ways = ['mail', 'alpha', 'plain', 'form'] as const
export type Way = (typeof ways)[number]

/** Runs a flow as far as possible; the responses are in the world. */
export async function walk(
  world: World,
  browser: Browser,
  way: Way,
  onFailure: () => void = () => {},
): Promise<void> {
  const { ada } = world.people
  try {
    if (way === 'form') await browser.enterPassword(ada)
    else if (way === 'mail') await browser.followLink(await browser.requestLink(ada.address.mail))
    else await browser.arrive(await browser.visit(way, ada))
  } catch {
    onFailure()
  }
  await browser.readSession()
  await browser.signOut().catch(onFailure)
}

/** Returns an application with each session strategy, and with passwords under JWT sessions. */
export function withForm(setup: Setup): Readonly<Record<string, Setup>> {
  const { database, jwt } = stored(setup)
  return { database, jwt: { ...jwt, providers: ['alpha', 'plain', 'mail', 'form'] } }
}

/** Decodes percent-encoding, if it is valid. */
export function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
