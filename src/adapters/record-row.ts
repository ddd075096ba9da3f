/** A named text as the adapters store it, apart from the user. */
export interface RecordRow {
  readonly userId: string
  readonly name: string
  readonly value: string
}
