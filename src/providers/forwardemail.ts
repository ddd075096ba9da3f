import type { EmailConfig, EmailUserConfig } from '../types/provider.ts'
import { httpSender } from './mail/http-sender.ts'

/**
 * Mails sign-in links through Forward Email.
 *
 * Make an API token in the account's security settings, and give it as `apiKey` or in `AUTH_FORWARDEMAIL_KEY`.
 *
 * @see https://forwardemail.net/en/email-api
 * @example providers: [ForwardEmail({ from: 'no-reply@example.com' })]
 */
export default function ForwardEmail(options: EmailUserConfig = {}): EmailConfig {
  return httpSender({ id: 'forwardemail', name: 'Forward Email' }, options, (message, { provider }) => ({
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${provider.apiKey}:`)}` },
    body: message,
  }))
}
