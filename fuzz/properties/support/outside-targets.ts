import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/**
 * Targets that a careless check takes for a page of the application, or that leave it once they are decoded again;
 * `host` is its host.
 */
export const outside: readonly string[] = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  'https:evil.example',
  'https:/evil.example/',
  'http://host.evil.example/',
  'http://host@evil.example/',
  'http://evil.example/host',
  'javascript:alert(1)',
  '/%2Fevil.example/',
  '/%5Cevil.example/',
  '/%09/evil.example/',
  '%2F%2Fevil.example/',
  '/%252Fevil.example/',
  'HTTPS://evil.example/',
  // They leave an application that puts its own origin in front of them.
  '@evil.example/',
  '.evil.example/',
  // A check that reads line by line takes the second line for the target.
  'https://evil.example/\n/',
  'https://evil.example/\r\n/',
]

export const evil = 'https://evil.example/target'

/** Names under which applications read the page to return to. */
export const targetNames: readonly string[] = [
  'next return returnTo return_to returnUrl returnURL return_url redirect redirectTo redirect_to',
  'redirectUrl redirect_url redirectUri callback callbackUrl callbackURL continue url uri target',
  'target_link_uri dest destination goto go to from back origin ref referer RelayState success',
  'success_url post_logout_redirect_uri logout service forward out rurl r u then after landing',
  // They name a provider, and the application may believe it.
  'issuer idp authority server host domain base_url authorization_endpoint authorization_url',
  'authorizationURL auth_url provider_url openid_identifier',
].flatMap((line) => line.split(' '))

/** Parameters with a page of an attacker, under each of these names. */
export const everyTarget: Readonly<Record<string, string>> = Object.fromEntries(
  targetNames.map((each) => [each, evil]),
)

/** Follows the redirects within the application, and checks that none leads to a host of an attacker. */
export async function checkHops(world: World, browser: Browser, what: string, first: Reply): Promise<void> {
  let reply = first
  for (let hop = 0; hop < 3; hop++) {
    checkElsewhere(world, what, reply)
    // A provider may sign out, too.
    if (reply.location?.origin !== world.origin) return
    reply = await browser.send(reply.location.href, { says: 'follows the redirect' })
  }
}

/** Checks that a response leads to no host of an attacker, and that no page redirects there without a click. */
export function checkElsewhere(world: World, what: string, reply: Reply | undefined): void {
  if (!reply) return
  const { location, headers, text } = reply
  const refresh = refreshOf(headers, text)
  const isLeft = location?.hostname === 'evil.example' || refresh.includes('evil.example')
  world.check('RD-01', !isLeft, `${what} leads to ${location?.href ?? refresh}`, { observed: 'a redirect' })
}

/** Returns what makes a browser leave a page by itself. */
function refreshOf(headers: Headers, text: string): string {
  const tag = /<meta[^>]+http-equiv=["']?refresh[^>]*>/i.exec(text)?.[0] ?? ''
  return `${headers.get('refresh') ?? ''} ${tag}`.trim()
}

/** Follows the redirects within the application, and checks that none leaves it. */
export async function checkEnd(world: World, browser: Browser, target: string, first: Reply): Promise<void> {
  let reply = first
  for (let hop = 0; hop < 3; hop++) {
    checkInside(world, target, reply)
    if (!reply.location) return
    reply = await browser.send(reply.location.href, { says: 'follows the redirect' })
  }
}

function checkInside(world: World, target: string, { location, headers, text }: Reply): void {
  const refresh = refreshOf(headers, text)
  const isInside =
    (location === undefined || location.origin === world.origin) && !refresh.includes('evil.example')
  const shown = headers.get('location') ?? refresh
  world.check('RD-02', isInside, `${JSON.stringify(target)} redirected to ${JSON.stringify(shown)}`, {
    observed: 'a redirect',
  })
}
