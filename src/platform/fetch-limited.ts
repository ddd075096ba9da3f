import type { Bytes } from '../types/bytes.ts'

/** The limits of a response from a site, which may be hostile. */
export interface Limits {
  /** Milliseconds to wait for the response with its body. */
  readonly patience: number
  /** Maximum bytes to read of the body. */
  readonly size: number
}

/** A body, up to a limit. */
export interface LimitedBody {
  readonly bytes: Bytes
  /** Whether the body is larger than the limit. */
  readonly isCut: boolean
}

/**
 * Sends one request and follows no redirects.
 *
 * @throws {Error} if there is no complete response in time
 */
export async function fetchLimited(
  fetch: typeof globalThis.fetch,
  request: string | Request,
  { patience, size }: Limits,
  init: RequestInit = {},
): Promise<LimitedBody & { readonly response: Response }> {
  const response = await fetch(request, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  return { response, ...(await readLimited(response.body, size)) }
}

/** Reads a body up to a limit in bytes, and cancels the rest. */
export async function readLimited(body: ReadableStream<Bytes> | null, limit: number): Promise<LimitedBody> {
  const pieces: Bytes[] = []
  let left = limit
  // Leaving the loop cancels the body.
  for await (const piece of (body ?? []) as AsyncIterable<Bytes>) {
    pieces.push(piece.subarray(0, left))
    left -= piece.length
    if (left < 0) break
  }
  return { bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()), isCut: left < 0 }
}
