import type { OAuthSettings } from '../config/settings.ts'
import { asError } from '../errors/as-error.ts'
import { freezeClass } from '../copies/copy-handed-out.ts'
import { joinBytes } from '../crypto/bytes.ts'
import { findConnectionProblem, listCauses } from '../errors/connection-problem.ts'
import { isLoopback } from '../text/host.ts'
import { copyHeaders } from '../http/parts.ts'
import { findExcess } from '../http/limits.ts'
import type { OAuthContext } from './context.ts'
import { type OAuthFailureReason, show } from './failure.ts'

/**
 * Returns whether a provider URL is secure: https, or plain http on a loopback host or with `allowInsecureRequests`
 * (decision 11; RFC 9700 2.6).
 */
export function isSecureUrl(url: URL, allowInsecureRequests: boolean): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (allowInsecureRequests || isLoopback(url.hostname))
}

/** An invalid response of an endpoint. The message describes the received value. */
export class UnusableResponse extends Error {
  static {
    freezeClass(this)
  }
}

/**
 * Returns the JSON object in a response. It must be declared as JSON and encoded in UTF-8.
 *
 * @throws UnusableResponse
 */
export async function readJson(response: Response): Promise<Record<string, unknown>> {
  const type = mediaType(response)
  if (type === undefined || !/^application\/(?:[\w.-]+\+)?json$/.test(type))
    throw new UnusableResponse(`expected content-type application/json, got ${show(type)}`)
  const value = parse(await response.arrayBuffer())
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnusableResponse('expected a JSON object, got another JSON value')
  return value as Record<string, unknown>
}

/** Returns the media type of a response in lower case, without parameters. */
export function mediaType(response: Response): string | undefined {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new UnusableResponse('expected JSON in UTF-8, got something else')
  }
}

/**
 * Maximum bytes of a provider's response after decompression (decision 11). Key sets, the largest responses, have a
 * tenth of this. Parsing four times as much would take more than 20 ms.
 */
export const sizeLimit = 256 * 1024

/** More than the largest key sets and lists of groups have. Objects with many members are expensive to copy. */
export const jsonLimits = { values: 20_000, members: 2000 }

/** Maximum number of chunks of a response. Each costs as much as a thousand characters. */
const maxPieces = 4096

/** The reason why there is no usable response. The message names the endpoint, never its query. */
export class OutboundError extends Error {
  readonly reason: OAuthFailureReason

  static {
    freezeClass(this)
  }

  constructor(reason: OAuthFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

type Provider = Pick<OAuthSettings, 'fetch' | 'preset' | 'timeout' | 'allowInsecureRequests'>

/**
 * Creates the fetch for all requests to one provider: the user's `customFetch` within the limits, and the preset's hook
 * around both. It does not follow redirects, refuses plain http, and reads the response to its end within deadline and
 * size limit.
 *
 * @returns a fetch that rejects with OutboundError
 */
export function outboundFetch(provider: Provider, context: OAuthContext): typeof fetch {
  const limited = limitFetch(provider, context)
  return provider.preset.fetch?.(limited) ?? limited
}

function limitFetch(provider: Provider, context: OAuthContext): typeof fetch {
  const send = provider.fetch ?? context.platform.fetch
  return async (input, init) => {
    // Requests of any class have a `url` that is a string, and URL objects have none.
    const request = typeof input === 'object' && 'url' in input ? input : undefined
    const url = new URL(request ? request.url : (input as string | URL))
    const name = `${url.origin}${url.pathname}`
    if (!isSecureUrl(url, provider.allowInsecureRequests))
      throw new OutboundError('insecure-url', `Expected https, or http on a loopback host, for ${name}`)
    const given = init?.headers ?? request?.headers
    const headers = {
      accept: 'application/json',
      ...Object.fromEntries(new Headers(given)),
      'user-agent': `authmachine/${context.version}`,
    }
    const work = async (signal: AbortSignal) => {
      const options = { ...init, headers, redirect: 'manual', signal } as const
      return readWhole(await send(request ?? url.href, options), name, signal)
    }
    const isCustom = provider.fetch !== undefined
    return withDeadline(name, provider.timeout, init?.signal, context, work, isCustom)
  }
}

/** Rejects if the work takes longer, even if it ignores the signal. */
function withDeadline<T>(
  name: string,
  timeout: number,
  outer: AbortSignal | null | undefined,
  { platform }: OAuthContext,
  work: (signal: AbortSignal) => Promise<T>,
  isCustom: boolean,
): Promise<T> {
  const controller = new AbortController()
  const signal = outer ? AbortSignal.any([controller.signal, outer]) : controller.signal
  return new Promise((resolve, reject) => {
    const timer = platform.timer(timeout, () => {
      reject(new OutboundError('timed-out', `${name} did not respond within ${timeout} ms`))
      controller.abort()
    })
    work(signal).then(
      (value) => {
        timer.cancel()
        resolve(value)
      },
      (cause: unknown) => {
        timer.cancel()
        reject(cause instanceof OutboundError ? cause : explainFailure(name, cause, isCustom))
      },
    )
  })
}

/** Distinguishes a network failure from a `customFetch` that throws something else. */
function explainFailure(name: string, thrown: unknown, isCustom: boolean): OutboundError {
  const cause = asError(thrown)
  const innermost = (listCauses(cause).at(-1)?.message || cause.message).trim()
  return isCustom && !isOfNetwork(cause)
    ? new OutboundError('hook-failed', `\`customFetch\` threw for ${name}: ${innermost}`, cause)
    : new OutboundError('unreachable', `The request to ${name} failed: ${innermost}`, cause)
}

/** The fetch of each platform rejects with a TypeError (Fetch, "network error"), which hooks throw for mistakes as well. */
function isOfNetwork(cause: Error): boolean {
  return (
    findConnectionProblem(cause) !== undefined ||
    (cause instanceof TypeError && /fetch|network/i.test(cause.message))
  )
}

/** Statuses of responses without a body (Fetch, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304]

/** Reads a response to its end, and returns one whose body is in memory. */
async function readWhole(response: Response, name: string, signal: AbortSignal): Promise<Response> {
  // With opaque redirects, the status is 0, and the target is hidden.
  if (response.type === 'opaqueredirect') return new Response(null, { status: 302 })
  const bytes = await readBytes(response.body, name, signal)
  // For any content type, because hooks of providers repair that.
  const excess = bytes && isJson(bytes) ? findExcess(bytes, jsonLimits) : undefined
  if (excess !== undefined) throw new OutboundError('oversize', `Got ${excess} from ${name}`)
  const { status, statusText } = response
  const headers = copyHeaders(response.headers)
  return new Response(bodiless.includes(status) ? null : bytes, { status, statusText, headers })
}

async function readBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const reader = body.getReader()
  // A custom fetch may ignore the signal.
  const stop = () => void reader.cancel().catch(() => undefined)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > sizeLimit || chunks.length === maxPieces) {
      stop()
      throw new OutboundError(
        'oversize',
        `Expected at most ${sizeLimit} bytes, in at most ${maxPieces} chunks, from ${name}`,
      )
    }
    chunks.push(value)
  }
  return joinBytes(chunks, length)
}

/** The bytes of U+FEFF, which decoders remove from the start of a text. */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf]

/** Returns whether the text starts with an object or array, after white space and a byte order mark. */
function isJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte))
  return first === 0x7b || first === 0x5b
}
