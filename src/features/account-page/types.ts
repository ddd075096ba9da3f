/** The texts of the account page. */
export interface AccountPageTexts {
  yourAccount: string
  signedInAs: string
  lastWay: string
  sessionsUnavailable: string
  deletionUnconfirmed: string
  sessions: string
  signOutOthers: string
  signOutSession: string
  thisDevice: string
  /** Follows the name of the device. */
  onThisDevice: string
  anotherDevice: string
  sessionTimes: string
  sessionEnd: string
  linkedAccounts: string
  unlink: string
  link: string
  passkeys: string
  /** Stands for the name of a passkey that the user has not named. */
  passkey: string
  saveName: string
  saveNameOf: string
  name: string
  nameOf: string
  remove: string
  signOutHere: string
  deleteAccount: string
  confirmDeletion: string
  factorChanged: string
}

/** The option that turns the feature on. */
export interface AccountPageOption {
  /**
   * Adds a page at `<basePath>/account` on which users see and end their sessions, link and unlink accounts, name and
   * remove passkeys, manage their second factor, and delete their account. It needs no script. Each section needs an
   * adapter with the operations that its forms call. The last way to sign in cannot be removed. Linking or unlinking an
   * account, adding or removing a passkey, changing the second factor and deleting the account need a sign-in within
   * the last 15 minutes. Sessions therefore have `amr` and `auth_time`. A session from before you set the option has
   * neither, and can still link an account or add a passkey.
   *
   * A provider where the user is still signed in may redirect back without asking for a password. To make an OpenID
   * Connect provider ask, set its `authorization.params.max_age` to at most 900.
   *
   * @default false: the path is not found
   */
  accountPage?: boolean
}
