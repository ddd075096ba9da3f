import { stringifySetCookie, type SetCookie } from 'cookie'
import { vi } from 'vitest'
import type { NextCookies } from '../../src/integrations/next/request.ts'
import { origin } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

/** The exception with which `redirect` of Next.js ends a request. */
export class Redirect extends Error {
  readonly url: string
  constructor(url: string) {
    super(`redirects to ${url}`)
    this.url = url
  }
}

/** The parts of the current request that Next.js exposes. */
interface Current {
  readonly headers: Headers
  readonly cookies: NextCookies
}

let current: Current | undefined
let arrival: Promise<void> | undefined

/**
 * Runs code as Next.js does when it prefetches a page: headers and cookies are available, but `connection` waits.
 * @returns the value of the code, and the unstable values that it read before `connection` resolved
 */
export async function inPrefetch<Value>(agent: Agent, act: () => Promise<Value>) {
  let connect = () => {}
  arrival = new Promise((resolve) => (connect = resolve))
  const done = await inRequest(agent, async () => {
    const { reads, restore } = watchUnstable()
    const acting = act()
    // When the timer fires, all code that does not wait for `connection` has run.
    await new Promise((resolve) => setTimeout(resolve, 20))
    restore()
    connect()
    return { value: await acting, reads }
  })
  arrival = undefined
  return done.value
}

/** Records reads of the clock and of randomness. */
function watchUnstable() {
  const reads: string[] = []
  const spies = [
    vi.spyOn(Date, 'now').mockImplementation(() => reads.push('Date.now')),
    vi.spyOn(Math, 'random').mockImplementation(() => reads.push('Math.random')),
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      reads.push('crypto.getRandomValues')
      return bytes
    }),
  ]
  return { reads, restore: () => spies.forEach((spy) => spy.mockRestore()) }
}

function requireCurrent(): Current {
  if (!current) throw new Error('`headers` was called outside a request scope')
  return current
}

/** Mocks of `next/headers`, `next/navigation` and `next/server`. */
export const nextHeaders = {
  headers: async () => requireCurrent().headers,
  cookies: async () => requireCurrent().cookies,
}
export const nextNavigation = {
  redirect(url: string): never {
    throw new Redirect(url)
  },
}
export const nextServer = {
  async connection() {
    requireCurrent()
    await arrival
  },
}

export interface PageRequest {
  /** Headers to add. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether Next.js lets the request set cookies. Server components cannot. @default true */
  readonly setsCookies?: boolean
}

/**
 * Runs code while Next.js handles a browser's request for a page.
 * @returns the value of the code or the URL to which it redirects, and the `Set-Cookie` headers
 */
export async function inRequest<Value>(agent: Agent, act: () => Promise<Value>, sent: PageRequest = {}) {
  const held = new Map(Object.entries(agent.cookies()).map(([name, value]) => [name, decode(value)]))
  const lines: string[] = []
  const cookie = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
  const set = vi.fn((given: SetCookie) => {
    if (sent.setsCookies === false) throw new Error('Cookies can only be modified in a Server Action')
    held.set(given.name, given.value ?? '')
    const line = stringifySetCookie(given)
    lines.push(line)
    agent.set(line)
  })
  current = {
    headers: new Headers({
      host: new URL(origin).host,
      'x-forwarded-proto': 'https',
      'content-type': 'multipart/form-data; boundary=x',
      // A form with a file is larger than the library allows for its own forms.
      'content-length': '5000000',
      ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
      ...sent.headers,
    }),
    cookies: { getAll: () => [...held].map(([name, value]) => ({ name, value })), set },
  }
  try {
    const ended = await act().then(
      (value) => ({ value, redirect: undefined }),
      (error: unknown) => {
        if (error instanceof Redirect) return { value: undefined, redirect: error.url }
        throw error
      },
    )
    return { ...ended, cookies: lines }
  } finally {
    current = undefined
  }
}

function decode(value: string): string {
  return value.includes('%') ? decodeURIComponent(value) : value
}
