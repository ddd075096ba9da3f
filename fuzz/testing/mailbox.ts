import type { EmailProviderSendVerificationRequestParams } from 'authmachine/providers'

/** A captured mail with a sign-in link. */
export interface CaughtMail {
  /** The recipient. */
  readonly to: string
  /** The link. */
  readonly link: string
  /** When the link expires. */
  readonly expires: Date
}

/** Captures the mails of an application under test. */
export interface Mailbox {
  /** Replaces the e-mail provider's own function: `Resend({ sendVerificationRequest })`. */
  readonly sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => void
  /** Every mail, oldest first. */
  readonly mails: readonly CaughtMail[]
  /**
   * Returns the link that was last mailed to an address. It is available as soon as the application has responded to the
   * sign-in request.
   * @throws {Error} if no mail was sent to the address
   */
  readonly linkTo: (address: string) => string
}

/**
 * Creates a mailbox that captures mails instead of sending them.
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
      const recipients = [...new Set(mails.map(({ to }) => to))].join(', ') || 'nobody'
      throw new Error(`Expected a mail to ${address}, but mails went to ${recipients}`)
    },
  }
}
