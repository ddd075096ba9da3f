import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ResponseParts } from '../../http/parts.ts'
import { keepFromCaches } from '../../http/respond.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { dropReplaced } from './drop-replaced.ts'
import { listHeaders } from './response-parts.ts'

/** Sends a response, at once if its body is text. Its cookies are added to those that the application has set. */
export function sendResponse(outgoing: ServerResponse, response: ResponseParts): MaybePromise<void> {
  const { status, body, cookies } = response
  outgoing.statusCode = status
  dropReplaced(outgoing, cookies, (cookie) => outgoing.appendHeader('Set-Cookie', cookie))
  for (const [name, value] of listHeaders(response))
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  if (body instanceof ReadableStream) return pipeline(body, outgoing).catch(throwUnlessAborted)
  outgoing.end(body ?? undefined)
}

/** A client may disconnect, which is not an error of the handler. */
function throwUnlessAborted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
}

/** Adds the cookies of a session to the application's response. */
export function addSession(outgoing: ServerResponse, cookies: readonly string[]): void {
  keepFromCaches(cookies, (name, value) => outgoing.setHeader(name, value))
  dropReplaced(outgoing, cookies, (cookie) => outgoing.appendHeader('Set-Cookie', cookie))
  for (const cookie of cookies) outgoing.appendHeader('Set-Cookie', cookie)
}
