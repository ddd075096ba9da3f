/** The texts of the pages that set, reset and change a password. */
export interface PasswordTexts {
  setPassword: string
  sendLinkText: string
  choosePassword: string
  choosePasswordFor: string
  savePassword: string
  changePassword: string
  currentPassword: string
  newPassword: string
  passwordTooShort: string
  passwordTooLong: string
  passwordBreached: string
  passwordMismatch: string
}
