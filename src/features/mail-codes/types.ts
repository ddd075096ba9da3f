import type { CookieOption } from '../../types/cookie.ts'

/** The option of an e-mail provider that turns the feature on. */
export interface MailMethodOption {
  /**
   * What the mail contains:
   * - `'link'`: a link.
   * - `'code'`: six digits, which the user types in the browser that requested them. A code allows five guesses.
   *   The page `verifyRequest` asks for the code. Limit requests with `callbacks.rateLimit`: without it, the warning
   *   `weak-link-token` is logged. Cannot be combined with `generateVerificationToken`; `confirm` and `supersedeLinks`
   *   affect links only.
   *
   * @default 'link'
   */
  method?: 'link' | 'code'
}

/** The cookie of this feature. */
export interface MailCodeCookies {
  /** The code that this browser requested. */
  requestedCode: Partial<CookieOption>
}

/** The texts of the page that asks for a mailed code. */
export interface MailCodeTexts {
  codeSent: string
  codeSentTo: string
  wrongCode: string
}
