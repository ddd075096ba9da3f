import { asError } from '../../../errors/as-error.ts'
import { fetchLimited } from '../../../platform/fetch-limited.ts'
import { CommandError } from '../arguments.ts'
import { reasonOf } from '../reason-of.ts'
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

const limits = { patience: 10_000, size: 1024 * 1024 }

/**
 * Sends one request and follows no redirects.
 *
 * @throws {CommandError} if there is no response
 */
export async function askSite(url: string, { fetch, now }: Network, init: RequestInit = {}): Promise<Answer> {
  const askedAt = now()
  try {
    const { response, bytes, isCut } = await fetchLimited(fetch, url, limits, init)
    const { status, headers } = response
    return { status, headers, text: new TextDecoder().decode(bytes), isCut, askedAt, answeredAt: now() }
  } catch (error) {
    throw new CommandError(`${url} does not respond: ${reasonOf(asError(error).cause ?? error)}`, 1)
  }
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
