import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { httpSender } from '../provider-base/http-sender.ts'

/**
 * Mails sign-in links through Forward Email.
 *
 * Create an API token in the account's security settings, and pass it as `apiKey` or in `AUTH_FORWARDEMAIL_KEY`.
 *
 * Options: `apiKey`, `from`, and any of `EmailUserConfig`.
 *
 * @see https://forwardemail.net/en/email-api
 * @example providers: [ForwardEmail({ from: 'no-reply@example.com' })]
 */
export default function ForwardEmail<const Id extends GivenId = GivenId>(
  options: EmailUserConfig & { id?: Id } = {},
): Identified<EmailConfig, 'forwardemail', Id> {
  return httpSender({ id: 'forwardemail', name: 'Forward Email' }, options, (message, { provider }) => ({
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${provider.apiKey}:`)}` },
    body: message,
  }))
}
