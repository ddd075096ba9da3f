import type { OAuthSettings } from '../config/settings.ts'
import { joinBytes } from '../crypto/join-bytes.ts'
import { findExcess } from '../parsing/json-limits.ts'
import type { OAuthContext } from './context.ts'
import type { OAuthFailureReason } from './failure.ts'
import { isSecureUrl } from './secure-url.ts'

/**
 * Bytes of a provider's response, after decompression (decision 11). Key sets, the largest of them, have a tenth of this;
 * to parse four times as much would take longer than 20 ms (LM-11).
 */
export const sizeLimit = 256 * 1024

/** More than the largest key sets and lists of groups have. Objects of many members are expensive to copy. */
const jsonLimits = { values: 20_000, members: 2000 }

/** Pieces in which a response may arrive; each costs as much as a thousand characters. */
const maxPieces = 4096

/** Why nothing usable came back. The message names the endpoint, never its query. */
export class OutboundError extends Error {
  readonly reason: OAuthFailureReason

  constructor(reason: OAuthFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

type Provider = Pick<OAuthSettings, 'fetch' | 'preset' | 'timeout' | 'allowInsecureRequests'>

/**
 * The fetch for all requests to one provider: the user's `customFetch` inside the limits, and the preset's hook around
 * both. Redirects are not followed, plain http is refused, and the answer is read to its end before the deadline and
 * within the size limit, so that who reads it waits for nothing.
 *
 * @returns a fetch that rejects with OutboundError
 */
export function outboundFetch(provider: Provider, context: OAuthContext): typeof fetch {
  const send = provider.fetch ?? context.platform.fetch
  const limited: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const name = `${url.origin}${url.pathname}`
    if (!isSecureUrl(url, provider.allowInsecureRequests))
      throw new OutboundError('insecure-url', `Expected https, or http on a loopback host, for ${name}`)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    if (!headers.has('accept')) headers.set('accept', 'application/json')
    headers.set('user-agent', `authmachine/${context.version}`)
    return withDeadline(name, provider.timeout, init?.signal, context, async (signal) => {
      const options = { ...init, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const
      return readWhole(await send(input instanceof Request ? input : url.href, options), name, signal)
    })
  }
  return provider.preset.fetch?.(limited) ?? limited
}

/** Rejects when the work takes longer, whether it heeds the signal or not. */
function withDeadline<T>(
  name: string,
  timeout: number,
  outer: AbortSignal | null | undefined,
  { platform }: OAuthContext,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const signal = outer ? AbortSignal.any([controller.signal, outer]) : controller.signal
  return new Promise((resolve, reject) => {
    const timer = platform.timer(timeout, () => {
      reject(new OutboundError('timed-out', `Expected an answer of ${name} within ${timeout} ms`))
      controller.abort()
    })
    work(signal)
      .then(resolve, (cause: unknown) =>
        reject(
          cause instanceof OutboundError
            ? cause
            : new OutboundError(
                'unreachable',
                `Expected an answer of ${name}, and the request failed`,
                cause,
              ),
        ),
      )
      .finally(() => timer.cancel())
  })
}

/** Statuses that a Response with a body cannot have (Fetch, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304]

/** The same response with its body read. */
async function readWhole(response: Response, name: string, signal: AbortSignal): Promise<Response> {
  // Where redirects are opaque their status reads 0, and the target is hidden.
  if (response.type === 'opaqueredirect') return new Response(null, { status: 302 })
  const bytes = await readBytes(response.body, name, signal)
  // Whatever its type is: hooks of providers repair that.
  const excess = bytes && isJson(bytes) ? findExcess(bytes, jsonLimits) : undefined
  if (excess !== undefined) throw new OutboundError('oversize', `Got ${excess} from ${name}`)
  const { status, statusText, headers } = response
  return new Response(bodiless.includes(status) ? null : bytes, { status, statusText, headers })
}

async function readBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const reader = body.getReader()
  // A fetch that is not the platform's may not heed the signal.
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
        `Expected at most ${sizeLimit} bytes, in at most ${maxPieces} pieces, from ${name}`,
      )
    }
    chunks.push(value)
  }
  return joinBytes(chunks, length)
}

/** Does it begin as an object or a list, after white space? */
function isJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20)
  return first === 0x7b || first === 0x5b
}
