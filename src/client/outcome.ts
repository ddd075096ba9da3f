import type { Destination } from './routes.ts'

/** The result of a sign-in or sign-out. */
export interface Outcome {
  /** Whether it succeeded, or continues at the provider. */
  readonly ok: boolean
  /** Where the browser goes next: to the provider, to `redirectTo`, or to the page that shows the error. */
  readonly url: string
  /** The type of the error, such as `CredentialsSignin` or `AccessDenied`. */
  readonly error?: string
  /** The `code` of a CredentialsSignin. */
  readonly code?: string
  /** The number of attempts left after a wrong mailed code. If absent, the user needs a new code. */
  readonly attempts?: number
}

/**
 * Reads the error from the URL of the page that shows it. Other URLs, such as `redirectTo`, are not read, because they may have their own parameter `error`.
 * @param page the URL from which a relative URL is resolved
 */
export function readOutcome({ url, ok }: Destination, page: string): Outcome {
  if (ok) return { ok, url }
  const { searchParams } = new URL(url, page)
  const [error, code, attempts] = ['error', 'code', 'attempts'].map(
    (name) => searchParams.get(name) ?? undefined,
  )
  return {
    ok,
    url,
    ...(error && { error }),
    ...(code && { code }),
    ...(attempts && { attempts: Number(attempts) }),
  }
}
