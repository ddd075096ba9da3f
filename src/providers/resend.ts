import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { httpSender } from '../provider-base/http-sender.ts'

/**
 * Mails sign-in links through Resend.
 *
 * Make an API key at https://resend.com/api-keys, verify the domain of `from`, and give the key as `apiKey` or in
 * `AUTH_RESEND_KEY`.
 *
 * Options: `apiKey`, `from`, and any of `EmailUserConfig`.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @example providers: [Resend({ from: 'App <no-reply@example.com>' })]
 */
export default function Resend<const Id extends GivenId = GivenId>(
  options: EmailUserConfig & { id?: Id } = {},
): Identified<EmailConfig, 'resend', Id> {
  return httpSender({ id: 'resend', name: 'Resend' }, options, (message, { provider }) => ({
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${provider.apiKey}` },
    body: message,
  }))
}
