import type { EmailConfig, EmailUserConfig } from '../types/provider.ts'
import { httpSender } from './mail/http-sender.ts'

/**
 * Mails sign-in links through Resend.
 *
 * Make an API key at https://resend.com/api-keys, verify the domain of `from`, and give the key as `apiKey` or in
 * `AUTH_RESEND_KEY`.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @example providers: [Resend({ from: 'App <no-reply@example.com>' })]
 */
export default function Resend(options: EmailUserConfig = {}): EmailConfig {
  return httpSender({ id: 'resend', name: 'Resend' }, options, (message, { provider }) => ({
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${provider.apiKey}` },
    body: message,
  }))
}
