import type { ComponentChild } from 'preact'
import type { Explanation } from '../errors/explanations.ts'
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider.ts'
import type { Json, SignInForm } from '../types/feature.ts'
import type { PageKit, View } from '../types/feature-page.ts'
import type { Awaitable } from '../types/records.ts'
import type { ShownTrace } from '../types/trace.ts'

/**
 * The data of a built-in page. URLs are absolute and belong to the library. All other text is untrusted and shown as
 * text.
 */
export type Page = SignInPage | SignOutPage | ErrorPage | VerifyRequestPage | ConfirmPage | FeaturePage

interface PageOfSite {
  /** The site, to which the page has a link. Absent if the host of the request is not trusted. */
  readonly origin: string | undefined
}

export interface SignInPage extends PageOfSite {
  readonly page: 'signin'
  /** In the order in which the page shows them. All pages of a configuration share the list. */
  readonly providers: readonly PageProvider[]
  /** The URL of the library's routes, without a trailing slash. */
  readonly base: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  /** The URL after the sign-in. Every form sends it. */
  readonly callbackUrl: string
  /** Value of the query parameter `error`. */
  readonly error?: string | undefined
  /** Value of the query parameter `code`. */
  readonly code?: string | undefined
  /** The initial value of the e-mail field. */
  readonly email?: string | undefined
  /** The provider that has just refused a password. */
  readonly refusedBy?: string | undefined
  /** The name that the user submitted to that provider. */
  readonly name?: string | undefined
}

/** A provider on the sign-in page. */
export interface PageProvider {
  readonly id: string
  readonly name: string
  readonly kind: 'oauth' | 'email' | 'credentials' | 'password' | 'webauthn' | 'feature'
  readonly style?: OAuthProviderButtonStyles | undefined
  /** Fields of a credentials form. Without them, the form is not shown. */
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  /** Fields of a WebAuthn form. Without them, the form is not shown. */
  readonly formFields?: Readonly<Record<string, CredentialInput>> | undefined
  /** The data that the script needs for a WebAuthn form. Without it, the script ignores the form. */
  readonly ceremony?: Ceremony | undefined
  /** The form of a feature. Without it, none is shown. */
  readonly form?: SignInForm | undefined
}

interface Ceremony {
  /** Whether to offer passkeys while the user types. */
  readonly conditional: boolean
  /** Whether the form has separate buttons to sign in and to register, because the server does not look users up. */
  readonly twoButtons: boolean
}

export interface SignOutPage extends PageOfSite {
  readonly page: 'signout'
  /** The URL to which the button posts. */
  readonly action: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  /** The URL after the sign-out, if the link to this page contained one. */
  readonly callbackUrl?: string | undefined
}

export interface ErrorPage extends PageOfSite {
  readonly page: 'error'
  /** Value of the query parameter `error`. */
  readonly error?: string | undefined
  /** The path has no page. */
  readonly isMissing?: boolean
  readonly signinUrl: string
  /** For developers. Set only in development. */
  readonly explanation?: (Explanation & { readonly type: string }) | undefined
  /** The run that led to the error, for developers. Set only with `debug`. */
  readonly trace?: ShownTrace | undefined
}

export interface VerifyRequestPage extends PageOfSite {
  readonly page: 'verify-request'
  /** The mail that this browser requested. Absent if it requested none. */
  readonly mail?: RequestedMail | undefined
}

interface RequestedMail {
  /** The address that the user typed, in canonical form. */
  readonly email: string
  /** The URL to which the button posts that sends the mail again. */
  readonly action: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  /** `true` if the request was to link the address. */
  readonly link?: string | undefined
  /** The page on which the user can type another address. */
  readonly signinUrl: string
}

/** Asks for a click before a mailed link signs in, because a mail scanner or another site may have opened the link. */
export interface ConfirmPage extends PageOfSite {
  readonly page: 'confirm'
  readonly action: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  readonly token: string
  readonly email: string
  readonly callbackUrl?: string | undefined
}

/** A page of a feature. */
export interface FeaturePage extends PageOfSite {
  readonly page: 'feature'
  /** A page with sections is wider, and its buttons are plain. */
  readonly className: 'signin' | 'sections' | 'verify-request'
  readonly heading: string
  readonly parts: readonly ComponentChild[]
  /** The URL of the library's script, if the page needs it. */
  readonly script?: string | undefined
}

/** A page of a feature of the library, which can do more than those of other features. */
export interface LibraryView extends View {
  /** Defaults to the class that suits the parts. */
  readonly className?: 'verify-request'
}

/** The pages of a feature of the library, by name. */
export type LibraryPages<Key extends string> = Readonly<
  Record<string, (data: Json, kit: PageKit<Key>) => Awaitable<LibraryView>>
>
