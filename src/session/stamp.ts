/**
 * The state of an account, to which everything pending or trusted is bound: mailed links and codes, sign-ins that
 * wait for the second factor or are being checked, and remembered devices. A change that ends them renews it.
 */
export interface Stamp {
  /** The user; undefined if nobody has the address. */
  readonly userId: string | undefined
  /** Null until the first change that renews it. */
  readonly value: string | null
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
}
