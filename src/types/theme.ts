/** Look of the built-in pages and mails. */
export interface Theme {
  /** Whether the pages are light, dark, or as the browser prefers. @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of an image that the pages and mails show. */
  logo?: string
  /** The colour of buttons and links, in CSS. */
  brandColor?: string
  /** The colour of the text of buttons, in CSS. */
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
  /** The page that new users see after their first sign-in. */
  newUser: string
}
