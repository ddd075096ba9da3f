import type { CookieChange } from '../cookies/cookie-change.ts'
import type { AuthError } from '../errors.ts'
import type { Page } from '../pages/page.ts'
import type { Announcement } from '../steps/outbox.ts'

/** What a flow ends in, as data; cookies and announcements come on top of those in the outbox. */
export type Outcome = (
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'page'; readonly status: number; readonly page: Page }
  | {
      readonly kind: 'json'
      readonly status: number
      readonly body: unknown
      /** Thrown in raw mode, in place of the answer. */
      readonly throws?: AuthError
    }
  | {
      readonly kind: 'error'
      readonly error: AuthError
      /** Thrown in raw mode. Without it, raw mode returns the URL of the page that shows the error (decision 46). */
      readonly throws?: AuthError
    }
) & {
  readonly cookies?: readonly CookieChange[]
  readonly announces?: readonly Announcement[]
  /** For the log; an error outcome logs its error by itself. */
  readonly logs?: AuthError
}
