import type { ComponentChild } from 'preact'
import type { LibraryTexts } from '../types/page-texts.ts'
import type { Explanation } from '../errors/explanations.ts'
import type { ProviderSettings } from '../config/settings.ts'
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider.ts'
import type { SignInForm } from '../types/feature.ts'
import type { ViewPart } from '../types/feature-page.ts'
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
  readonly kind: ProviderSettings['kind']
  readonly style?: OAuthProviderButtonStyles | undefined
  /** Fields of a credentials form. Without them, the form is not shown. */
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  /** The form of a feature. Without it, none is shown. */
  readonly form?: SignInForm | undefined
  /** The form that a feature of the library creates, in place of the one for this kind of provider. */
  readonly own?: OwnForm | undefined
  /** Links below the form. */
  readonly links?: readonly ViewPart[] | undefined
}

/** Providers that share a form. */
export interface FormGroup {
  /** The provider to which the form posts. */
  readonly provider: PageProvider
  /** The position on the page, which names the brand colour. */
  readonly position: number
  /** Further e-mail providers. Each has a button that posts to it. */
  readonly others: readonly PageProvider[]
  /** A provider whose own form uses the same e-mail field. */
  readonly guest?: PageProvider | undefined
}

/** A form that a feature of the library creates. */
export interface OwnForm {
  readonly create: (parts: FormParts) => ComponentChild
  /** Creates what the form for an e-mail address then needs. Absent if the provider needs more than an address. */
  readonly share?: ((parts: FormParts) => SharedForm) | undefined
  /** The URL of the library's script, if the form needs it. */
  readonly script?: string | undefined
}

interface SharedForm {
  /** The attributes of the form. */
  readonly attributes: Attributes
  readonly field: CredentialInput | undefined
  readonly buttons: ComponentChild
}

export type Attributes = Readonly<Record<string, string | boolean | undefined>>

export interface FormParts extends FormGroup {
  readonly page: SignInPage
  readonly texts: LibraryTexts
  readonly buttonId: string
  /** Whether the form's button is the primary action of the page. */
  readonly isPrimary: boolean
  /** The message that is shown in the form. */
  readonly message: keyof LibraryTexts | undefined
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
