/** A sealed second factor as the adapters store it, apart from the user. */
export interface FactorRow {
  readonly userId: string
  readonly factor: string
}
