import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import type { Person } from '../../world/people.ts'
import { isCleared, member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** Cookies by name. */
export type Cookies = Readonly<Record<string, string>>

/** Returns the session cookies among others, including chunks. */
export function sessionOf(cookies: Cookies): Cookies {
  return Object.fromEntries(Object.entries(cookies).filter(([name]) => sessionCookie.test(name)))
}

/** Returns a browser's session token, joined from its cookies. */
export function sessionTokenOf(browser: Browser): string {
  return Object.entries(sessionOf(browser.cookies()))
    .map(([name, value]) => [Number(/\.(\d+)$/.exec(name)?.[1] ?? 0), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join('')
}

/** Returns the session cookies that a response sets. */
export function issuedBy({ cookies }: Reply) {
  return cookies.filter(({ key, value, maxAge }) => sessionCookie.test(key) && value !== '' && maxAge !== 0)
}

/** Returns the name of the session cookie, without a chunk number. @throws {Unreached} without a session */
export function sessionName(world: World, browser: Browser): string {
  const [name] = Object.keys(sessionOf(browser.cookies()))
  world.assume(name !== undefined, 'the browser has no session cookie')
  return (name ?? '').replace(/\.\d+$/, '')
}

/** Formats cookies as a `Cookie` header. */
export function headerOf(cookies: Cookies | readonly (readonly [string, string])[]): string {
  const pairs = Array.isArray(cookies) ? (cookies as [string, string][]) : Object.entries(cookies)
  return pairs.map(([name, value]) => `${name}=${value}`).join('; ')
}

/** Adds session-lifetime cookies to a browser. */
export function plant(browser: Browser, cookies: Cookies): void {
  for (const [name, value] of Object.entries(cookies))
    browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`)
}

/** Returns whether the response reports a failure. */
export function refuses({ status, location, json }: Reply): boolean {
  const url = member(json, 'url')
  const to = typeof url === 'string' && URL.canParse(url) ? new URL(url) : location
  return (
    status >= 400 || (to !== undefined && (to.searchParams.has('error') || to.pathname.endsWith('/error')))
  )
}

/** Returns whether somebody is signed in, by the session route. */
export function isSignedIn({ status, json }: Pick<Reply, 'status' | 'json'>): boolean {
  return status === 200 && member(json, 'user') !== undefined
}

/** Reads the session with only these cookies. */
export function readWith(
  world: World,
  cookies: Cookies | readonly (readonly [string, string])[],
): Promise<Reply> {
  return world.send(new Request(world.url('session'), { headers: { cookie: headerOf(cookies) } }))
}

/** Posts an update of the session. */
export async function update(
  world: World,
  browser: Browser,
  data: unknown,
  headers: Cookies = {},
): Promise<Reply> {
  const csrfToken = await browser.csrfToken()
  return browser.send(`${world.basePath}/session`, {
    json: { csrfToken, data },
    headers,
    says: 'updates its session',
  })
}

/** Opens a browser for another application on the same host, with the cookies of this one. */
export function moveTo(other: World, browser: Browser, as: Person): Browser {
  const moved = other.browser(browser.name)
  other.prove(moved, as, 'alpha')
  moved.restore(browser.save())
  return moved
}

/** Returns the names of the session cookies that a response clears. */
export function clearedBy(world: World, { cookies }: Reply): string[] {
  return cookies
    .filter((cookie) => sessionCookie.test(cookie.key) && isCleared(cookie, world.clock.now()))
    .map(({ key }) => key)
}

/** Returns the JSON claims of a token, without the claims that sealing adds. */
export function withoutTimes(token: unknown): unknown {
  const { iat: _iat, exp: _exp, jti: _jti, ...rest } = Object(token) as Record<string, unknown>
  return JSON.parse(JSON.stringify(rest)) as unknown
}

/** Checks that a sign-out succeeded and left no session cookie. */
export function checkNoneLeft(world: World, browser: Browser, { status, failure }: Reply): void {
  world.check('SE-11', status < 500, `the sign-out returns ${failure ?? status}`)
  const left = Object.keys(sessionOf(browser.cookies()))
  world.check('SE-11', left.length === 0, `after the sign-out the browser still has ${left.join(', ')}`)
}
