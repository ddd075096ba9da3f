/** A mail with a sign-in link or code. */
export interface Mail {
  /** The recipient. */
  readonly to: string
  readonly link: URL
  /** The token in the link, or the code. Absent if only the mail itself is known. */
  readonly token?: string
}

/** Every mail that the application sent. */
export interface Mailbox {
  readonly mails: readonly Mail[]
  readonly deliver: (mail: Mail) => void
  /** Forgets all mails, where they are not those of a running application. */
  readonly empty?: () => void
  /** Returns the first mail to an address, not counting the first `after` mails; undefined if none arrives. */
  readonly waitFor: (address: string, after: number) => Promise<Mail | undefined>
}

/** Opens a mailbox with immediate delivery. */
export function openMailbox(): Required<Mailbox> {
  const mails: Mail[] = []
  return {
    mails,
    deliver: (mail) => void mails.push(mail),
    empty: () => void (mails.length = 0),
    waitFor: async (address, after) => mails.slice(after).find(({ to }) => to === address),
  }
}
