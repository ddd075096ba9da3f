/** The texts of the form on the sign-in page. */
export interface PasskeyTexts {
  /** Stands for the name of a passkey provider in `signInWith` and `registerWith`, if it has the default name. */
  byPasskey: string
  registerWith: string
  passkeyFailed: string
}
