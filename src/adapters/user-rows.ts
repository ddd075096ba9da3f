/** A named text as the adapters store it, apart from the user. */
export interface RecordRow {
  readonly userId: string
  readonly name: string
  readonly value: string
}

/** A password hash as the adapters store it, apart from the user. */
export interface PasswordRow {
  readonly userId: string
  readonly hash: string
}

/** A sealed second factor as the adapters store it, apart from the user. */
export interface FactorRow {
  readonly userId: string
  readonly factor: string
}
