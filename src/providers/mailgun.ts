import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { addressOf, httpSender } from '../provider-base/http-sender.ts'

interface MailGunOptions extends EmailUserConfig {
  /** The region of the domain. @default 'US' */
  readonly region?: 'US' | 'EU'
}

const hosts = { US: 'api.mailgun.net', EU: 'api.eu.mailgun.net' } as const

/**
 * Mails sign-in links through Mailgun, from the domain of `from`.
 *
 * Give a sending key as `apiKey` or in `AUTH_MAILGUN_KEY`, and the `region` of the domain.
 *
 * Options: `apiKey`, `from`, `region` ('US', the default, or 'EU'), and any of `EmailUserConfig`.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 * @example providers: [MailGun({ from: 'no-reply@example.com', region: 'EU' })]
 */
export default function MailGun<const Id extends GivenId = GivenId>({
  region = 'US',
  ...options
}: MailGunOptions & { id?: Id } = {}): Identified<EmailConfig, 'mailgun', Id> {
  return httpSender({ id: 'mailgun', name: 'Mailgun' }, options, (message, { provider }) => {
    const domain = addressOf(message.from).split('@').at(-1) ?? ''
    const form = new FormData()
    for (const [name, value] of Object.entries(message)) form.set(name, value)
    return {
      url: `https://${hosts[region]}/v3/${encodeURIComponent(domain)}/messages`,
      headers: { authorization: `Basic ${btoa(`api:${provider.apiKey}`)}` },
      body: form,
    }
  })
}
