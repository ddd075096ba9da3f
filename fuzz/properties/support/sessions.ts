import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import type { Person } from '../../world/people.ts'
import { isCleared, member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** Cookies by name. */
export type Cookies = Readonly<Record<string, string>>

/** The session cookies among others, pieces included. */
export function sessionOf(cookies: Cookies): Cookies {
  return Object.fromEntries(Object.entries(cookies).filter(([name]) => sessionCookie.test(name)))
}

/** The session that a browser holds: the values of its cookies, put together. */
export function heldBy(browser: Browser): string {
  return Object.entries(sessionOf(browser.cookies()))
    .map(([name, value]) => [Number(/\.(\d+)$/.exec(name)?.[1] ?? 0), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join('')
}

/** The session cookies that a reply sets. */
export function issuedBy({ cookies }: Reply) {
  return cookies.filter(({ key, value, maxAge }) => sessionCookie.test(key) && value !== '' && maxAge !== 0)
}

/** The name of the session cookie, without the number of a piece. @throws {Unreached} without a session */
export function sessionName(world: World, browser: Browser): string {
  const [name] = Object.keys(sessionOf(browser.cookies()))
  world.demand(name !== undefined, 'the browser has no session cookie')
  return (name ?? '').replace(/\.\d+$/, '')
}

/** As a `Cookie` header has it. */
export function headerOf(cookies: Cookies | readonly (readonly [string, string])[]): string {
  const pairs = Array.isArray(cookies) ? (cookies as [string, string][]) : Object.entries(cookies)
  return pairs.map(([name, value]) => `${name}=${value}`).join('; ')
}

/** Puts cookies into a browser that last as long as it does. */
export function plant(browser: Browser, cookies: Cookies): void {
  for (const [name, value] of Object.entries(cookies))
    browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`)
}

/** Does the answer tell of a failure? */
export function refuses({ status, location, json }: Reply): boolean {
  const said = member(json, 'url')
  const to = typeof said === 'string' && URL.canParse(said) ? new URL(said) : location
  return (
    status >= 400 || (to !== undefined && (to.searchParams.has('error') || to.pathname.endsWith('/error')))
  )
}

/** Is somebody signed in, by what the session route answers? */
export function isSignedIn({ status, json }: Reply): boolean {
  return status === 200 && member(json, 'user') !== undefined
}

/** Reads the session with these cookies, and no others. */
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

/** The same browser, before another application on the same host. */
export function moveTo(other: World, browser: Browser, as: Person): Browser {
  const moved = other.browser(browser.name)
  other.prove(moved, as, 'alpha')
  moved.restore(browser.save())
  return moved
}

/** Names of the session cookies that a reply takes away. */
export function clearedBy(world: World, { cookies }: Reply): string[] {
  return cookies
    .filter((cookie) => sessionCookie.test(cookie.key) && isCleared(cookie, world.clock.now()))
    .map(({ key }) => key)
}

/** The claims of a token as JSON has them, without those that sealing adds. */
export function withoutTimes(token: unknown): unknown {
  const { iat: _iat, exp: _exp, jti: _jti, ...rest } = Object(token) as Record<string, unknown>
  return JSON.parse(JSON.stringify(rest)) as unknown
}

/** Holds that a sign-out was answered, and that no session cookie is left. */
export function holdNoneLeft(world: World, browser: Browser, { status, failure }: Reply): void {
  world.hold('SE-11', status < 500, `the sign-out is answered with ${failure ?? status}`)
  const left = Object.keys(sessionOf(browser.cookies()))
  world.hold('SE-11', left.length === 0, `after the sign-out the browser still has ${left.join(', ')}`)
}
