import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider.ts'
import type { ProviderType } from '../types/records.ts'
import type { ShownTrace } from '../types/trace.ts'

/** What a built-in page shows. URLs are absolute and the library's own; all other text is shown as it is, whatever it says. */
export type Page = SignInPage | SignOutPage | ErrorPage | VerifyRequestPage | ConfirmPage

export interface SignInPage {
  readonly page: 'signin'
  /** In the order in which they are offered. */
  readonly providers: readonly PageProvider[]
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  /** Where a sign-in leads, as every form posts it. */
  readonly callbackUrl: string
  /** Value of the query parameter `error`. */
  readonly error?: string | undefined
  /** An e-mail address to begin with. */
  readonly email?: string | undefined
  /** URL of the script that runs ceremonies; loaded only where a provider has one. */
  readonly script?: string | undefined
}

export interface PageProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly kind: 'oauth' | 'email' | 'credentials' | 'webauthn'
  readonly signinUrl: string
  readonly callbackUrl: string
  readonly style?: OAuthProviderButtonStyles | undefined
  /** Fields of a credentials form; without them it is not shown. */
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  /** Fields of a webauthn form; without them it is not shown. */
  readonly formFields?: Readonly<Record<string, CredentialInput>> | undefined
  /** What the script has to know of a webauthn form; without it there is no script. */
  readonly ceremony?: Ceremony | undefined
}

interface Ceremony {
  readonly optionsUrl: string
  /** Offers passkeys while the form is filled in. */
  readonly conditional: boolean
  /** Two buttons, one to sign in and one to register, because the server does not look up who is known. */
  readonly twoButtons: boolean
}

export interface SignOutPage {
  readonly page: 'signout'
  /** Where the button posts to. */
  readonly action: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  /** Where to go then, if the link to this page said so. */
  readonly callbackUrl?: string | undefined
}

export interface ErrorPage {
  readonly page: 'error'
  /** Value of the query parameter `error`. */
  readonly error?: string | undefined
  /** Absent where the host of the request is not trusted: then the page leads nowhere. */
  readonly origin: string | undefined
  readonly signinUrl: string
  /** The run that led here, for developers; only ever with `debug`. */
  readonly trace?: ShownTrace | undefined
}

export interface VerifyRequestPage {
  readonly page: 'verify-request'
  readonly origin: string
}

/** Asks to press a button before a mailed link signs in: a mail scanner or another site may have opened it. */
export interface ConfirmPage {
  readonly page: 'confirm'
  readonly action: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken?: string | undefined
  readonly token: string
  readonly email: string
  readonly callbackUrl?: string | undefined
}
