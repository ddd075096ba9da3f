import { once } from 'node:events'
import { request as openPlain, type IncomingMessage } from 'node:http'
import { request as openEncrypted } from 'node:https'
import { Readable } from 'node:stream'

/** Statuses of responses without a body. */
const bodiless: ReadonlySet<number | undefined> = new Set([204, 205, 304])

/** Sends a request with the Host header that it has, which `fetch` would replace by the host of its URL. */
export async function sendWithHost(request: Request): Promise<Response> {
  const open = request.url.startsWith('https:') ? openEncrypted : openPlain
  const { method, signal } = request
  const sent = open(request.url, { method, headers: Object.fromEntries(request.headers), signal })
  sent.end(Buffer.from(await request.arrayBuffer()))
  // The event has exactly one argument.
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
  const { rawHeaders, statusCode: status = 500 } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  if (bodiless.has(status)) incoming.resume()
  const body = bodiless.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}
