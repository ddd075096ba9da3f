import type { AdapterUser } from '../../types/adapter.ts'
import type { Awaitable } from '../../types/records.ts'

/** A link that changes the address of a user. */
export interface EmailChangeLinkParams {
  /** The new address, in canonical form. */
  readonly to: string
  /** The URL of a page with a button. The address changes when the user presses the button. */
  readonly url: string
  /** When the link stops working. */
  readonly expires: Date
  /** The user, with the current address. */
  readonly user: AdapterUser
  /** The request that asked for the change. */
  readonly request: Request
}

/** A mail that reports a change, or a request for a taken address. */
export type EmailChangeNoticeParams = {
  /** The address that the mail goes to. */
  readonly to: string
  /** The user whose account the mail is about, as stored now. */
  readonly user: AdapterUser
  /** The request that led to the mail. */
  readonly request: Request
} & (
  | {
      /** The account has a new address. The mail goes to the previous one. */
      readonly type: 'changed'
      readonly newAddress: string
    }
  | {
      /** A user requested a link to an address that already has an account. The mail goes to that address. */
      readonly type: 'taken'
    }
)

/** Lets users change their e-mail address. */
export interface EmailChange {
  /** Mails the link to the new address. If it throws, the link is invalid and the user gets an error. */
  readonly sendLink: (params: EmailChangeLinkParams) => Awaitable<unknown>
  /**
   * Mails a notice. If it throws after a change, the error is logged and the change remains. If the new address already
   * has an account, it gets a notice instead of a link, so that responses do not reveal who has an account.
   */
  readonly sendNotice: (params: EmailChangeNoticeParams) => Awaitable<unknown>
  /** Lifetime of a link in seconds. @default 3600 */
  readonly maxAge?: number
}

/** The texts of the pages that change an e-mail address. */
export interface EmailChangeTexts {
  emailAddress: string
  newEmailAddress: string
  changeEmail: string
  changeYourEmail: string
  emailChanged: string
  emailNotChanged: string
  emailInvalid: string
  emailSame: string
  emailLinkExpired: string
  emailTaken: string
  emailIs: string
  emailLinkText: string
  messageSentTo: string
  changeEmailTo: string
  emailWas: string
  emailChangeText: string
  saveEmail: string
  emailIsNow: string
  requestNewLink: string
}

/** The option that turns the feature on. */
export interface EmailChangeOption {
  /**
   * Lets signed-in users change their e-mail address at `<basePath>/email-change`, by a link that is mailed to the new
   * address. The change ends their other sessions, and the previous address gets a notice. To request a change, users
   * must have signed in within the last 15 minutes. Sessions therefore have `amr` and `auth_time`.
   *
   * @default none: the path is not found
   */
  emailChange?: EmailChange
}
