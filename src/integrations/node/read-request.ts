import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isHost } from '../../text/host.ts'
import type { RequestParts } from '../../http/parts.ts'
import { readForwarded } from './forwarded.ts'
import { streamBody, writeBody } from './request-body.ts'

/** Options of the handler. */
export interface NodeOptions {
  /**
   * Takes host and protocol from `X-Forwarded-Host` and `X-Forwarded-Proto`, or with `'forwarded'` from `Forwarded` (RFC
   * 7239). Set it only behind a proxy that overwrites these headers: anyone can send them. @default false
   */
  readonly trustProxy?: boolean | 'forwarded'
}

/** A request of node:http, or of Express, which adds members to it. */
export type NodeRequest = IncomingMessage & {
  /** The full path. In `url`, the mount path of the handler is missing. */
  readonly originalUrl?: string
  /** The body, if a body parser has read it. */
  readonly body?: unknown
}

/**
 * Reads a request with its body, even if a body parser has already read it.
 * @returns undefined if a URL parser would change the path of the request line, if the host is not `host[:port]`, or if
 *   the parsed body cannot be serialised
 */
export function readRequest(
  incoming: NodeRequest,
  outgoing: ServerResponse,
  options: NodeOptions,
): RequestParts | undefined {
  const url = readUrl(incoming, options)
  if (url === undefined) return undefined
  const { method = 'GET', headers } = incoming
  if (method === 'GET' || method === 'HEAD') return new NodeRequestParts(method, url, headers, null, outgoing)
  if (!incoming.readableEnded)
    return new NodeRequestParts(method, url, headers, streamBody(incoming), outgoing)
  // These headers describe the original body, which may be compressed, but this body was serialised again.
  const { 'content-length': _length, 'content-encoding': _encoding, ...others } = headers
  const body = writeBody(incoming.body, headers['content-type'])
  return body === undefined ? undefined : new NodeRequestParts(method, url, others, body, outgoing)
}

/** Reads a request, and leaves its body to the application. */
export function readHead(
  incoming: NodeRequest,
  outgoing: ServerResponse,
  options: NodeOptions,
): RequestParts | undefined {
  const url = readUrl(incoming, options)
  const method = incoming.method === 'HEAD' ? 'HEAD' : 'GET'
  return url === undefined ? undefined : new NodeRequestParts(method, url, incoming.headers, null, outgoing)
}

/** Returns a signal that aborts when the client disconnects before the response ends. */
function watchClient(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => !outgoing.writableFinished && controller.abort()
  if (outgoing.destroyed) abort()
  else outgoing.once('close', abort)
  return controller.signal
}

/** A class, because V8 stores an object literal with a getter in a slow form, and frees it late. */
class NodeRequestParts implements RequestParts {
  readonly method: string
  readonly url: string
  readonly headers: RequestParts['headers']
  readonly body: RequestParts['body']
  readonly #outgoing: ServerResponse

  constructor(
    method: string,
    url: string,
    headers: IncomingHttpHeaders,
    body: RequestParts['body'],
    outgoing: ServerResponse,
  ) {
    this.method = method
    this.url = url
    this.headers = new HeadersView(headers)
    this.body = body
    this.#outgoing = outgoing
  }

  get signal(): AbortSignal {
    return watchClient(this.#outgoing)
  }
}

class HeadersView implements Iterable<[name: string, value: string]> {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    return this.#headers[name.toLowerCase()]?.toString() ?? null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  *[Symbol.iterator](): Iterator<[name: string, value: string]> {
    // HTTP/2 has the parts of the URL among its headers.
    for (const name of Object.keys(this.#headers))
      if (!name.startsWith(':')) yield [name, this.get(name) ?? '']
  }
}

function readUrl(incoming: NodeRequest, options: NodeOptions): string | undefined {
  const path = incoming.originalUrl ?? incoming.url ?? '/'
  const origin = readOrigin(incoming, options)
  if (origin === undefined || !isPath(path)) return undefined
  const url = origin + path
  return URL.canParse(url) ? url : undefined
}

/** HTTP/1.0 needs no Host. HTTP/2 has `:authority`, and a Host must not differ from it (RFC 9113 8.3.1). */
function readOrigin({ headers, socket }: IncomingMessage, { trustProxy }: NodeOptions): string | undefined {
  const authority = headers[':authority']?.toString()
  const sent = headers.host ?? authority ?? 'localhost'
  if (authority !== undefined && authority !== sent) return undefined
  const own = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  const { protocol = own, host = sent } = trustProxy ? readForwarded(headers, trustProxy) : {}
  return isHost(sent) && isHost(host) ? `${protocol}://${host}` : undefined
}

/**
 * Returns whether a URL parser keeps the path of the request line. Parsers turn backslashes into slashes, resolve dot
 * segments and drop fragments. A proxy in front would have applied its rules to another path. An absolute URL is
 * refused, because it contains its own host.
 */
function isPath(path: string): boolean {
  return path.startsWith('/') && !/^[^?]*\\|#|^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)
}
