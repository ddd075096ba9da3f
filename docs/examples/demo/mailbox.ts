import type { EmailConfig, Provider } from '../../../src/types/provider.ts'
import { Password, type PasswordLinkParams } from '../../../src/password.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { writeMessage } from '../../../src/provider-base/message.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The link. Absent if the mail has a code. */
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

/** Creates the providers that deliver to the demo's mailbox. */
export function createMailProviders(mailbox: Mailbox): Provider[] {
  return [
    ...ways.map((way): EmailConfig => ({
      ...way,
      type: 'email',
      async sendVerificationRequest(params) {
        const { to, subject, text } = await writeMessage(params)
        mailbox.put({ to, subject, text, link: way.method === 'link' ? params.url : undefined })
      },
    })),
    createPasswords((mail) => mailbox.put(mail)),
  ]
}

/** Creates the providers that send mail. */
export function createSmtpProviders(server: string): Provider[] {
  const from = 'no-reply@example.com'
  return [
    ...ways.map((way) => Nodemailer({ ...way, server, from })),
    createPasswords(async ({ to, subject, text }) => {
      const { createTransport } = await import('nodemailer')
      await createTransport(server).sendMail({ from, to: { name: '', address: to }, subject, text })
    }),
  ]
}

function createPasswords(send: (mail: Mail) => void | Promise<void>): Provider {
  const sendLink = ({ identifier: to, url, user }: PasswordLinkParams) => {
    const subject = user ? 'Choose a new password' : 'Choose a password'
    const text = `To choose your password, open this link within an hour:\n\n${url}\n\nIf you did not request it, ignore this mail.`
    return send({ to, subject, text, link: url })
  }
  return Password({ name: 'a password', sendLink })
}
