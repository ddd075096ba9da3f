import type { LibraryTexts } from '../types/page-texts.ts'
import type { ErrorPage, Page } from './page.ts'

type TextName = keyof LibraryTexts

/** The text of the error page for an error. */
export interface ErrorText {
  readonly status: number
  readonly heading: TextName
  readonly text: TextName
  /** Trying again may help, so the page links to the sign-in page. */
  readonly retry: boolean
}

const errorTexts: ReadonlyMap<string, ErrorText> = new Map([
  ['Configuration', { status: 500, heading: 'serverError', text: 'serverErrorText', retry: false }],
  ['AccessDenied', { status: 403, heading: 'accessDenied', text: 'accessDeniedText', retry: true }],
  ['Verification', { status: 403, heading: 'unableToSignIn', text: 'linkExpired', retry: true }],
  ['InvalidCheck', { status: 400, heading: 'unableToSignIn', text: 'signInUnfinished', retry: true }],
  ['RateLimited', { status: 429, heading: 'tooManyAttempts', text: 'tooManyAttemptsText', retry: true }],
])

const anyError: ErrorText = { status: 200, heading: 'error', text: 'errorText', retry: false }

const missing: ErrorText = { status: 404, heading: 'pageNotFound', text: 'pageNotFoundText', retry: false }

/** Returns the text of an error page. All unknown values of the query parameter `error` have the same text. */
export function findErrorText({ error, isMissing }: Pick<ErrorPage, 'error' | 'isMissing'>): ErrorText {
  return isMissing ? missing : (errorTexts.get(error ?? '') ?? anyError)
}

/** Returns the HTTP status of a page without rendering it. */
export function pageStatus(page: Page): number {
  return page.page === 'error' ? findErrorText(page).status : 200
}

/** A message of the sign-in page. */
export interface SignInMessage {
  readonly text: TextName
  /** A notice reports what the user did or has to do, so it does not look like an error. */
  readonly isNotice?: true
  /** The kind of form that shows the message. Messages without it are at the top of the page. */
  readonly form?: 'credentials' | 'email'
}

const failed: SignInMessage = { text: 'signInFailed' }
const tryAnotherAccount: SignInMessage = { text: 'tryAnotherAccount' }
const mailUnsent: SignInMessage = { text: 'mailUnsent', form: 'email' }
const cancelled: SignInMessage = { text: 'cancelled', isNotice: true }

const signInMessages: ReadonlyMap<string, SignInMessage> = new Map([
  ['Signin', tryAnotherAccount],
  ['OAuthSignin', tryAnotherAccount],
  ['OAuthCallbackError', tryAnotherAccount],
  ['OAuthCreateAccount', tryAnotherAccount],
  ['EmailCreateAccount', tryAnotherAccount],
  ['Callback', tryAnotherAccount],
  ['OAuthAccountNotLinked', { text: 'signedUpOtherwise' }],
  ['EmailSignin', mailUnsent],
  ['EmailSignInError', mailUnsent],
  ['CredentialsSignin', { text: 'wrongDetails', form: 'credentials' }],
  ['SessionRequired', { text: 'pleaseSignIn', isNotice: true }],
])

/**
 * Returns the sign-in page's message for a value of the query parameter `error`; undefined without one.
 *
 * @param code the query parameter `code`: the error code of a provider
 */
export function findSignInMessage(error: string | undefined, code?: string): SignInMessage | undefined {
  if (!error) return undefined
  if (error === 'OAuthCallbackError' && code === 'access_denied') return cancelled
  return signInMessages.get(error) ?? failed
}
