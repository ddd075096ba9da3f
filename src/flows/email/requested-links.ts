import type { CookieChange } from '../../cookies/cookie.ts'
import { sha256Base64url } from '../../crypto/hash.ts'
import type { Visit } from '../../http/visit.ts'
import { type CookieSealing, sealedCookie } from '../../token/sealed.ts'

/** A mailed link: its provider, its address and its token. */
export interface MailedLink {
  /** Id of the provider. */
  readonly provider: string
  readonly identifier: string
  readonly token: string
}

/** A link as the cookie stores it. */
interface RequestedLink {
  readonly hash: string
  /** Provider and address, as a hash. */
  readonly address: string
  /** The hash of the token in the store. */
  readonly stored: string
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly starter?: LinkStarter
  /** Whether this browser must confirm it anyway. */
  readonly confirm?: boolean
  /** Provider and address, for the page that says that a mail was sent. Absent in cookies of older versions. */
  readonly mail?: { readonly provider: string; readonly identifier: string }
}

/** The user who was signed in when the link was requested, if the address may become theirs. */
export interface LinkStarter {
  readonly id: string
  readonly intent: LinkIntent
}

/** The form requested linking the address (`link=true`). Cookies of earlier versions may have another value. */
export type LinkIntent = 'requested'

/** How many links a cookie remembers. The oldest is dropped first, so that the cookie stays small. */
const kept = 5

export const linksCookie = sealedCookie<{ readonly links: readonly RequestedLink[] }>({
  cookie: ({ cookieTable }) => cookieTable.requestedLinks,
  until: ({ links }) => Math.max(...links.map(({ expires }) => expires)),
  boundTo: [],
  read: ({ links }, now) =>
    Array.isArray(links)
      ? { links: (links as RequestedLink[]).filter(({ expires }) => expires > now) }
      : undefined,
})

/** Remembers in a sealed cookie that this browser requested the link. */
export async function rememberLink(
  link: MailedLink & Pick<RequestedLink, 'stored' | 'starter'>,
  expires: Date,
  visit: Visit,
  world: CookieSealing,
): Promise<CookieChange[]> {
  const { provider, identifier, stored, starter } = link
  const [hash, address] = [await hashOf(link), await addressOf(link)]
  const mail = { provider, identifier }
  const added = { hash, address, stored, starter, mail, expires: expires.getTime() }
  const requested = await readRequested(visit, world)
  // Only the latest address is shown, so the cookie stays small.
  const older = requested.map(({ mail: _, ...others }) => others)
  return writeRequested([...older, added].slice(-kept), visit, world)
}

/** Tells whether this browser requested the link. */
export async function hasRequested(link: MailedLink, visit: Visit, world: CookieSealing): Promise<boolean> {
  const hash = await hashOf(link)
  const requested = await readRequested(visit, world)
  return requested.some((each) => each.hash === hash && !each.confirm)
}

/** Returns the address of the newest link that this browser requested from a provider, and who requested it. */
export async function findNewest(
  provider: string,
  visit: Visit,
  world: CookieSealing,
): Promise<{ readonly identifier: string; readonly starter?: LinkStarter | undefined } | undefined> {
  const newest = (await readRequested(visit, world)).at(-1)
  return newest?.mail?.provider === provider
    ? { identifier: newest.mail.identifier, starter: newest.starter }
    : undefined
}

/** Returns the stored hashes of the links that this browser requested for an address. */
export async function listStored(
  link: Omit<MailedLink, 'token'>,
  visit: Visit,
  world: CookieSealing,
): Promise<readonly string[]> {
  const address = await addressOf(link)
  const requested = await readRequested(visit, world)
  return requested.filter((each) => each.address === address).map(({ stored }) => stored)
}

/** Removes a link from the cookie, and the cookie with its last link. Returns who requested it. */
export async function forgetLink(
  link: MailedLink,
  visit: Visit,
  world: CookieSealing,
): Promise<{ readonly cookies: CookieChange[]; readonly starter?: LinkStarter }> {
  const hash = await hashOf(link)
  const requested = await readRequested(visit, world)
  const found = requested.find((each) => each.hash === hash)
  if (!found) return { cookies: [] }
  const others = requested.filter((each) => each.hash !== hash)
  return { cookies: await writeRequested(others, visit, world), starter: found.starter }
}

/**
 * Returns the cookie as this browser sent it, if the link is in it: for a link that was forgotten too early.
 *
 * @param confirm whether the browser must confirm the link from now on
 */
export async function keepLink(
  link: MailedLink,
  visit: Visit,
  world: CookieSealing,
  confirm = false,
): Promise<CookieChange[]> {
  const hash = await hashOf(link)
  const requested = await readRequested(visit, world)
  if (!requested.some((each) => each.hash === hash)) return []
  const links = requested.map((each) => (each.hash === hash && confirm ? { ...each, confirm } : each))
  return writeRequested(links, visit, world)
}

/** Binds provider, address and token to each other. */
async function hashOf({ provider, identifier, token }: MailedLink): Promise<string> {
  return sha256Base64url(JSON.stringify([provider, identifier, token]))
}

async function addressOf({ provider, identifier }: Omit<MailedLink, 'token'>): Promise<string> {
  return sha256Base64url(JSON.stringify([provider, identifier]))
}

/**
 * Returns the links that have not expired, the oldest first. Returns none if the cookie is missing, expired or forged.
 */
async function readRequested(visit: Visit, world: CookieSealing): Promise<readonly RequestedLink[]> {
  return (await linksCookie.open(visit, {}, world))?.links ?? []
}

async function writeRequested(
  links: readonly RequestedLink[],
  visit: Visit,
  world: CookieSealing,
): Promise<CookieChange[]> {
  return links.length === 0 ? linksCookie.remove(visit) : linksCookie.write({ links }, visit, world)
}
