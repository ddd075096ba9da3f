import type { EmailConfig } from '../../../src/providers.ts'

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
        text: `Follow this link until ${expires.toUTCString()}: ${url}`,
      }),
    })
    if (!response.ok) throw new Error(`The mail service returned ${response.status}`)
  },
}
