import type { Platform } from '../types/config.ts'

/** What calls at a provider take from outside. */
export interface OAuthContext {
  readonly platform: Platform
  /** Of this library; providers see it in the User-Agent. */
  readonly version: string
}
