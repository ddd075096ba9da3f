import type { CookieTable } from '../config/settings.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import type { Visit } from '../http/visit.ts'
import type { TracedCookies } from '../types/trace.ts'

/** Returns the library's cookies of a request. Of a split cookie, the first chunk stands for all. */
export function listReceived({ cookies, cookieTable }: Visit): TracedCookies {
  return choose(cookieTable, (name) => cookies.get(name))
}

/** Returns the library's cookies that a response sets, without those that it clears. */
export function listSent(changes: readonly CookieChange[], cookieTable: CookieTable): TracedCookies {
  return choose(cookieTable, (name) => changes.findLast((change) => change.name === name)?.value)
}

function choose(table: CookieTable, read: (name: string) => string | undefined): TracedCookies {
  const chosen = new Map<string, string>()
  for (const [purpose, { name }] of Object.entries(table)) {
    const value = read(name) || read(`${name}.0`)
    if (value) chosen.set(purpose, value)
  }
  return chosen
}
