import { asError } from '../../as-error.ts'
import { escapeControls } from '../../markup/escape-controls.ts'
import { CommandError } from '../command-error.ts'
import type { Network } from './judge-providers.ts'

/** What a site answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly answeredAt: number
}

/** Milliseconds until an answer is given up. */
const patience = 10_000

/**
 * Asks once, and follows nothing.
 *
 * @throws {CommandError} when nobody answers
 */
export async function askSite(url: string, { fetch, now }: Network, init: RequestInit = {}): Promise<Answer> {
  const askedAt = now()
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(patience) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, askedAt, answeredAt: now() }
  } catch (error) {
    const { cause, message } = asError(error)
    const why = escapeControls(cause ? asError(cause).message : message)
    throw new CommandError(`${url} does not answer: ${why}`, 1)
  }
}

/** The JSON object that an answer is; undefined when it is none. */
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

/** What came, in a few words: never the body, which may hold anything. */
export function describeAnswer({ status, headers }: Answer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const location = headers.get('location')
  const to =
    location && URL.canParse(location) ? `, to ${new URL(location).origin}${new URL(location).pathname}` : ''
  return `${status} (${type}${to})`
}
