import { Agent, request as open } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as it is sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response as it arrives, with every header line. Names are in lower case. */
export interface Received {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Sends a request to the site. */
export type Send = (sent: Sent) => Promise<Received>

/**
 * Connects to a site as a proxy does: all visitors share a few connections, which stay open. Unlike `fetch`, it keeps
 * repeated header lines apart.
 */
export function connect(origin: string): { readonly send: Send; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const { hostname, port } = new URL(origin)
  const send: Send = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } }
      const request = open(options, (response) => {
        const { statusCode: status = 0, rawHeaders } = response
        text(response).then((body) => resolve({ status, headers: pairs(rawHeaders), body }), reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  return { send, close: () => agent.destroy() }
}

function pairs(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    lines.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? ''])
  return lines
}

/** Returns the values of a header's lines. */
export function valuesOf({ headers }: Received, name: string): string[] {
  return headers.filter(([each]) => each === name).map(([, value]) => value)
}

/** Everything of a request that its response may repeat. */
export function textOfSent({ path, headers, body = '' }: Sent): string {
  return [path, ...Object.values(headers), body].join('\n')
}

/** Everything of a response that a visitor can read. */
export function textOfReceived({ headers, body }: Received): string {
  return [...headers.map(([name, value]) => `${name}: ${value}`), body].join('\n')
}
