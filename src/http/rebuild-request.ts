import { once } from '../once.ts'
import type { Visit } from './visit.ts'

/** Copies the members of a body. Copying an object without a prototype by a spread takes V8 several times as long. */
export function copyMembers(body: Visit['body']): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(body)) copy[name] = body[name]
  return copy
}

/**
 * Creates a Request for the application's code. The body of the original was read already, so this one contains its
 * members as JSON.
 */
export function rebuildRequest({ request, body }: Visit): Request {
  const { url, method } = request
  // A list costs more, because each name and value is checked again.
  const headers = request.headers instanceof Headers ? request.headers : [...request.headers]
  if (method === 'GET') return new Request(url, { method, headers })
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    body: streamJson(body),
    duplex: 'half',
  }
  return new Request(url, init)
}

const encoder = new TextEncoder()

/** Streams JSON that is written when someone reads it. A body of text costs twice as much, even if nobody reads it. */
function streamJson(value: unknown): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      controller.enqueue(encoder.encode(JSON.stringify(value)))
      controller.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Adds the Request that {@link rebuildRequest} creates. It is created when it is first read, because most functions do not. */
export function withRequest<Params extends object>(
  params: Params,
  visit: Visit,
): Params & { readonly request: Request } {
  const rebuild = once(() => rebuildRequest(visit))
  return {
    ...params,
    get request() {
      return rebuild()
    },
  }
}
