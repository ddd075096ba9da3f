import type { EmailSettings } from '../../config/settings.ts'
import type { Visit } from '../../http/visit.ts'
import { outcome } from '../engine/flow.ts'
import { redirect } from '../engine/result.ts'

/**
 * Returns the URL of the page that says that a mail was sent. If the mail has a code, the page asks for it.
 *
 * @param attempts the number of attempts left after a wrong code
 */
export function verifyRequestUrl({ base }: Visit, { id }: EmailSettings, attempts?: number): string {
  const after: Record<string, string> =
    attempts === undefined ? {} : { error: 'Verification', attempts: String(attempts) }
  return `${base}/verify-request?${new URLSearchParams({ provider: id, type: 'email', ...after })}`
}

/** Shows the page that asks for the code, or asks the user to open the link. */
export const mailed = outcome({
  needs: ['visit', 'mailProvider'],
  answer: ({ visit, mailProvider }) => redirect(verifyRequestUrl(visit, mailProvider)),
})
