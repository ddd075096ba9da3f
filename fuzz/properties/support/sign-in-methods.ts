import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { openDevice, perform } from '../../world/passkeys.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** One sign-in method per type of provider. */
export const signInMethods = ['alpha', 'plain', 'mail', 'form', 'passkey'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** Builds an application with custom hooks, a store, and a provider of each type that this strategy supports. */
export function everySignInMethod(
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

/** Returns this sign-in method, or another one if the application does not have it. */
export function orElse(world: World, signInMethod: SignInMethod): SignInMethod {
  return world.idOf(signInMethod) === undefined ? 'alpha' : signInMethod
}

/** Runs a sign-in up to its last request, and returns that request. */
export async function prepareSignIn(
  world: World,
  browser: Browser,
  signInMethod: SignInMethod,
): Promise<() => Promise<Reply>> {
  const { ada } = world.people
  switch (signInMethod) {
    case 'alpha':
    case 'plain': {
      const arrival = await browser.visit(signInMethod, ada)
      return () => browser.arrive(arrival)
    }
    case 'mail': {
      const mail = await browser.requestLink(ada.address.mail)
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

/** Returns the redirect target of a response, from its Location or its JSON body. */
export function redirectTargetOf({ location, json }: Reply): URL | undefined {
  const url = member(json, 'url')
  return typeof url === 'string' && URL.canParse(url) ? new URL(url) : location
}
