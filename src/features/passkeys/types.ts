import type { CookieOption } from '../../types/cookie.ts'

/** The cookie of this feature. */
export interface PasskeyCookies {
  /** The challenge of a passkey ceremony in progress. */
  webauthnChallenge: Partial<CookieOption>
}

/** A request for the options of a ceremony. */
export interface PasskeyAttempt {
  /**
   * For a sign-in, a registration or a second factor. The sign-in page of a provider with `enableConditionalUI` requests
   * options each time it is shown.
   */
  type: 'passkey-options'
}

/** The change to an account that this feature makes. */
export type PasskeyChange = 'add-passkey'

/** The warning of this feature. */
export type PasskeyWarning = 'experimental-webauthn'

/** The texts of the form on the sign-in page. */
export interface PasskeyTexts {
  /** Stands for the name of a passkey provider in `signInWith` and `registerWith`, if it has the default name. */
  byPasskey: string
  registerWith: string
  passkeyFailed: string
}
