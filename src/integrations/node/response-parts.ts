import type { ResponseParts } from '../../http/parts.ts'
import { Readable } from 'node:stream'
import { withoutReplaced } from '../../cookies/chunks.ts'

/** For a request that has no valid URL, or that no Request can represent. */
export const badRequest: ResponseParts = { status: 400, headers: {}, cookies: [], body: null }

/** Converts a Response of a wrapper. Its body stays a stream. */
export function toParts({ status, headers, body }: Response): ResponseParts {
  const { 'set-cookie': _, ...others } = Object.fromEntries(headers)
  return { status, headers: others, cookies: headers.getSetCookie(), body }
}

type Lines = Record<string, string | string[]>

/** Returns the headers and cookies in the order of a Headers object. */
export function sortHeaders(headers: ResponseParts['headers'], cookies: readonly string[]): Lines {
  const sorted = sort(headers)
  if (cookies.length > 0) return { ...sorted, 'set-cookie': writeSetCookie(cookies) }
  const { 'set-cookie': _, ...others } = sorted
  return others
}

/** Sorts by name. An empty `set-cookie` keeps the place of the cookies. */
function sort(headers: ResponseParts['headers']): Lines {
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  lines.push(['set-cookie', ''])
  return Object.fromEntries(lines.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Converts the body of a Response to a stream of Node. It uses only the interface of the Fetch standard, because
 * `Readable.fromWeb` and `pipeline` accept only the streams of Node, and servers and test tools replace the class
 * `Response`.
 */
export function toReadable(body: Pick<ReadableStream<Uint8Array>, 'getReader'>): Readable {
  const reader = body.getReader()
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => undefined)
  return new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      cancel(error)
      done(error)
    },
  })
}

/** The methods that responses of node:http and of Fastify share. */
export interface HeldHeaders {
  getHeader(name: string): number | string | readonly string[] | undefined
}

/**
 * Joins the cookies that a response already sets with later ones, and drops cookies that a later one replaces. If both
 * were sent, a sign-out would clear the session cookie and leave the chunks that an extension of the session has just
 * set.
 */
export function joinCookies(response: HeldHeaders, later: readonly string[]): string[] {
  const earlier = response.getHeader('set-cookie')
  return earlier === undefined
    ? [...later]
    : [...withoutReplaced([earlier].flat().map(String), later), ...later]
}

/**
 * Returns the value of Set-Cookie. For one cookie, it is text, as `appendHeader` stores it, because some adapters, such
 * as serverless-http, send a list differently.
 */
export function writeSetCookie(cookies: readonly string[]): string | string[] {
  const [first, ...others] = cookies
  return first !== undefined && others.length === 0 ? first : [...cookies]
}
