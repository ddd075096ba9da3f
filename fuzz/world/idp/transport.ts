import type { TransportFault } from './faults.ts'

const html = '<!doctype html><title>Bad gateway</title>'
const json = { 'content-type': 'application/json' }
const page = { 'content-type': 'text/html; charset=utf-8' }
const encoder = new TextEncoder()

/**
 * Returns the faulty response of an endpoint, given the valid one.
 *
 * @param parameters those of the request
 */
export async function respondWithFault(
  fault: TransportFault,
  request: Request,
  good: Response,
  parameters: URLSearchParams,
): Promise<Response> {
  const text = await good.text()
  switch (fault) {
    case 'network-error':
      return Response.error()
    case 'hang':
      return untilAborted(request.signal)
    case 'slow':
      return new Response(drip(text), { headers: json })
    case 'html':
      return new Response(html, { headers: page })
    case 'html-with-json-type':
      return new Response(html, { headers: json })
    case 'json-with-html-type':
      return new Response(text, { headers: page })
    case 'json-with-sequence-type':
      return new Response(text, { headers: { 'content-type': 'application/json-seq' } })
    case 'empty':
      return new Response('', { headers: json })
    case '204':
      return new Response(null, { status: 204 })
    case '302':
    case '307':
      return new Response(null, {
        status: Number(fault),
        headers: { location: `${new URL(request.url).origin}/elsewhere` },
      })
    case '400':
      return Response.json(
        { error: 'invalid_grant', error_description: 'canary-description' },
        { status: 400 },
      )
    case '400-busy':
      return Response.json({ error: 'temporarily_unavailable' }, { status: 400 })
    case '400-echo':
      return Response.json(
        { error: 'invalid_request', error_description: repeatCredentials(request, parameters) },
        { status: 400 },
      )
    case '500':
      return new Response(html, { status: 500, headers: page })
    case '500-json':
      return new Response(text, { status: 500, headers: json })
    case '503-json':
      return Response.json({ error: 'temporarily_unavailable' }, { status: 503 })
    case 'oversize':
      return new Response(flood(text), { headers: json })
    case 'truncated':
      return new Response(text.slice(0, -1), { headers: json })
    case 'invalid-utf8':
      return new Response(addInvalidByte(text), { headers: json })
    case 'array':
      return Response.json([JSON.parse(text)])
    case 'null':
      return Response.json(null)
  }
}

/** Repeats the credentials of a request twice, like a provider that echoes its input. */
function repeatCredentials({ headers }: Request, parameters: URLSearchParams): string {
  const names = ['client_secret', 'code_verifier', 'code']
  const held = [headers.get('authorization'), ...names.map((name) => parameters.get(name))]
  const shown = held.filter((value) => value !== null).join(' ')
  return `got ${shown}, unknown: ${shown}`
}

/** Never responds; rejects if the signal aborts. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new DOMException('This operation was aborted', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
}

/** Sends the first half, and then never continues. */
function drip(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode(text.slice(0, text.length / 2))),
  })
}

/** Adds a member of 32 MiB to the object, so that only its size is wrong. */
function flood(text: string): ReadableStream<Uint8Array> {
  const chunk = encoder.encode('x'.repeat(256 * 1024))
  let chunks = 0
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode('{"filler":"')),
    pull(stream) {
      if (chunks++ < 128) return stream.enqueue(chunk)
      stream.enqueue(encoder.encode(`",${text.slice(1)}`))
      stream.close()
    },
  })
}

/** Adds a string with an invalid UTF-8 byte to the object, which a lenient decoder still parses. */
function addInvalidByte(text: string): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(`{"_":"?",${text.slice(1)}`)
  bytes[6] = 0xff
  return bytes
}
