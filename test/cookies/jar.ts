import { CookieJar } from 'tough-cookie'
import { type CookieChange, serializeCookie } from '../../src/cookies/cookie.ts'
import { parseCookies, type RequestCookies } from '../../src/cookies/parse-cookies.ts'

/** The cookie jar of a user agent, in an independent implementation of RFC 6265bis. */
export interface Jar {
  /** Stores the cookies of a response's raw headers. */
  readonly take: (changes: readonly CookieChange[]) => void
  /** The cookies of the next request. */
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
