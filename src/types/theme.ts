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
  signIn: string
  signOut: string
  error: string
  verifyRequest: string
  newUser: string
}
