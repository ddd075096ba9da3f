import { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ResponseParts } from '../../http/parts.ts'
import { keepFromCaches } from '../../http/respond.ts'
import type { MaybePromise } from '../../async/maybe-promise.ts'
import { joinCookies, writeSetCookie, sortHeaders, toReadable } from './response-parts.ts'

/** Sends a response, at once if its body is text. Its cookies are added to those that the application has set. */
export function sendResponse(outgoing: ServerResponse, response: ResponseParts): MaybePromise<void> {
  const { status, body } = response
  const headers = sortHeaders(response.headers, joinCookies(outgoing, response.cookies))
  // No length for HEAD, because it would have to be the length of a GET response (RFC 9110 8.6).
  if (typeof body === 'string' && isUntouched(outgoing) && outgoing.req.method !== 'HEAD') {
    // All headers in one call, because a call for each header is much slower.
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    return endResponse(outgoing, body)
  }
  outgoing.statusCode = status
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
  if (typeof body === 'object' && body) return sendStream(outgoing, toReadable(body))
  endResponse(outgoing, body ?? undefined)
}

/** Milliseconds to wait for the rest of an unread body before its connection is closed. */
const lingering = 2_000

/**
 * Ends a response. If a connection is not kept alive, Node closes it as soon as the response has ended. A proxy that is
 * still sending the body would lose the connection: nginx then responds 502, and uses the server again only after ten
 * seconds.
 */
function endResponse(outgoing: ServerResponse, body?: string): void {
  const { req: incoming, shouldKeepAlive } = outgoing
  if (shouldKeepAlive || incoming.complete) return void outgoing.end(body)
  incoming.resume()
  outgoing.write(body ?? '')
  const end = () => {
    clearTimeout(timer)
    outgoing.end()
  }
  const timer = setTimeout(end, lingering)
  incoming.once('close', end)
}

/**
 * Returns whether the application has set no header and replaced no method. Middleware that replaces a method may
 * change headers until the response ends.
 */
function isUntouched(outgoing: ServerResponse): boolean {
  const { writeHead, setHeader, end } = ServerResponse.prototype
  return (
    outgoing.getHeaderNames().length === 0 &&
    outgoing.writeHead === writeHead &&
    outgoing.setHeader === setHeader &&
    outgoing.end === end
  )
}

/** A client may disconnect, which is not an error of the handler. */
async function sendStream(outgoing: ServerResponse, body: Readable): Promise<void> {
  if (outgoing.destroyed) return void body.destroy()
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
  })
}

/** Adds the cookies of a session to the application's response. */
export function addSession(outgoing: ServerResponse, cookies: readonly string[]): void {
  if (cookies.length === 0) return
  keepFromCaches(cookies, (name, value) => outgoing.setHeader(name, value))
  outgoing.setHeader('Set-Cookie', writeSetCookie(joinCookies(outgoing, cookies)))
}
