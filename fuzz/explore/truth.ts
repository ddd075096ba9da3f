import type { RequirementId } from 'authmachine/spec'
import type { Saved } from '../world/browser.ts'
import type { Person } from '../world/people.ts'

export type Name = Person['name']

/** The real actions and their results, as the people know them. It is plain data, and names users by their ids. */
export interface Truth {
  readonly users: Record<string, UserTruth>
  readonly browsers: Record<string, BrowserTruth>
  /** The mails with a link, oldest first: at most two of a kind to an address. */
  mails: MailTruth[]
  /** The ids of the passkeys that each person has. */
  readonly passkeys: Partial<Record<Name, readonly string[]>>
}

/** A user of the application, with the knowledge of its owner. */
export interface UserTruth {
  owner: Name
  /** Grows with each change that ends sessions, pending operations and trust. */
  epoch: number
  password?: string | undefined
  formerPassword?: string | undefined
  app?: AppTruth | undefined
  /** The app that this one replaced. */
  formerApp?: AppTruth | undefined
}

/** An authenticator app. */
export interface AppTruth {
  readonly secret: string
  recovery: readonly string[]
  /** The last code that was entered, and a recovery code that was. */
  lastCode?: string
  usedRecovery?: string
}

/** A session that its user opened in this browser. */
export interface SessionTruth {
  /** Copies of one session have the same value. */
  readonly id: string
  readonly user: string
  epoch: number
  /** When the user proved who they are, in milliseconds since 1970. */
  at: number
  /** Whether a code or a passkey was a part of that proof. */
  hasFactor: boolean
  /** How the user proved the first factor. */
  way?: Proof['way'] | undefined
  /** The provider that opened it. */
  by?: string | undefined
}

/** A person who passed the first of two factors, or a browser in which the second factor may be skipped. */
export interface Promised {
  /** Copies have the same value. */
  readonly id: string
  readonly user: string
  /** The epoch of the user when it began, or -1 after a sign-out or a logout by the provider. */
  epoch: number
  readonly at: number
  readonly way?: Proof['way'] | undefined
  /** The mail, or the provider, that proved the first factor. */
  readonly mail?: string
  readonly by?: string
}

export interface BrowserTruth {
  session?: SessionTruth | undefined
  waits?: Promised | undefined
  trusted?: Promised | undefined
  arrival?: ArrivalTruth | undefined
  /** A form that was opened and not sent yet. */
  form?: FormTruth | undefined
  saved?: (Omit<BrowserTruth, 'saved'> & { readonly jar: Saved }) | undefined
}

/** An authorization response that its person has not opened yet. */
export interface ArrivalTruth {
  readonly of: Name
  readonly provider: 'alpha' | 'beta' | 'plain'
  readonly parameters: string
  readonly mode: 'query' | 'form_post'
  /** The user to whom the person wanted to link the account. */
  readonly links?: string | undefined
}

/** A form of a page, as it was when a person opened it. */
export interface FormTruth {
  readonly by: Name
  /** The change that it requests, or the enrolment of an app. */
  readonly change: string
  readonly fields: Readonly<Record<string, string>>
  /** Of the app that an enrolment shows. */
  readonly secret?: string
}

export type MailKind = 'sign-in' | 'password' | 'address'

export interface MailTruth {
  readonly id: string
  readonly kind: MailKind
  readonly to: string
  readonly link: string
  readonly token?: string | undefined
  /** In milliseconds since 1970. */
  readonly at: number
  /** The browser in which it was requested. */
  readonly browser: string
  /** The user who had the address when it was sent, or who wants to have it, and the epoch of that time; undefined if there is none. */
  readonly user?: string | undefined
  readonly epoch: number
  used: boolean
}

/** What a person or the application did in an action. */
export interface Claim {
  /** The person who proved in this browser who they are. */
  readonly proof?: Proof | undefined
  /** A code of a second factor that was entered. */
  readonly code?: EnteredCode | undefined
  /** The app, the passkey or the mail that was used, as a story names it. */
  readonly used?: string | undefined
  /** The app that was enrolled, according to the page. */
  readonly enrolled?: (AppTruth & { readonly knownTo: Name }) | undefined
  /** A link for a change was mailed. */
  readonly requested?: boolean
  /** The user whose other sessions, or all sessions, were ended, according to the application. */
  readonly ended?: { readonly user: string; readonly keeps: boolean } | undefined
  /** The recovery codes that replace the earlier ones, according to the page. */
  readonly renewed?: { readonly user: string; readonly recovery: readonly string[] } | undefined
  /** A provider ended the sessions that it had opened for a person, and the sign-ins that wait because of it. */
  readonly loggedOut?: { readonly person: Name; readonly provider: string }
  /** The person signed out. */
  readonly signedOut?: true
  /** The password that the person chose, if it is accepted. */
  readonly password?: string
  /** A call of the store failed. */
  readonly hasFailed?: true
  /** The account whose access token the application got. */
  readonly tokenOf?: string | undefined
  /** The application acts, and needs no session. */
  readonly byApplication?: true
}

export interface EnteredCode {
  readonly isRight: boolean
  readonly remembers?: boolean
  /** The requirement that refuses a wrong attempt, and the attempt. */
  readonly refusal?: { readonly id: RequirementId; readonly what: string }
}

export interface Proof {
  readonly by: Name
  readonly way: 'provider' | 'mail' | 'password' | 'passkey'
  /** The id of the mail that proves it. */
  readonly mail?: string
  /** The account, the address or the credential that is proven. */
  readonly account?: { readonly provider: string; readonly id: string }
  readonly address?: string
}
