import type { IncomingMessage } from 'node:http'
import { maxBody, maxFields } from '../../http/limits.ts'
import { formType, mediaType } from '../../http/parse-body.ts'

/** Returns the body as a stream, which reads nothing before its first chunk is requested. */
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

/** Serialises a parsed body again, by its content type. Returns undefined if it is nested too deeply. */
export function writeBody(body: unknown, contentType = ''): Request['body'] | undefined {
  try {
    return new Response(serialise(body, contentType)).body
  } catch {
    return undefined
  }
}

function serialise(body: unknown, contentType: string): BodyInit | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return new Uint8Array(Buffer.from(body))
  if (body === undefined || body === null) return null
  return mediaType(contentType) === formType ? writeForm(body) : JSON.stringify(body)
}

/**
 * Writes a form, whose fields parsers turn into lists and objects. If a parser for another format has read the body,
 * each of its names and values can be part of many fields. Therefore, this function stops once the form is too large to
 * be accepted.
 */
function writeForm(body: object): URLSearchParams {
  const form = new URLSearchParams()
  const open: Field[] = [['', body]]
  let size = 0
  for (let next = open.pop(); next && form.size <= maxFields && size <= maxBody; next = open.pop()) {
    const [name, value] = next
    if (typeof value === 'object' && value !== null)
      for (const member of listMembers(name, value).toReversed()) open.push(member)
    else {
      form.append(name, String(value))
      size += name.length + String(value).length
    }
  }
  return form
}

type Field = readonly [name: string, value: unknown]

function listMembers(name: string, holder: object): Field[] {
  if (Array.isArray(holder)) return holder.map((value: unknown): Field => [name, value])
  return Object.entries(holder).map(([key, value]): Field => [name ? `${name}[${key}]` : key, value])
}
