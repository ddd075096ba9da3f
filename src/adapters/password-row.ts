/** A password hash as the adapters store it, apart from the user. */
export interface PasswordRow {
  readonly userId: string
  readonly hash: string
}
