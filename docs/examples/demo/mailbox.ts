import type { EmailConfig } from '../../../src/types/provider.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { writeMessage } from '../../../src/provider-base/message.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The sign-in link. Absent if the mail has a code. */
  readonly link?: string | undefined
}

/** Stores mails instead of sending them, newest first. */
export interface Mailbox {
  readonly list: () => readonly Mail[]
  readonly put: (mail: Mail) => void
}

const capacity = 50

export function createMailbox(): Mailbox {
  let mails: readonly Mail[] = []
  return {
    list: () => mails,
    put: (mail) => void (mails = [mail, ...mails].slice(0, capacity)),
  }
}

const ways = [
  { id: 'mail', name: 'a mail link', method: 'link' },
  { id: 'code', name: 'a mail code', method: 'code' },
] as const

/** Creates the e-mail providers that deliver to the demo's mailbox. */
export function createMailProviders(mailbox: Mailbox): EmailConfig[] {
  return ways.map((way) => ({
    ...way,
    type: 'email',
    async sendVerificationRequest(params) {
      const { to, subject, text } = await writeMessage(params)
      mailbox.put({ to, subject, text, link: way.method === 'link' ? params.url : undefined })
    },
  }))
}

/** Creates the e-mail providers that send mail. */
export function createSmtpProviders(server: string): EmailConfig[] {
  return ways.map((way) => Nodemailer({ ...way, server, from: 'no-reply@example.com' }))
}
