import type { IncomingMessage } from 'node:http'

/** Returns the body as a stream, which reads nothing until its first chunk is wanted. */
export function streamBody(incoming: IncomingMessage): Request['body'] {
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer>> = incoming.iterator({ destroyOnReturn: false })
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // The rest is discarded, so that the response can be sent and the connection used again.
    async cancel() {
      await chunks.return?.()
      incoming.resume()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Serialises a parsed body again, by its content type. */
export function writeBody(body: unknown, type = ''): Request['body'] {
  return new Response(serialise(body, type)).body
}

function serialise(body: unknown, type: string): BodyInit | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return new Uint8Array(Buffer.from(body))
  if (body === undefined || body === null) return null
  if (!type.includes('urlencoded')) return JSON.stringify(body)
  return new URLSearchParams([...listFields(body)])
}

/** Yields names and values of a form, which parsers turn into lists and objects. */
function* listFields(value: unknown, name = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const each of value) yield* listFields(each, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* listFields(each, name ? `${name}[${key}]` : key)
  else yield [name, String(value)]
}
