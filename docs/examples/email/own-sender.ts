import type { EmailConfig } from '../../../src/providers.ts'

const dates = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'long',
  timeZone: 'UTC',
})

export const mail: EmailConfig = {
  id: 'mail',
  name: 'E-mail',
  type: 'email',
  maxAge: 15 * 60,
  async sendVerificationRequest({ identifier, url, expires }) {
    const response = await fetch('https://mail.example/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        to: identifier,
        subject: 'Sign in to Example',
        text: `Follow this link until ${dates.format(expires)}: ${url}`,
      }),
    })
    if (!response.ok) throw new Error(`The mail service returned ${response.status}`)
  },
}
