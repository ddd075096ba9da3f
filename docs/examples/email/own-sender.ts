import type { EmailConfig } from '../../../src/providers/index.ts'

export const mail: EmailConfig = {
  id: 'mail',
  name: 'E-mail',
  type: 'email',
  maxAge: 15 * 60,
  async sendVerificationRequest({ identifier, url, expires }) {
    const answer = await fetch('https://mail.example/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        to: identifier,
        subject: 'Sign in to Example',
        text: `Follow this link until ${expires.toUTCString()}: ${url}`,
      }),
    })
    if (!answer.ok) throw new Error(`The mail service answered ${answer.status}`)
  },
}
