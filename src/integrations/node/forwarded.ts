import type { IncomingHttpHeaders } from 'node:http'

/** Protocol and host of a request, as a proxy reports them. */
export interface Forwarded {
  readonly protocol?: 'http' | 'https'
  readonly host?: string
}

/**
 * Reads `X-Forwarded-Host` and `-Proto`, or only `Forwarded` (RFC 7239): a proxy that overwrites one kind may pass on
 * the other kind as the client sent it. The value of the first proxy counts.
 */
export function readForwarded(headers: IncomingHttpHeaders, trusted: true | 'forwarded'): Forwarded {
  const [host, proto] =
    trusted === 'forwarded'
      ? [findParameter(headers.forwarded, 'host'), findParameter(headers.forwarded, 'proto')]
      : [firstOf(headers['x-forwarded-host']), firstOf(headers['x-forwarded-proto'])]
  const protocol = toProtocol(proto)
  return { ...(host && { host }), ...(protocol && { protocol }) }
}

/** Frameworks pass headers of other types, such as lists. */
function findParameter(header: string | readonly string[] | undefined, wanted: string): string | undefined {
  // A name, and a token or a quoted string, which may contain separators. An unclosed string extends to the end, so that
  // no part of it is taken for a parameter.
  const parameter = /(?:^|[;,])\s*([^\s=;,"]+)=(?:"((?:[^"\\]|\\.?)*)(?:"|$)|([^\s;,"]*))/g
  for (const [, name, quoted, token] of String(header ?? '').matchAll(parameter))
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
