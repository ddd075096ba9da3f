import type { EmailSettings } from '../../config/settings.ts'
import type { Visit } from '../../http/visit.ts'

/**
 * Returns the URL of the page that follows the request of a mail, and asks for a code if the mail has one.
 *
 * @param attempts how many are left after a wrong code
 */
export function verifyRequestUrl({ base }: Visit, { id }: EmailSettings, attempts?: number): string {
  const after: Record<string, string> =
    attempts === undefined ? {} : { error: 'Verification', attempts: String(attempts) }
  return `${base}/verify-request?${new URLSearchParams({ provider: id, type: 'email', ...after })}`
}
