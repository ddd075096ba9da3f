/** Look of the built-in pages and mails. */
export interface Theme {
  /** @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of an image. */
  logo?: string
  /** A CSS colour. */
  brandColor?: string
  /** A CSS colour. */
  buttonText?: string
}

/** Paths of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Lists the ways to sign in. Gets `callbackUrl` and, after a failure, `error`. */
  signIn: string
  /** Asks whether to sign out. */
  signOut: string
  /** Shows the `error` in its query. */
  error: string
  /** Tells the user to open the link in the mail. */
  verifyRequest: string
  /** Where new users go after their first sign-in. */
  newUser: string
}
