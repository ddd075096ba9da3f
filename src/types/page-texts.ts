/** The languages of the built-in pages: English, German and Arabic. */
export type PageLocale = 'en' | 'de' | 'ar'

/**
 * The texts of the built-in pages. A word in braces, such as `{name}`, stands for a value: keep it where the value belongs.
 */
export interface PageTexts {
  // Sign-in page

  /** @default 'Sign in' */
  signIn: string
  /** @default 'Sign in with {name}' */
  signInWith: string
  /** @default 'Register with {name}' */
  registerWith: string
  /** @default 'or' */
  or: string
  /** @default 'Email' */
  email: string
  /** @default 'Set or reset your password' */
  setPassword: string
  /** @default 'That did not work. Try again.' */
  passkeyFailed: string
  // Messages of the sign-in page

  /** @default 'Please sign in to see this page.' */
  pleaseSignIn: string
  /** @default 'Sign-in was cancelled.' */
  cancelled: string
  /** @default 'Your details do not match. Check them and try again.' */
  wrongDetails: string
  /** @default 'The e-mail could not be sent. Check the address and try again in a moment.' */
  mailUnsent: string
  /** @default 'You already signed up in another way. Sign in the way you did the first time.' */
  signedUpOtherwise: string
  /** @default 'Sign-in failed. Try again, or use another account.' */
  tryAnotherAccount: string
  /** @default 'You could not be signed in. Please try again.' */
  signInFailed: string
  // Sign-out page

  /** @default 'Sign out' */
  signOut: string
  /** @default 'Do you want to sign out?' */
  signOutQuestion: string
  /** @default 'Cancel' */
  cancel: string
  // Pages about mailed links and codes

  /** @default 'Check your email' */
  checkMail: string
  /** @default 'We sent you a link. Open it to sign in. You can close this page.' */
  linkSent: string
  /** @default 'We sent a link to {email}. Open it to sign in. You can close this page.' */
  linkSentTo: string
  /** @default 'We sent you a code with six digits. Enter it here, in this browser.' */
  codeSent: string
  /** @default 'We sent a code with six digits to {email}. Enter it here, in this browser.' */
  codeSentTo: string
  /** @default 'Code' */
  code: string
  /** @default 'That code does not match. Attempts left: {count}.' */
  wrongCode: string
  /** @default 'Send it again' */
  sendAgain: string
  /** @default 'Use another address' */
  useAnotherAddress: string
  /** @default 'Sign in as {email}?' */
  signInAs: string
  /** @default 'Continue only if you requested this link.' */
  onlyIfRequested: string
  // Error page

  /** @default 'Server error' */
  serverError: string
  /** @default 'The server is misconfigured. If this keeps happening, contact the owner of this site. If this is your site, check the server log.' */
  serverErrorText: string
  /** @default 'Access denied' */
  accessDenied: string
  /** @default 'This account is not allowed to sign in. If you have another account, try that one.' */
  accessDeniedText: string
  /** @default 'Unable to sign in' */
  unableToSignIn: string
  /** @default 'This link or code has expired or was already used. Sign in again to get a new one.' */
  linkExpired: string
  /** @default 'This sign-in cannot be finished. It was started in another browser, or it took too long. Please start again.' */
  signInUnfinished: string
  /** @default 'Too many attempts' */
  tooManyAttempts: string
  /** @default 'There were too many attempts. Wait a few minutes, then try again.' */
  tooManyAttemptsText: string
  /** @default 'Error' */
  error: string
  /** @default 'Something went wrong. Go back to the site and try again.' */
  errorText: string
  // Password pages

  /** @default 'We send you a link to a page where you choose a password.' */
  sendLinkText: string
  /** @default 'Send the link' */
  sendLink: string
  /** @default 'Choose a password' */
  choosePassword: string
  /** @default 'Choose a password for {email}. Continue only if you requested this link.' */
  choosePasswordFor: string
  /** @default 'Set the password' */
  savePassword: string
  /** @default 'Change your password' */
  changeYourPassword: string
  /** @default 'Change the password' */
  changePassword: string
  /** @default 'Current password' */
  currentPassword: string
  /** @default 'New password (at least {count} characters)' */
  newPassword: string
  /** @default 'Choose a password with at least {count} characters, for example a sentence.' */
  passwordTooShort: string
  /** @default 'The password is too long. Choose a shorter one.' */
  passwordTooLong: string
  /** @default 'This password is known from a data breach. Choose another one.' */
  passwordBreached: string
  /** @default 'The current password does not match. Check it and try again.' */
  passwordMismatch: string
  // Pages of the second factor

  /** @default 'Set up an authenticator app' */
  setUpApp: string
  /** @default 'Enter your code' */
  enterCode: string
  /** @default 'Enter the code that your authenticator app shows, or one of your recovery codes.' */
  enterCodeText: string
  /** @default 'The code is wrong or was already used.' */
  codeRefused: string
  /** `{link}` is the text `openInApp`, as a link. @default 'Add this key to your app, or {link}. Then enter the code that the app shows.' */
  addKey: string
  /** @default 'open it in an app on this device' */
  openInApp: string
  /** @default 'Do not ask again on this device' */
  rememberDevice: string
  /** @default 'Turn on' */
  turnOn: string
  /** @default 'Continue' */
  continue: string
  /** @default 'Keep your recovery codes' */
  keepCodes: string
  /** @default 'Without your app, each of these codes works once. They are not shown again.' */
  keepCodesText: string
  // Account page

  /** @default 'Your account' */
  yourAccount: string
  /** @default 'Signed in as {name}' */
  signedInAs: string
  /** @default 'This is your last way to sign in. Add another one before you remove it.' */
  lastWay: string
  /** @default 'This site cannot end these sessions.' */
  sessionsUnavailable: string
  /** @default 'Your account was not deleted, because the text does not match. Try again.' */
  deletionUnconfirmed: string
  /** @default 'Sessions' */
  sessions: string
  /** @default 'Sign out everywhere else' */
  signOutOthers: string
  /** @default 'Sign out session {number}: {place}' */
  signOutSession: string
  /** @default 'This device' */
  thisDevice: string
  /** Follows the name of the device. @default 'this device' */
  onThisDevice: string
  /** @default 'Another device' */
  anotherDevice: string
  /** @default 'Signed in {start}, expires {end}' */
  sessionTimes: string
  /** @default 'Expires {end}' */
  sessionEnd: string
  /** @default 'Linked accounts' */
  linkedAccounts: string
  /** @default 'Unlink {name}' */
  unlink: string
  /** @default 'Link {name}' */
  link: string
  /** @default 'Passkeys' */
  passkeys: string
  /** The name of a passkey without one. @default 'Passkey {number}' */
  passkey: string
  /** @default 'Save name' */
  saveName: string
  /** @default 'Save name of {name}' */
  saveNameOf: string
  /** @default 'Name' */
  name: string
  /** @default 'Name of {name}' */
  nameOf: string
  /** @default 'Remove {name}' */
  remove: string
  /** @default 'Second factor' */
  secondFactor: string
  /** @default 'An authenticator app protects your account even if someone else learns your password.' */
  factorOff: string
  /** @default 'An authenticator app is on. Recovery codes left: {count}.' */
  factorOn: string
  /** @default 'Use another authenticator app' */
  useAnotherApp: string
  /** @default 'Create new recovery codes' */
  renewCodes: string
  /** @default 'Turn off the second factor' */
  turnOffFactor: string
  /** @default 'Password' */
  password: string
  /** @default 'Sign out on this device' */
  signOutHere: string
  /** @default 'Delete account' */
  deleteAccount: string
  /** @default 'To delete your account, type {text}' */
  confirmDeletion: string
}
