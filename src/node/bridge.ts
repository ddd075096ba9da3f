import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequest, sendResponse } from '@remix-run/node-fetch-server'
import { isHost } from '../http/host.ts'

/** Options of the handler. */
export interface NodeOptions {
  /**
   * Takes host and protocol from `Forwarded` or `X-Forwarded-Host` and `-Proto`. Only behind a proxy that overwrites
   * what its clients send of these: anybody can send them. @default false
   */
  readonly trustProxy?: boolean
}

/** A request of node:http, or of Express, which adds members to it. */
export type NodeRequest = IncomingMessage & {
  /** The whole path, where `url` lacks what the handler is mounted at. */
  readonly originalUrl?: string
  /** What a body parser made of the body. */
  readonly body?: unknown
}

/**
 * The Request of a request, with its body: also one that a body parser has read.
 * @returns undefined when no Request can be made whose path is that of the request line, or the host is not `host[:port]`
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
    // Of the body as it was sent, maybe compressed; this one is written anew.
    for (const name of ['content-length', 'content-encoding']) headers.delete(name)
    return new Request(head.url, { method, headers, body: writeBody(incoming) })
  } catch {
    return undefined
  }
}

/** The Request without its body, which is left to whom it is meant for. */
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
 * Does a URL parser leave the path of the request line where it is? It would take a backslash for a slash, resolve dot
 * segments, and cut off a fragment: a rule for paths in front of us would have seen another route. An absolute URL has a
 * host of its own.
 */
function isPath(path: string): boolean {
  return path.startsWith('/') && !/^[^?]*\\|#|^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)
}

/** Has the Request the path of the request line, whatever host a proxy has named? */
function keepsPath(request: Request, path: string): boolean {
  const [came, sent] = [new URL(request.url), new URL(`http://host${path}`)]
  return came.pathname === sent.pathname && came.search === sent.search
}

/** Sends an answer; its cookies are added to those that are set already, which a bridge would replace. */
export async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  addCookies(outgoing, response.headers.getSetCookie())
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  const { status, statusText, body } = response
  await sendResponse(outgoing, new Response(body, { status, statusText, headers }))
}

export function addCookies(outgoing: ServerResponse, cookies: readonly string[]): void {
  for (const cookie of cookies) outgoing.appendHeader('Set-Cookie', cookie)
}

/** Writes again what a parser read, by the content type that it went by. */
function writeBody({ headers, body }: NodeRequest): BodyInit | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return new Uint8Array(Buffer.from(body))
  if (body === undefined || body === null) return null
  if (!headers['content-type']?.includes('urlencoded')) return JSON.stringify(body)
  return new URLSearchParams([...listFields(body)])
}

/** Names and values of a form, of which parsers make lists and objects. */
function* listFields(value: unknown, name = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const each of value) yield* listFields(each, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* listFields(each, name ? `${name}[${key}]` : key)
  else yield [name, String(value)]
}
