import type { EmailConfig } from '../../../src/types/provider.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { writeMessage } from '../../../src/provider-base/message.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The sign-in link. */
  readonly link: string
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

const id = 'mail'
const name = 'a mail link'

/** Creates an e-mail provider that delivers to the demo's mailbox. */
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

/** Creates an e-mail provider that sends mail. */
export function createSmtpProvider(server: string): EmailConfig {
  return Nodemailer({ id, name, server, from: 'no-reply@example.com' })
}
