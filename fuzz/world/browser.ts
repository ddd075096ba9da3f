import type { SerializedCookieJar } from 'tough-cookie'
import type { Mail } from './mailbox.ts'
import type { Person, ProviderName, RemoteName } from './people.ts'
import type { Reply } from './reply.ts'

/** A request as a browser sends it. */
export interface Sending {
  readonly method?: string
  /** Headers in addition to those of a browser, or in place of them. An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly form?: Readonly<Record<string, string>> | URLSearchParams
  readonly json?: unknown
  /**
   * Whether a page of another site sends it: a POST then carries no `Lax` or `Strict` cookies. With `old rules` it carries
   * cookies without `SameSite`, as in Firefox and Safari.
   */
  readonly crossSite?: boolean | 'old rules'
  /** A description for the trace. */
  readonly says?: string
}

/** The parameters with which an identity provider redirects the browser back. */
export interface Arrival {
  readonly provider: RemoteName
  readonly parameters: URLSearchParams
  readonly mode: 'query' | 'form_post'
}

/** A user agent. It stores cookies as RFC 6265bis requires, and does not follow redirects. */
export interface Browser {
  readonly name: string
  readonly send: (path: string, sending?: Sending) => Promise<Reply>
  /** Returns the names and values of the cookies that it would send. */
  readonly cookies: () => Readonly<Record<string, string>>
  readonly setCookie: (line: string) => void
  readonly dropCookie: (name: string) => void
  /** Copies its cookies, for `restore`. */
  readonly save: () => Saved
  readonly restore: (saved: Saved) => void

  readonly csrfToken: () => Promise<string>
  /** Starts a sign-in: posts the form of a provider's button. */
  readonly start: (provider: ProviderName, form?: Readonly<Record<string, string>>) => Promise<Reply>
  /** Starts a sign-in, and consents at the provider as this person. @throws {Unreached} if it is not redirected there */
  readonly visit: (
    provider: RemoteName,
    as: Person,
    form?: Readonly<Record<string, string>>,
  ) => Promise<Arrival>
  /** Requests the callback to which the provider redirects it. */
  readonly arrive: (arrival: Arrival) => Promise<Reply>
  /** Requests a sign-in link, and returns the mail. @throws {Unreached} if no mail arrives */
  readonly requestLink: (address: string, form?: Readonly<Record<string, string>>) => Promise<Mail>
  /** Opens the link of a mail, and does not press a button. */
  readonly openLink: (mail: Mail) => Promise<Reply>
  /** Opens the link of a mail, and presses the button if the page has one. */
  readonly followLink: (mail: Mail) => Promise<Reply>
  readonly enterPassword: (person: Person, password?: string) => Promise<Reply>
  /** Completes a sign-in. @throws {Unreached} if this person has no session afterwards */
  readonly signIn: (provider: Exclude<ProviderName, 'passkey'>, as: Person) => Promise<Reply>
  /** Answers the gates that hold a sign-in of this browser. Returns the last response, or nothing if none holds one. */
  readonly resume: () => Promise<Reply | undefined>
  readonly readSession: () => Promise<Reply>
  /** Returns the name of the person whose session it has, or an unknown user's address; undefined without a session. */
  readonly whoAmI: () => Promise<string | undefined>
  readonly signOut: (form?: Readonly<Record<string, string>>) => Promise<Reply>
}

export type Saved = SerializedCookieJar

/** The parts of the world that a browser needs. */
export interface Around {
  readonly origin: string
  readonly basePath: string
  readonly idOf: (provider: ProviderName) => string
  /** @default those of Auth.js */
  readonly routes?: Routes
  /** Called when the browser uses the routes of a provider. */
  readonly attempt?: (provider: ProviderName) => void
  readonly deliver: (browser: Browser, request: Request, sending: Sending) => Promise<Reply>
  readonly consent: (browser: Browser, provider: RemoteName, as: Person, url: URL) => Promise<Arrival>
  readonly mailTo: (address: string, after: number) => Promise<Mail | undefined>
  readonly mailCount: () => number
  /** Why a provider last refused a request, if it did. */
  readonly refusal?: (provider: ProviderName) => string | undefined
  readonly whoIs: (session: unknown) => string | undefined
  /** How a person answers the pages that hold a sign-in. @default there are none */
  readonly gates?: Gates | undefined
  /** Whether it waits for `resume` before it answers them. @default false */
  readonly staysAtGates?: boolean
  /** Adds an event to the story. */
  readonly note?: (event: string) => void
}

/**
 * How a person answers the pages that hold a sign-in, by the last segment of their paths: each function gets the page, and
 * returns the fields of its form without the CSRF token.
 */
export type Gates = Readonly<
  Record<
    string,
    (page: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  >
>

/** The routes of an application, as its browsers use them. */
export interface Routes {
  /** Requests a CSRF token. @throws {Absent} if the application has none */
  readonly csrfToken: (browser: Browser) => Promise<string>
  /** Starts a sign-in; `callbackUrl` names the page to which it returns. The reply redirects to the provider. */
  readonly start: (
    browser: Browser,
    provider: ProviderName,
    form: Readonly<Record<string, string>>,
  ) => Promise<Reply>
  readonly arrive: (browser: Browser, arrival: Arrival) => Promise<Reply>
  readonly readSession: (browser: Browser) => Promise<Reply>
  readonly signOut: (browser: Browser, form: Readonly<Record<string, string>>) => Promise<Reply>
}
