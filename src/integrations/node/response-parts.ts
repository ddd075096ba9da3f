import type { ResponseParts } from '../../http/parts.ts'

/** For a request without a valid URL. */
export const badRequest: ResponseParts = { status: 400, headers: {}, cookies: [], body: null }

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
