import type { EmailConfig } from '../../../src/types/provider.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { writeMessage } from '../../../src/providers/mail/message.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The link that signs in. */
  readonly link: string
}

/** Mails that went nowhere: the newest first. */
export interface Mailbox {
  readonly list: () => readonly Mail[]
  readonly put: (mail: Mail) => void
}

const most = 50

export function createMailbox(): Mailbox {
  let mails: readonly Mail[] = []
  return {
    list: () => mails,
    put: (mail) => void (mails = [mail, ...mails].slice(0, most)),
  }
}

const id = 'mail'
const name = 'a mail link'

/** Sign-in by links that land in a mailbox of the demo's own. */
export function createMailProvider(mailbox: Mailbox): EmailConfig {
  return {
    id,
    name,
    type: 'email',
    async sendVerificationRequest(params) {
      const { to, subject, text } = await writeMessage(params)
      mailbox.put({ to, subject, text, link: params.url })
    },
  }
}

/** Sign-in by links that are mailed. */
export function createSmtpProvider(server: string): EmailConfig {
  return Nodemailer({ id, name, server, from: 'no-reply@example.com' })
}
