/** How a sign-in or sign-out ended, or where it goes on. */
export interface Outcome {
  readonly ok: boolean
  /** Where the browser is sent: to the provider, to `redirectTo`, or to the page that shows the error. */
  readonly url: string
  /** An error's type, such as `CredentialsSignin` or `AccessDenied`. */
  readonly error?: string
  /** What a CredentialsSignin says of itself. */
  readonly code?: string
}

/** The server tells of errors in the query of the page that shows them. */
export function readOutcome(url: string): Outcome {
  const { searchParams } = new URL(url, location.href)
  const error = searchParams.get('error')
  if (error === null) return { ok: true, url }
  const code = searchParams.get('code')
  return { ok: false, url, error, ...(code !== null && { code }) }
}

/** Goes to a page; the present one is loaded anew even when only the fragment differs. */
export function leave(url: string): void {
  const [page] = location.href.split('#')
  location.href = url
  if (url.startsWith(`${page}#`)) location.reload()
}
