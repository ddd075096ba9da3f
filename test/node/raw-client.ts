import { once } from 'node:events'
import { connect } from 'node:net'

/** A response as it was sent, without the headers that frame it or describe the connection. */
export interface RawResponse {
  readonly status: number
  /** Names and values as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** These headers belong to the connection and to the server, not to the response (RFC 9110 7.6.1, RFC 9112 6). */
const ofConnection = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

export interface RawClient {
  /** Sends each piece of a request in a separate write. */
  readonly send: (...pieces: string[]) => Promise<void>
  /** Returns the next response, or undefined if the server closes the connection first. */
  readonly receive: (options?: { readonly isHead: boolean }) => Promise<RawResponse | undefined>
  /** Ends the writing side of the connection. */
  readonly end: () => void
  readonly close: () => void
}

/** Opens a connection that sends any bytes, given as latin1. */
export async function openRawClient(origin: string): Promise<RawClient> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let isOpen = true
  let wake = () => {}
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    wake()
  })
  // A server that refuses a request may close the connection before it has read all of it.
  socket.on('error', () => {})
  socket.on('close', () => {
    isOpen = false
    wake()
  })
  return {
    async send(...pieces) {
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        if (pieces.length > 1) await new Promise(setImmediate)
      }
    },
    async receive({ isHead } = { isHead: false }) {
      for (;;) {
        const response = readResponse(received, isHead)
        if (response) {
          received = received.slice(response.size)
          return response.content
        }
        if (!isOpen) return undefined
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    end: () => void socket.end(),
    close: () => void socket.destroy(),
  }
}

/** Returns undefined while the response is incomplete. */
function readResponse(text: string, isHead: boolean): { content: RawResponse; size: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [start = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(start.split(' ')[1])
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })
  const find = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const rest = text.slice(end + 4)
  const isBodiless = isHead || status === 100
  const content = isBodiless
    ? { body: '', size: 0 }
    : find('transfer-encoding') === 'chunked'
      ? readChunks(rest)
      : readBytes(rest, Number(find('content-length') ?? 0))
  if (!content) return undefined
  const body = Buffer.from(content.body, 'latin1').toString()
  const shown = headers.filter(([name]) => !ofConnection.has(name.toLowerCase()))
  return { content: { status, headers: shown, body }, size: end + 4 + content.size }
}

function readBytes(text: string, size: number) {
  return text.length < size ? undefined : { body: text.slice(0, size), size }
}

function readChunks(text: string) {
  let body = ''
  for (let at = 0; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (lineEnd < 0 || text.length < next) return undefined
    body += text.slice(lineEnd + 2, next - 2)
    if (size === 0) return { body, size: next }
    at = next
  }
}
