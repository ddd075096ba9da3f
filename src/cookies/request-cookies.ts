/** Cookies of a request. Names are taken as they are, values percent-decoded where that is possible. */
export interface RequestCookies {
  /** Returns the first cookie of that name. */
  readonly get: (name: string) => string | undefined
  readonly names: readonly string[]
  /** Did the name come more than once? */
  readonly isDuplicate: (name: string) => boolean
  /** The header has more cookies than are looked at, and then none of them is. */
  readonly tooMany: boolean
}
