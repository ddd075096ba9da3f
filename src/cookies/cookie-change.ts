import type { CookieSerializeOptions } from '../types/config.ts'

/** A cookie to be set, or cleared (empty value, maxAge 0). */
export interface CookieChange {
  readonly name: string
  readonly value: string
  readonly options: CookieSerializeOptions
}
