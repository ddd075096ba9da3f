import { asError } from '../../as-error.ts'
import { escapeControls } from '../../escape-controls.ts'
import { CommandError } from '../arguments.ts'
import type { Network } from './judge-providers.ts'

/** The response of a site. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body, up to the size limit. */
  readonly text: string
  /** Whether the body is larger than the limit. */
  readonly isCut: boolean
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly answeredAt: number
}

/** Timeout in milliseconds. */
const patience = 10_000

/** Maximum bytes to read of a body, because the site may be hostile. */
const sizeLimit = 1024 * 1024

/**
 * Sends one request and follows no redirects.
 *
 * @throws {CommandError} if there is no response
 */
export async function askSite(url: string, { fetch, now }: Network, init: RequestInit = {}): Promise<Answer> {
  const askedAt = now()
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(patience) })
    const body = await readBody(response)
    return { status: response.status, headers: response.headers, ...body, askedAt, answeredAt: now() }
  } catch (error) {
    const { cause, message } = asError(error)
    const why = escapeControls(cause ? asError(cause).message : message)
    throw new CommandError(`${url} does not respond: ${why}`, 1)
  }
}

/** Reads the body up to the limit, and cancels the rest. */
async function readBody({ body }: Response): Promise<Pick<Answer, 'text' | 'isCut'>> {
  const decoder = new TextDecoder()
  let text = ''
  let left = sizeLimit
  // Leaving the loop cancels the body.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true })
    left -= chunk.length
    if (left < 0) return { text, isCut: true }
  }
  return { text: text + decoder.decode(), isCut: false }
}

/** Returns the JSON object in a response, or undefined. */
export function readObject({ status, text }: Answer): Readonly<Record<string, unknown>> | undefined {
  if (status !== 200) return undefined
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Describes a response by status, type and redirect target. The body may contain secrets, so it is left out. */
export function describeAnswer({ status, headers, isCut }: Answer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const location = headers.get('location')
  const to =
    location && URL.canParse(location) ? `, to ${new URL(location).origin}${new URL(location).pathname}` : ''
  return `${status} (${type}${to}${isCut ? ', of which the first 1 MiB was read' : ''})`
}
