import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { allReady, type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'

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

/** The form asked to link the address (`link=true`). Cookies of earlier versions may have another value. */
export type LinkIntent = 'requested'

/** How many links a cookie remembers. The oldest is dropped first, so that the cookie stays small. */
const kept = 5

/** Remembers in a sealed cookie that this browser requested the link. */
export function rememberLink(
  link: MailedLink & Pick<RequestedLink, 'stored' | 'starter'>,
  expires: Date,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const { provider, identifier, stored, starter } = link
  const mail = { provider, identifier }
  return whenReady(allReady([hashOf(link), addressOf(link)]), ([hash = '', address = '']) =>
    whenReady(readRequested(visit, keys, now), (requested) => {
      const added = { hash, address, stored, starter, mail, expires: expires.getTime() }
      // Only the latest address is shown, so the cookie stays small.
      const older = requested.map(({ mail: _, ...others }) => others)
      return writeRequested([...older, added].slice(-kept), visit, keys, now)
    }),
  )
}

/** Tells whether this browser requested the link. */
export function hasRequested(
  link: MailedLink,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<boolean> {
  return whenReady(hashOf(link), (hash) =>
    whenReady(readRequested(visit, keys, now), (requested) =>
      requested.some((each) => each.hash === hash && !each.confirm),
    ),
  )
}

/** Returns the address of the newest link that this browser requested from a provider, and who requested it. */
export async function findNewest(
  provider: string,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<{ readonly identifier: string; readonly starter?: LinkStarter | undefined } | undefined> {
  const newest = (await readRequested(visit, keys, now)).at(-1)
  return newest?.mail?.provider === provider
    ? { identifier: newest.mail.identifier, starter: newest.starter }
    : undefined
}

/** Returns the stored hashes of the links that this browser requested for an address. */
export async function listStored(
  link: Omit<MailedLink, 'token'>,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<readonly string[]> {
  const address = await addressOf(link)
  const requested = await readRequested(visit, keys, now)
  return requested.filter((each) => each.address === address).map(({ stored }) => stored)
}

/** Removes a link from the cookie, and the cookie with its last link. Returns who requested it. */
export function forgetLink(
  link: MailedLink,
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<{ readonly cookies: CookieChange[]; readonly starter?: LinkStarter }> {
  return whenReady(hashOf(link), (hash) =>
    whenReady(readRequested(visit, keys, now), (requested) => {
      const found = requested.find((each) => each.hash === hash)
      if (!found) return { cookies: [] }
      const others = requested.filter((each) => each.hash !== hash)
      const written = writeRequested(others, visit, keys, now)
      return whenReady(written, (cookies) => ({ cookies, starter: found.starter }))
    }),
  )
}

/**
 * Returns the cookie as this browser sent it, if the link is in it: for a link that was forgotten too early.
 *
 * @param confirm whether the browser must confirm the link from now on
 */
export async function keepLink(
  link: MailedLink,
  visit: Visit,
  keys: Keyring,
  now: number,
  confirm = false,
): Promise<CookieChange[]> {
  const hash = await hashOf(link)
  const requested = await readRequested(visit, keys, now)
  if (!requested.some((each) => each.hash === hash)) return []
  const links = requested.map((each) => (each.hash === hash && confirm ? { ...each, confirm } : each))
  return writeRequested(links, visit, keys, now)
}

/** Binds provider, address and token to each other. */
function hashOf({ provider, identifier, token }: MailedLink): MaybePromise<string> {
  return sha256Base64url(JSON.stringify([provider, identifier, token]))
}

function addressOf({ provider, identifier }: Omit<MailedLink, 'token'>): MaybePromise<string> {
  return sha256Base64url(JSON.stringify([provider, identifier]))
}

/** Several steps of a run read the cookie, which is decrypted once. */
const requestedBy = new WeakMap<Visit, MaybePromise<readonly RequestedLink[]>>()

/**
 * Returns the links that have not expired, the oldest first. Returns none if the cookie is missing, expired or forged.
 */
function readRequested(visit: Visit, keys: Keyring, now: number): MaybePromise<readonly RequestedLink[]> {
  const known = requestedBy.get(visit)
  if (known) return known
  const requested = openRequested(visit, keys, now)
  requestedBy.set(visit, requested)
  return requested
}

function openRequested(visit: Visit, keys: Keyring, now: number): MaybePromise<readonly RequestedLink[]> {
  const { name } = visit.cookieTable.requestedLinks
  const held = readChunked(visit.cookies, name)
  if (held === undefined) return []
  return whenReady(keys.open(held, { salt: name, now }), (opened) => {
    const links: unknown = 'claims' in opened ? opened.claims.links : undefined
    return Array.isArray(links) ? (links as RequestedLink[]).filter(({ expires }) => expires > now) : []
  })
}

function writeRequested(
  links: readonly RequestedLink[],
  visit: Visit,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const cookie = visit.cookieTable.requestedLinks
  if (links.length === 0) return clearChunked(visit.cookies, cookie)
  const expires = Math.max(...links.map((link) => link.expires))
  const maxAge = Math.ceil((expires - now) / 1000)
  return whenReady(keys.seal({ links }, { salt: cookie.name, maxAge, now }), (value) =>
    writeChunked(visit.cookies, cookie, value, new Date(expires)),
  )
}
