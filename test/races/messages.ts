import type { EventCallbacks } from '../../src/types/callbacks.ts'
import type { Sent } from '../support/account-policy/config.ts'

/** A serialised request between processes. */
export interface Packed {
  readonly url: string
  readonly method: string
  readonly headers: [string, string][]
  readonly body?: string
}

/** A serialised response between processes. */
export interface PackedAnswer {
  readonly status: number
  readonly headers: [string, string][]
  readonly body: string
}

export type Message =
  | { readonly kind: 'ready' | 'end' }
  | {
      readonly kind: 'request'
      readonly id: number
      readonly request: Packed
      /** In milliseconds. Without it, the process uses the clock of the system. */
      readonly time?: number | undefined
    }
  | { readonly kind: 'fetch'; readonly id: number; readonly request: Packed }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: PackedAnswer }
  | { readonly kind: 'access-token'; readonly id: number; readonly providerAccountId: string }
  | { readonly kind: 'token'; readonly id: number; readonly text: string }
  | { readonly kind: 'mail'; readonly url: string }
  | { readonly kind: 'message'; readonly to: string; readonly token: string; readonly url: string }
  | { readonly kind: 'error'; readonly name: string; readonly message: string }
  | { readonly kind: 'sent'; readonly sent: Sent }
  | {
      readonly kind: 'event'
      readonly event: keyof EventCallbacks
      readonly message: Record<string, unknown>
    }
  | { readonly kind: 'ended'; readonly ended: string }

export async function pack(request: Request): Promise<Packed> {
  const { url, method, headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return { url, method, headers: [...headers], ...(hasBody && { body: await request.text() }) }
}

export function unpack({ url, ...init }: Packed): Request {
  return new Request(url, init)
}

export async function packAnswer(response: Response): Promise<PackedAnswer> {
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}

export function unpackAnswer({ status, headers, body }: PackedAnswer): Response {
  return new Response(body === '' ? null : body, { status, headers })
}
