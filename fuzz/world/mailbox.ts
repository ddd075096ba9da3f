/** A mail with a sign-in link. */
export interface Mail {
  /** The address it was delivered to. */
  readonly to: string
  readonly link: URL
}

/** Every mail that the application sent. */
export interface Mailbox {
  readonly mails: readonly Mail[]
  readonly deliver: (mail: Mail) => void
  /** The first mail to an address after so many others; undefined when none comes. */
  readonly waitFor: (address: string, after: number) => Promise<Mail | undefined>
}

/** A mailbox into which mails fall at once. */
export function openMailbox(): Mailbox {
  const mails: Mail[] = []
  return {
    mails,
    deliver: (mail) => void mails.push(mail),
    waitFor: async (address, after) => mails.slice(after).find(({ to }) => to === address),
  }
}
