import type { AuthError } from '../errors.ts'

/** What a flow ends in. Cookies and announcements are in the outbox. */
export type Outcome =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly private?: boolean }
  | { readonly kind: 'error'; readonly error: AuthError }
