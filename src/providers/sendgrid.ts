import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { addressOf, httpSender } from '../provider-base/http-sender.ts'

/**
 * Mails sign-in links through SendGrid.
 *
 * Make an API key with the right to send mail, verify the sender in `from`, and give the key as `apiKey` or in
 * `AUTH_SENDGRID_KEY`.
 *
 * Options: `apiKey`, `from`, and any of `EmailUserConfig`.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @example providers: [SendGrid({ from: 'no-reply@example.com' })]
 */
export default function SendGrid<const Id extends GivenId = GivenId>(
  options: EmailUserConfig & { id?: Id } = {},
): Identified<EmailConfig, 'sendgrid', Id> {
  return httpSender(
    { id: 'sendgrid', name: 'SendGrid' },
    options,
    ({ from, to, subject, text, html }, { provider }) => ({
      url: 'https://api.sendgrid.com/v3/mail/send',
      headers: { authorization: `Bearer ${provider.apiKey}` },
      body: {
        personalizations: [{ to: [{ email: to }] }],
        from: { email: addressOf(from) },
        subject,
        content: [
          { type: 'text/plain', value: text },
          { type: 'text/html', value: html },
        ],
      },
    }),
  )
}
