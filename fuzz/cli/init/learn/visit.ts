import type { Browser } from '../../../world/browser.ts'
import type { RemoteName } from '../../../world/people.ts'
import type { Reply } from '../../../world/reply.ts'
import type { World } from '../../../world/world.ts'
import type { Action } from './read-actions.ts'

/** Maximum redirects to follow. */
const maxHops = 6

/** A response, and the URL of the page that it is. */
export interface Seen {
  readonly reply: Reply
  readonly url: URL
}

/** Opens a path, and follows redirects within the application. */
export async function open(
  world: World,
  browser: Browser,
  path: string,
  says = 'opens a page',
): Promise<Seen> {
  return follow(world, browser, {
    reply: await browser.send(path, { says }),
    url: new URL(path, world.origin),
  })
}

/** Follows a link or submits a form, and follows redirects within the application. */
export async function act(world: World, browser: Browser, action: Action): Promise<Seen> {
  const { method, url, fields, says } = action
  const query = new URLSearchParams([...url.searchParams, ...Object.entries(fields)])
  const path =
    method === 'GET' ? `${url.pathname}${query.size > 0 ? `?${query}` : ''}` : `${url.pathname}${url.search}`
  const form = { ...(method === 'POST' && { form: fields }), method, says: `presses ${says}` }
  return follow(world, browser, { reply: await browser.send(path, form), url })
}

async function follow(world: World, browser: Browser, first: Seen): Promise<Seen> {
  let { reply, url } = first
  for (let hop = 0; hop < maxHops && reply.location?.origin === world.origin; hop++) {
    url = reply.location
    reply = await browser.send(url.href, { says: 'follows the redirect' })
  }
  return { reply, url }
}

/** Returns the provider to which a response redirects. */
export function providerOf({ idps }: World, { location }: Reply): RemoteName | undefined {
  const found = Object.entries(idps).find(([, { issuer }]) => location?.href.startsWith(`${issuer}/`))
  return found?.[0] as RemoteName | undefined
}

/** Consents at the provider to which a response redirects, and opens the callback. */
export async function consent(
  world: World,
  browser: Browser,
  { reply }: Seen,
  person: 'ada' | 'eve' = 'ada',
): Promise<Seen | undefined> {
  const provider = providerOf(world, reply)
  const callback = reply.location?.searchParams.get('redirect_uri') ?? ''
  if (!provider || !reply.location || !URL.canParse(callback)) return undefined
  const url = new URL(callback)
  const idp = world.idps[provider]
  idp.choose(`${person}-at-${provider}`)
  const { parameters, mode } = await idp.authorize(reply.location.href)
  const path = `${url.pathname}${url.search}`
  const says = `returns from ${provider}`
  const arrived =
    mode === 'form_post'
      ? await browser.send(path, { form: parameters, crossSite: true, says })
      : await browser.send(`${path}${url.search === '' ? '?' : '&'}${parameters}`, { says })
  return follow(world, browser, { reply: arrived, url })
}
