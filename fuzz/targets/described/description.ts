import type { ProviderName, RemoteName } from '../../world/people.ts'

/** A request that the oracle sends for a person. The texts can contain placeholders; see {@link placeholders}. */
export interface DescribedRequest {
  /** @default 'POST' if it has fields or JSON, otherwise 'GET' */
  readonly method?: 'GET' | 'POST'
  /** A path on the application's origin: `/login/{provider}`. */
  readonly url: string
  /** The fields of a form. */
  readonly fields?: Readonly<Record<string, string>>
  /** The body of a script's request, instead of fields. */
  readonly json?: Readonly<Record<string, string>>
  /** The member of a JSON response with the URL that a script then opens: `url`. @default the response redirects */
  readonly redirect?: string
}

/** How to read who is signed in. */
export interface DescribedSession {
  /** A page or an API: `/me`. */
  readonly url: string
  /** Where a JSON response has the user's e-mail address, name or subject: `user.email`. */
  readonly user?: string
  /** The text around the user on a page: `Signed in as {user}`. */
  readonly text?: string
  /** Whether the cookie alone is the session, so that a sign-out cannot revoke copies of it. @default false */
  readonly stateless?: boolean
}

/** Where the application's forms take their CSRF token from, and how they return it. */
export interface DescribedCsrf {
  /** The page, or API, with the token. @default none: a cookie has it */
  readonly from?: string
  /** The member of a JSON response with the token. @default the field of a form on the page */
  readonly json?: string
  /** The cookie with the token, instead of a page. */
  readonly cookie?: string
  /** The form field, or JSON member, that returns the token. */
  readonly field?: string
  /** The header that returns the token. */
  readonly header?: string
}

/**
 * Describes how to use an application with custom routes. The oracle needs `signIn` and `session`. It skips the properties
 * that need other missing members.
 */
export interface Description {
  /** The application's ids of the oracle's providers. @default the names of those where a sign-in redirects to them */
  readonly providers?: Readonly<Partial<Record<RemoteName, string>>>
  /** Starts a sign-in at `{provider}`. */
  readonly signIn: DescribedRequest
  /** The path to which a provider redirects: `/callback/{provider}`. @default the redirect_uri of the sign-in */
  readonly callback?: string
  readonly session: DescribedSession
  readonly signOut?: DescribedRequest
  /** Requests a mail with a sign-in link for `{address}`. */
  readonly mail?: DescribedRequest & {
    /** How the path of a mailed link begins: `/login/mail`. */
    readonly link: string
  }
  /** `none` if forms have no token. Another defence, such as a check of the Origin header, may exist. @default 'none' */
  readonly csrf?: 'none' | DescribedCsrf
  readonly cookies?: {
    /** The name of the session cookie, without `__Host-` or `__Secure-`. */
    readonly session?: string
  }
  /** The file that the application logs to, relative to the description. */
  readonly log?: string
}

/** The placeholders in the texts of a request, with their meaning. */
export const placeholders = {
  '{provider}': 'the application’s id of the provider',
  '{address}': 'the e-mail address of the person',
  '{returnTo}': 'the path to which the application redirects afterwards',
  '{origin}': 'the origin of the application, in front of {returnTo} if it expects a URL: {origin}{returnTo}',
} as const

/** Returns whether the application lets a request choose the page to which it returns. */
export function takesTarget(request: DescribedRequest | undefined): boolean {
  return JSON.stringify([request?.url, request?.fields, request?.json]).includes('{returnTo}')
}

/** Finds the provider of the world with this id. */
export function idFor(description: Description, name: ProviderName): string {
  return (description.providers as Readonly<Record<string, string>> | undefined)?.[name] ?? name
}
