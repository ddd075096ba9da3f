import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { httpSender } from '../provider-base/http-sender.ts'

/**
 * Mails sign-in links through Postmark.
 *
 * Give the server's API token as `apiKey` or in `AUTH_POSTMARK_KEY`; the sender in `from` has to be confirmed there.
 *
 * Options: `apiKey`, `from`, and any of `EmailUserConfig`.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @example providers: [Postmark({ from: 'no-reply@example.com' })]
 */
export default function Postmark<const Id extends GivenId = GivenId>(
  options: EmailUserConfig & { id?: Id } = {},
): Identified<EmailConfig, 'postmark', Id> {
  return httpSender(
    { id: 'postmark', name: 'Postmark' },
    options,
    ({ from, to, subject, text, html }, { provider }) => ({
      url: 'https://api.postmarkapp.com/email',
      headers: { accept: 'application/json', 'x-postmark-server-token': provider.apiKey ?? '' },
      body: {
        From: from,
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        MessageStream: 'outbound',
      },
    }),
  )
}
