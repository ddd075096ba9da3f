import type { Page } from './page.ts'

/** What the error page says of an error. */
export interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly text: string
  /** Trying again may help, so that the page leads to the sign-in page. */
  readonly retry: boolean
}

const errorTexts: ReadonlyMap<string, ErrorText> = new Map([
  [
    'Configuration',
    {
      status: 500,
      heading: 'Server error',
      text: 'Something is set up wrongly here, which you cannot mend. If this is your site, the server log says what it is.',
      retry: false,
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      heading: 'Access Denied',
      text: 'This account may not sign in here. If you have another one, try that.',
      retry: true,
    },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'Unable to sign in',
      text: 'This link no longer works. It has expired, or it was used before. You can have a new one sent.',
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
      text: 'That was tried too often. Wait a while, and then try again.',
      retry: true,
    },
  ],
])

const anyError: ErrorText = {
  status: 200,
  heading: 'Error',
  text: 'That did not work. Start again from the site.',
  retry: false,
}

/** The row for a value of the query parameter `error`; one for all that are not known. */
export function findErrorText(error: string | undefined): ErrorText {
  return errorTexts.get(error ?? '') ?? anyError
}

/** HTTP status of a page, for which the page need not be rendered. */
export function pageStatus(page: Page): number {
  return page.page === 'error' ? findErrorText(page.error).status : 200
}

const tryAgain = 'That did not work. Try again, or use another account.'

const mailUnsent = 'The e-mail could not be sent. Check the address, and try again in a moment.'

const signInTexts: ReadonlyMap<string, string> = new Map([
  ['Signin', tryAgain],
  ['OAuthSignin', tryAgain],
  ['OAuthCallbackError', tryAgain],
  ['OAuthCreateAccount', tryAgain],
  ['EmailCreateAccount', tryAgain],
  ['Callback', tryAgain],
  ['OAuthAccountNotLinked', 'We know you by another way of signing in. Use the one you began with.'],
  ['EmailSignin', mailUnsent],
  ['EmailSignInError', mailUnsent],
  ['CredentialsSignin', 'That does not match. Check what you typed and try again.'],
  ['SessionRequired', 'Please sign in to see that page.'],
])

/** What the sign-in page says of a value of the query parameter `error`; nothing without one. */
export function findSignInText(error: string | undefined): string | undefined {
  return error ? (signInTexts.get(error) ?? 'You could not be signed in. Please try again.') : undefined
}
