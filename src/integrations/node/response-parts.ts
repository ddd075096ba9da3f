import type { ResponseParts } from '../../http/parts.ts'
import { writeSetCookie } from './join-cookies.ts'

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
