import { CookieJar } from 'tough-cookie'
import type { CookieChange } from '../../src/cookies/cookie-change.ts'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import type { RequestCookies } from '../../src/cookies/request-cookies.ts'
import { serializeCookie } from '../../src/cookies/serialize-cookie.ts'

/** A user agent's cookies, kept by an implementation of RFC 6265bis that is not ours. */
export interface Jar {
  /** Takes the cookies of an answer, as they stand on the wire. */
  readonly take: (changes: readonly CookieChange[]) => void
  /** What the next request carries. */
  readonly carried: () => RequestCookies
}

export function openJar(url = 'https://app.test/some/page'): Jar {
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict' })
  return {
    take(changes) {
      for (const change of changes) jar.setCookieSync(serializeCookie(change), url)
    },
    carried: () => parseCookies(jar.getCookieStringSync(url)),
  }
}
