import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequest, sendResponse } from '@remix-run/node-fetch-server'
import { isHost } from '../../host.ts'
import { keepFromCaches } from '../../http/respond.ts'

/** Options of the handler. */
export interface NodeOptions {
  /**
   * Takes host and protocol from `Forwarded`, or from `X-Forwarded-Host` and `-Proto`. Set it only behind a proxy that
   * overwrites these headers: anyone can send them. @default false
   */
  readonly trustProxy?: boolean
}

/** A request of node:http, or of Express, which adds members to it. */
export type NodeRequest = IncomingMessage & {
  /** The full path. In `url`, the mount path of the handler is missing. */
  readonly originalUrl?: string
  /** The body, if a body parser has read it. */
  readonly body?: unknown
}

/**
 * Converts a request to a `Request` with its body, even if a body parser has already read it.
 * @returns undefined if no Request can have the path of the request line, or the host is not `host[:port]`
 */
export function toRequest(
  incoming: NodeRequest,
  outgoing: ServerResponse,
  options: NodeOptions,
): Request | undefined {
  const head = toHead(incoming, outgoing, options)
  if (!head || incoming.method === 'GET' || incoming.method === 'HEAD') return head
  try {
    const { method = 'GET' } = incoming
    if (!incoming.readableEnded) return new Request(head.url, createRequest(incoming, outgoing, options))
    const headers = new Headers(head.headers)
    // They describe the original body, which may be compressed. This one is serialised again.
    for (const name of ['content-length', 'content-encoding']) headers.delete(name)
    return new Request(head.url, { method, headers, body: writeBody(incoming) })
  } catch {
    return undefined
  }
}

/** Converts a request to a `Request` without a body, and leaves the body unread. */
export function toHead(
  incoming: NodeRequest,
  outgoing: ServerResponse,
  options: NodeOptions,
): Request | undefined {
  const { method, originalUrl, url = '/', headers } = incoming
  const path = originalUrl ?? url
  const hosts = [headers.host, headers[':authority']].flat().filter((host) => host !== undefined)
  if (!isPath(path) || !hosts.every(isHost)) return undefined
  const head: IncomingMessage = Object.create(incoming, {
    url: { value: path },
    method: { value: method === 'HEAD' ? 'HEAD' : 'GET' },
  })
  try {
    const request = createRequest(head, outgoing, options)
    return keepsPath(request, path) ? request : undefined
  } catch {
    return undefined
  }
}

/**
 * Tells whether a URL parser keeps the path of the request line. Parsers turn backslashes into slashes, resolve dot
 * segments and drop fragments, so a proxy in front of us would have applied its rules to another path. An absolute URL
 * brings its own host.
 */
function isPath(path: string): boolean {
  return path.startsWith('/') && !/^[^?]*\\|#|^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)
}

/** Tells whether the Request has the path of the request line, whatever host a proxy has sent. */
function keepsPath(request: Request, path: string): boolean {
  const [came, sent] = [new URL(request.url), new URL(`http://host${path}`)]
  return came.pathname === sent.pathname && came.search === sent.search
}

/** Sends a response. Its cookies are added to those already set, which a bridge would replace. */
export async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  addCookies(outgoing, response.headers.getSetCookie())
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  const { status, statusText, body } = response
  await sendResponse(outgoing, new Response(body, { status, statusText, headers }))
}

/** Adds the cookies of a session to the application's response. */
export function addSession(outgoing: ServerResponse, cookies: readonly string[]): void {
  keepFromCaches(cookies, (name, value) => outgoing.setHeader(name, value))
  addCookies(outgoing, cookies)
}

function addCookies(outgoing: ServerResponse, cookies: readonly string[]): void {
  for (const cookie of cookies) outgoing.appendHeader('Set-Cookie', cookie)
}

/** Serialises a parsed body again, by its content type. */
function writeBody({ headers, body }: NodeRequest): BodyInit | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return new Uint8Array(Buffer.from(body))
  if (body === undefined || body === null) return null
  if (!headers['content-type']?.includes('urlencoded')) return JSON.stringify(body)
  return new URLSearchParams([...listFields(body)])
}

/** Yields names and values of a form, which parsers turn into lists and objects. */
function* listFields(value: unknown, name = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const each of value) yield* listFields(each, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* listFields(each, name ? `${name}[${key}]` : key)
  else yield [name, String(value)]
}
