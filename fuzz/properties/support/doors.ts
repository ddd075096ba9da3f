import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { openDevice, perform } from '../../world/passkeys.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** A way in of each type of provider. */
export const doors = ['alpha', 'plain', 'mail', 'form', 'passkey'] as const
export type Door = (typeof doors)[number]

/** An application with hooks of its own, a store, and a provider of each type that works with this strategy. */
export function everyDoor(
  strategy: 'jwt' | 'database',
  { features }: Pick<World, 'features'>,
  config: Readonly<Record<string, unknown>> = {},
): Setup {
  return {
    strategy,
    providers: [
      ...(['alpha', 'plain', 'mail'] as const),
      ...(strategy === 'jwt' ? (['form'] as const) : []),
      ...(features.has('passkey') ? (['passkey'] as const) : []),
    ],
    config: {
      ...config,
      adapter: true,
      ...(features.has('passkey') && { experimental: { enableWebAuthn: true } }),
    },
  }
}

/** The same way in, or another one where the application has none such. */
export function orElse(world: World, door: Door): Door {
  return world.idOf(door) === undefined ? 'alpha' : door
}

/** Everything up to the request that signs in, which is left to do. */
export async function approach(world: World, browser: Browser, door: Door): Promise<() => Promise<Reply>> {
  const { ada } = world.people
  switch (door) {
    case 'alpha':
    case 'plain': {
      const arrival = await browser.visit(door, ada)
      return () => browser.arrive(arrival)
    }
    case 'mail': {
      const mail = await browser.askLink(ada.address.mail)
      return () => browser.followLink(mail)
    }
    case 'form':
      return () => browser.enterPassword(ada)
    case 'passkey': {
      const fields = { action: 'register', email: ada.address.passkey }
      world.prove(browser, ada, 'passkey')
      return () => perform(world, browser, openDevice(world, ada), 'register', { fields })
    }
  }
}

/** Where a reply sends the browser, by its Location or in words to a script. */
export function ledTo({ location, json }: Reply): URL | undefined {
  const said = member(json, 'url')
  return typeof said === 'string' && URL.canParse(said) ? new URL(said) : location
}
