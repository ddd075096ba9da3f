import type { IncomingHttpHeaders } from 'node:http'

/** Origin of a request, as a proxy reports it. */
export interface Forwarded {
  readonly protocol?: 'http' | 'https'
  readonly host?: string
}

/** Reads `Forwarded` (RFC 7239), or else `X-Forwarded-Host` and `-Proto`. The first proxy wins. */
export function readForwarded(headers: IncomingHttpHeaders): Forwarded {
  const host = findParameter(headers.forwarded, 'host') || firstOf(headers['x-forwarded-host'])
  const protocol =
    toProtocol(findParameter(headers.forwarded, 'proto')) ?? toProtocol(firstOf(headers['x-forwarded-proto']))
  return { ...(host && { host }), ...(protocol && { protocol }) }
}

/**
 * A name, and a token or a quoted string, which may contain separators. An unclosed string extends to the end, so that
 * no part of it is taken for a parameter.
 */
const parameter = /(?:^|[;,])\s*([^\s=;,"]+)=(?:"((?:[^"\\]|\\.?)*)(?:"|$)|([^\s;,"]*))/g

function findParameter(header: string | undefined, wanted: string): string | undefined {
  for (const [, name, quoted, token] of header?.matchAll(parameter) ?? [])
    if (name?.toLowerCase() === wanted) return quoted?.replace(/\\(.)/g, '$1') ?? token
  return undefined
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',', 1)[0]?.trim()
}

function toProtocol(text: string | undefined): Forwarded['protocol'] {
  const name = text?.toLowerCase()
  return name === 'http' || name === 'https' ? name : undefined
}
