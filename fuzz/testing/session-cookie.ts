import {
  createKeyring,
  randomBytes,
  randomHex,
  requireSecrets,
  systemPlatform,
} from 'authmachine/instrumented'
import type { Adapter } from 'authmachine/adapters'
import type { VirtualClock } from './virtual-clock.ts'

/** The signed-in user. */
export interface SignedInUser {
  readonly id?: string | undefined
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly image?: string | null | undefined
}

interface CommonOptions {
  /** Whether the site uses https, which changes the cookie name. @default false */
  readonly secure?: boolean
  /** The name of the cookie. @default 'authjs.session-token', or '__Secure-authjs.session-token' */
  readonly name?: string
  /** Seconds until it expires. @default 30 days */
  readonly maxAge?: number
  /** The clock of the application. @default the system clock */
  readonly clock?: Pick<VirtualClock, 'now'>
}

/** For the `jwt` strategy: the session is in the cookie. */
export interface SealedSessionOptions extends CommonOptions {
  readonly user: SignedInUser
  /** The secret of the application; if it has several, the first one. */
  readonly secret: string | readonly string[]
  /** Claims that your `jwt` callback would add to the token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** For the `database` strategy: the session is a row, and the cookie contains its id. */
export interface StoredSessionOptions extends CommonOptions {
  /** A user of the store. */
  readonly user: { readonly id: string }
  /** The store of the application. */
  readonly adapter: Pick<Adapter, 'createSession'>
}

/** A cookie in a browser. */
export interface SessionCookie {
  readonly name: string
  readonly value: string
}

/** The maximum length of a cookie value, after name and attributes. */
const longest = 3900

/**
 * Creates the cookie of a signed-in user, so that a test can start from there. It is a valid session: keep the
 * production secret out of tests.
 *
 * @throws {MissingSecret} if there is no secret, or it is blank
 * @throws {RangeError} if the claims make the cookie too large for browsers
 * @example
 * const cookie = await sessionCookie({ user: { id: '1', name: 'Ada' }, secret })
 * const request = new Request(url, { headers: { cookie: `${cookie.name}=${cookie.value}` } })
 * await context.addCookies([{ ...cookie, url: 'http://localhost:3000' }]) // Playwright
 */
export async function sessionCookie(
  options: SealedSessionOptions | StoredSessionOptions,
): Promise<SessionCookie> {
  const { secure = false, maxAge = 30 * 86_400, clock = systemPlatform } = options
  const { name = `${secure ? '__Secure-' : ''}authjs.session-token` } = options
  const at = { name, maxAge, now: clock.now() }
  return { name, value: 'adapter' in options ? await store(options, at) : await seal(options, at) }
}

interface Moment {
  readonly name: string
  readonly maxAge: number
  /** Milliseconds since 1970. */
  readonly now: number
}

async function seal(
  { user, secret, claims }: SealedSessionOptions,
  { name: salt, ...times }: Moment,
): Promise<string> {
  const keys = createKeyring(requireSecrets(secret), systemPlatform)
  const { id: sub, name, email, image: picture } = user
  const value = await keys.seal({ name, email, picture, sub, ...claims }, { salt, ...times })
  if (value.length <= longest) return value
  throw new RangeError(
    `Expected a cookie of at most ${longest} characters, got ${value.length}; use fewer claims`,
  )
}

async function store({ user, adapter }: StoredSessionOptions, { maxAge, now }: Moment): Promise<string> {
  const sessionToken = randomHex(randomBytes)
  if (!adapter.createSession) throw new TypeError('Expected an adapter with createSession, got one without')
  const expires = new Date(now + maxAge * 1000)
  await adapter.createSession({ sessionToken, userId: user.id, expires })
  return sessionToken
}
