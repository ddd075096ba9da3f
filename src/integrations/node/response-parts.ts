import type { ResponseParts } from '../../http/parts.ts'

/** For a request that has no valid URL, or that no Request can represent. */
export const badRequest: ResponseParts = { status: 400, headers: {}, cookies: [], body: null }

/** Converts a Response of a wrapper. Its body stays a stream. */
export function toParts({ status, headers, body }: Response): ResponseParts {
  const { 'set-cookie': _, ...others } = Object.fromEntries(headers)
  return { status, headers: others, cookies: headers.getSetCookie(), body }
}

/** Lists names and values in the order of a Headers object. */
export function listHeaders({ headers, cookies }: ResponseParts): [name: string, value: string][] {
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  for (const cookie of cookies) lines.push(['set-cookie', cookie])
  return lines.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
