import { parseSetCookie, type SetCookie } from 'cookie'
import { parseCookies } from '../../cookies/parse-cookies.ts'
import { isHost } from '../../text/host.ts'
import { copyHeaders, type RequestParts } from '../../http/parts.ts'
import { once } from '../../async/once.ts'

/** The members of Next's cookies that the library uses. */
export interface NextCookies {
  /** Returns the cookies of the request, as changed so far. */
  getAll(): readonly { readonly name: string; readonly value: string }[]
  set(cookie: Omit<SetCookie, 'value'> & { readonly value: string }): unknown
}

// Loaded on the first call. Otherwise, the proxy and the tests of an application would have to load Next's modules too.
const loadHeaders = once(() => import('next/headers'))
const loadServer = once(() => import('next/server'))

/**
 * Headers that are not passed on: those that describe the body, which the library does not read here, and the header
 * that requests JSON instead of a redirect, which the library sets itself where necessary.
 */
const droppedHeaders = ['content-length', 'content-type', 'transfer-encoding', 'x-auth-return-redirect']

/** The request that Next is handling, and its cookies. */
export interface NextRequestParts {
  /** Without a body. Its path is `/`, because Next does not expose the path of a page. */
  readonly request: RequestParts
  readonly cookies: NextCookies
}

/** Reads the request that Next is handling. Its cookies include all changes that were made while handling it. */
export async function readRequest(): Promise<NextRequestParts> {
  const [next, { connection }] = await Promise.all([loadHeaders(), loadServer()])
  // Next also provides headers and cookies when it prefetches a page, but then forbids reading the clock. `connection`
  // resolves when a user requests the page.
  const [held, cookies] = await Promise.all([next.headers(), next.cookies(), connection()])
  const headers = copyHeaders(held)
  for (const name of droppedHeaders) headers.delete(name)
  const cookie = writeCookies(held.get('cookie') ?? '', cookies)
  if (cookie) headers.set('cookie', cookie)
  else headers.delete('cookie')
  return {
    request: { method: 'GET', url: readUrl(held), headers, body: null, signal: new AbortController().signal },
    cookies,
  }
}

/**
 * Returns the URL of the application. Next sets `x-forwarded-proto`. Without `AUTH_URL`, the library uses the host of
 * this URL, but only if the configuration trusts it.
 *
 * @throws {TypeError} if the Host header is not `host[:port]`
 */
function readUrl(headers: Headers): string {
  const isSecure = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https'
  const host = headers.get('host') ?? 'localhost'
  // Any other text, such as `user@host` or `host/path`, would change the origin or the path.
  if (!isHost(host)) throw new TypeError('The Host header must be host[:port]')
  return `${isSecure ? 'https' : 'http'}://${host}/`
}

/**
 * Writes a `Cookie` header with the cookies as changed so far. If the browser sent several cookies with one name, they
 * stay unchanged, because Next keeps only the last of them.
 */
function writeCookies(sent: string, cookies: NextCookies): string {
  const { isDuplicate } = parseCookies(sent)
  const nameOf = (part: string) => part.slice(0, Math.max(part.indexOf('='), 0)).trim()
  const repeated = sent.split(';').filter((part) => isDuplicate(nameOf(part)))
  const others = cookies
    .getAll()
    // The value of a deleted cookie is empty.
    .filter(({ name, value }) => value !== '' && !isDuplicate(name))
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return [...repeated.map((part) => part.trim()), ...others].join('; ')
}

/** Sets cookies. @throws Next's error in a server component, which must not set cookies */
export function setCookies(cookies: NextCookies, lines: readonly string[]): void {
  for (const line of lines) {
    // Next encodes the value again.
    const { value = '', ...attributes } = parseSetCookie(line)
    cookies.set({ ...attributes, value })
  }
}
