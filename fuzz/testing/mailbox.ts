import type { EmailProviderSendVerificationRequestParams } from 'authmachine/providers'

/** A mail with a sign-in link that was not sent. */
export interface CaughtMail {
  /** The address. */
  readonly to: string
  /** The link. */
  readonly link: string
  /** Until when the link is good. */
  readonly expires: Date
}

/** Where the mails of an application under test go. */
export interface Mailbox {
  /** In the place of the e-mail provider's own: `Resend({ sendVerificationRequest })`. */
  readonly sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => void
  /** Every mail, the oldest first. */
  readonly mails: readonly CaughtMail[]
  /**
   * The link that an address was last mailed. It is there when the application has answered the form that asked for it.
   * @throws {Error} when no mail went there
   */
  readonly linkTo: (address: string) => string
}

/**
 * Catches what an e-mail provider would send.
 *
 * @example
 * const { sendVerificationRequest, linkTo } = mailbox()
 * const auth = createAuth({ ...config, providers: [Resend({ sendVerificationRequest })] })
 */
export function mailbox(): Mailbox {
  const mails: CaughtMail[] = []
  return {
    mails,
    sendVerificationRequest({ identifier: to, url: link, expires }) {
      mails.push({ to, link, expires })
    },
    linkTo(address) {
      const mail = mails.findLast(({ to }) => to === address)
      if (mail) return mail.link
      const came = [...new Set(mails.map(({ to }) => to))].join(', ') || 'nobody'
      throw new Error(`Expected a mail to ${address}, and mails went to ${came}`)
    },
  }
}
