import type { OptionalTexts } from '../features/types.ts'

/** The languages of the built-in pages: English, German and Arabic. */
export type PageLocale = 'en' | 'de' | 'ar'

/** The texts that every site has. */
export interface LibraryTexts {
  // Every page

  /** The link on every page that leads back to the site. `{site}` is the host of the site. */
  backToSite: string
  /** The alternative text of the image `theme.logo`. */
  logo: string
  // Sign-in page

  signIn: string
  signInWith: string
  /** Stands for the name of an e-mail provider in `signInWith`, if the provider has the default name. */
  byEmail: string
  /** Stands for the name of a password provider in `signInWith`, if the provider has the default name. */
  byPassword: string
  or: string
  email: string
  password: string
  // Messages of the sign-in page

  pleaseSignIn: string
  cancelled: string
  wrongDetails: string
  mailUnsent: string
  signedUpOtherwise: string
  tryAnotherAccount: string
  signInFailed: string
  // Sign-out page

  signOut: string
  signOutQuestion: string
  cancel: string
  // Pages about mailed links and codes

  checkMail: string
  linkSent: string
  linkSentTo: string
  code: string
  sendAgain: string
  useAnotherAddress: string
  signInAs: string
  onlyIfRequested: string
  // Error page

  serverError: string
  serverErrorText: string
  accessDenied: string
  accessDeniedText: string
  unableToSignIn: string
  linkExpired: string
  signInUnfinished: string
  tooManyAttempts: string
  tooManyAttemptsText: string
  error: string
  errorText: string
  pageNotFound: string
  pageNotFoundText: string
  // Pages of several features

  sendLink: string
  changeYourPassword: string
  continue: string
}

/**
 * The texts of the built-in pages. A word in braces, such as `{name}`, stands for a value: keep it where the value belongs.
 * The guide on pages lists the English texts.
 */
export interface PageTexts extends LibraryTexts, OptionalTexts {}

/** Texts of the library's pages and of features, whose keys begin with the name of the feature and a dot. */
export type FeatureTexts = Partial<PageTexts> & { readonly [text: `${string}.${string}`]: string }
