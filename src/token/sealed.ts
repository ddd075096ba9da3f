/**
 * The codec of sealed values: texts that only this library writes and reads, in cookies, forms, links and the store. Each is
 * declared once. Its purpose selects the key, and `open` compares the binding of the value, so no value opens for another
 * purpose, user, provider or browser.
 */
import type { Settings } from '../config/settings.ts'
import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import { type BrowserPurpose, isSameBrowser } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'
import type { Platform } from '../types/config.ts'
import type { CookieOption } from '../types/cookies.ts'
import type { Claims, Refusal } from './decrypt-token.ts'
import type { Keyring } from './keyring.ts'

/** The keys and the clock of sealed values. */
export interface Sealing {
  readonly keys: Keyring
  readonly platform: Pick<Platform, 'now'>
}

/** The keys, the clock and the settings, for sealed cookies. The world of a step can be passed. */
export interface CookieSealing extends Sealing {
  readonly settings: Settings
}

/** The time for which a value can be opened. */
type Lifetime<Content, Needs> =
  | {
      /** Seconds. */
      readonly maxAge: number
    }
  | {
      /** Milliseconds since 1970. */
      readonly until: (content: Content, sealing: Needs) => number
    }

interface Format<Content extends object, Bound extends keyof Content> {
  /** The members that the caller of `open` must know. With other values in them, the text is refused. */
  readonly boundTo: readonly Bound[]
  /** @default the members of the content */
  readonly toClaims?: (content: Content) => Claims
  /** Reads the claims of this version and of earlier ones, or returns undefined. `now`: milliseconds since 1970. */
  readonly read: (claims: Claims, now: number) => Content | undefined
}

type TextFormat<Content extends object, Bound extends keyof Content> = Format<Content, Bound> &
  Lifetime<Content, Sealing> & {
    /** The salt of the key. No two values have the same. */
    readonly purpose: string
  }

type CookieFormat<Content extends object, Bound extends keyof Content> = Format<Content, Bound> &
  Lifetime<Content, CookieSealing> & {
    /** The name of the cookie, which is the purpose of the value. */
    readonly cookie: (visit: Visit) => CookieOption
    /** If set, the member `browser` of the content is a name for this purpose, and other browsers are refused. */
    readonly browser?: BrowserPurpose
  }

/** The content of a value, or why it was refused. */
type Unsealed<Content> =
  | { readonly content: Content; readonly refused?: undefined }
  | { readonly content?: undefined; readonly refused: Refusal | 'bound-elsewhere' }

/** A sealed text in a form, a link or the store. */
export interface SealedText<Content, Bound extends keyof Content> {
  /** Encrypts the content. */
  readonly seal: (content: Content, sealing: Sealing) => Promise<string>
  /** Decrypts a text. Never throws because of it. */
  readonly open: (text: string, bound: Pick<Content, Bound>, sealing: Sealing) => Promise<Unsealed<Content>>
}

/** Declares a sealed text. */
export function sealedText<Content extends object, Bound extends keyof Content = never>(
  format: TextFormat<Content, Bound>,
): SealedText<Content, Bound> {
  return {
    seal: async (content, sealing) =>
      encrypt(content, format.purpose, endOf(content, format, sealing), format, sealing),
    open: async (text, bound, sealing) => {
      const opened = await decrypt(text, format.purpose, format, sealing)
      return opened.content && !isBound(opened.content, bound, format)
        ? { refused: 'bound-elsewhere' }
        : opened
    },
  }
}

/** A sealed cookie, split into chunks if it is long. */
export interface SealedCookie<Content, Bound extends keyof Content> {
  /** Encrypts the content into the cookie, which replaces an older one. */
  readonly write: (content: Content, visit: Visit, sealing: CookieSealing) => Promise<CookieChange[]>
  /** Returns whether the browser sent the cookie. */
  readonly isSent: (visit: Visit) => boolean
  /** Decrypts the cookie. Returns undefined if it is missing, expired, forged or bound to something else. */
  readonly open: (
    visit: Visit,
    bound: Pick<Content, Bound>,
    sealing: CookieSealing,
  ) => Promise<Content | undefined>
  /** Decrypts the cookie without checking its binding. Use it to end or show the content, not to act on it. */
  readonly peek: (visit: Visit, sealing: CookieSealing) => Promise<Content | undefined>
  /** Removes the cookie. */
  readonly remove: (visit: Visit) => CookieChange[]
}

/** Declares a sealed cookie. */
export function sealedCookie<Content extends object, Bound extends keyof Content = never>(
  format: CookieFormat<Content, Bound>,
): SealedCookie<Content, Bound> {
  const peek = async (visit: Visit, sealing: CookieSealing) => {
    const { name } = format.cookie(visit)
    const held = readChunked(visit.cookies, name)
    return held === undefined ? undefined : (await decrypt(held, name, format, sealing)).content
  }
  return {
    peek,
    async write(content, visit, sealing) {
      const cookie = format.cookie(visit)
      const until = endOf(content, format, sealing)
      const value = await encrypt(content, cookie.name, until, format, sealing)
      return writeChunked(visit.cookies, cookie, value, new Date(until))
    },
    isSent: (visit) => readChunked(visit.cookies, format.cookie(visit).name) !== undefined,
    async open(visit, bound, sealing) {
      const content = await peek(visit, sealing)
      if (!content || !isBound(content, bound, format)) return undefined
      return (await isOfBrowser(content, visit, format, sealing)) ? content : undefined
    },
    remove: (visit) => clearChunked(visit.cookies, format.cookie(visit)),
  }
}

function endOf<Content, Needs extends Sealing>(
  content: Content,
  lifetime: Lifetime<Content, Needs>,
  sealing: Needs,
): number {
  if ('until' in lifetime) return lifetime.until(content, sealing)
  return sealing.platform.now() + lifetime.maxAge * 1000
}

async function encrypt<Content extends object>(
  content: Content,
  salt: string,
  until: number,
  { toClaims }: Format<Content, keyof Content>,
  { keys, platform }: Sealing,
): Promise<string> {
  const now = platform.now()
  const claims: Claims = toClaims ? toClaims(content) : Object.fromEntries(Object.entries(content))
  return keys.seal(claims, { salt, maxAge: Math.ceil((until - now) / 1000), now })
}

async function decrypt<Content extends object>(
  text: string,
  salt: string,
  { read }: Format<Content, keyof Content>,
  { keys, platform }: Sealing,
): Promise<Unsealed<Content>> {
  const now = platform.now()
  const opened = await keys.open(text, { salt, now })
  if ('refused' in opened) return { refused: opened.refused }
  const content = read(opened.claims, now)
  return content ? { content } : { refused: 'malformed' }
}

function isBound<Content extends object, Bound extends keyof Content>(
  content: Content,
  bound: Pick<Content, Bound>,
  { boundTo }: Format<Content, Bound>,
): boolean {
  return boundTo.every((name) => content[name] === bound[name])
}

async function isOfBrowser(
  content: object,
  visit: Visit,
  { browser }: { readonly browser?: BrowserPurpose },
  { settings }: CookieSealing,
): Promise<boolean> {
  if (browser === undefined) return true
  return isSameBrowser(browser, 'browser' in content ? content.browser : undefined, visit, settings)
}
