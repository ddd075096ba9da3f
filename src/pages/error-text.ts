import type { Page } from './page.ts'

/** The text of the error page for an error. */
export interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly text: string
  /** Trying again may help, so the page links to the sign-in page. */
  readonly retry: boolean
}

const errorTexts: ReadonlyMap<string, ErrorText> = new Map([
  [
    'Configuration',
    {
      status: 500,
      heading: 'Server error',
      text: 'The server is misconfigured. If this keeps happening, contact the owner of this site. If this is your site, check the server log.',
      retry: false,
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      heading: 'Access Denied',
      text: 'This account is not allowed to sign in. If you have another account, try that one.',
      retry: true,
    },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'Unable to sign in',
      text: 'This link or code has expired or was already used. Sign in again to get a new one.',
      retry: true,
    },
  ],
  [
    'InvalidCheck',
    {
      status: 400,
      heading: 'Unable to sign in',
      text: 'This sign-in cannot be finished. It was started in another browser, or it took too long. Please start again.',
      retry: true,
    },
  ],
  [
    'RateLimited',
    {
      status: 429,
      heading: 'Too many attempts',
      text: 'There were too many attempts. Wait a few minutes, then try again.',
      retry: true,
    },
  ],
])

const anyError: ErrorText = {
  status: 200,
  heading: 'Error',
  text: 'Something went wrong. Go back to the site and try again.',
  retry: false,
}

/** Returns the text for a value of the query parameter `error`; unknown values share one. */
export function findErrorText(error: string | undefined): ErrorText {
  return errorTexts.get(error ?? '') ?? anyError
}

/** Returns the HTTP status of a page without rendering it. */
export function pageStatus(page: Page): number {
  return page.page === 'error' ? findErrorText(page.error).status : 200
}

const tryAgain = 'Sign-in failed. Try again, or use another account.'

const mailUnsent = 'The e-mail could not be sent. Check the address and try again in a moment.'

const signInTexts: ReadonlyMap<string, string> = new Map([
  ['Signin', tryAgain],
  ['OAuthSignin', tryAgain],
  ['OAuthCallbackError', tryAgain],
  ['OAuthCreateAccount', tryAgain],
  ['EmailCreateAccount', tryAgain],
  ['Callback', tryAgain],
  ['OAuthAccountNotLinked', 'You already signed up in another way. Sign in the way you did the first time.'],
  ['EmailSignin', mailUnsent],
  ['EmailSignInError', mailUnsent],
  ['CredentialsSignin', 'Your details do not match. Check them and try again.'],
  ['SessionRequired', 'Please sign in to see this page.'],
])

/** Returns the sign-in page's text for a value of the query parameter `error`; undefined without one. */
export function findSignInText(error: string | undefined): string | undefined {
  return error ? (signInTexts.get(error) ?? 'You could not be signed in. Please try again.') : undefined
}
