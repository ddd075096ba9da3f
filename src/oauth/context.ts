import { copyOfOptions } from '../copies/copy-handed-out.ts'
import type { OAuthSettings } from '../config/settings.ts'
import { customFetch } from '../types/symbols.ts'
import type { Platform } from '../types/config.ts'
import type { OAuthConfig } from '../types/provider.ts'

/** The dependencies of requests to a provider. */
export interface OAuthContext {
  readonly platform: Platform
  /** The version of this library, sent in the User-Agent. */
  readonly version: string
}

/** The provider as its hooks get it: as configured, but with the library's limited fetch in place of the user's. */
export function hookProvider({ config }: OAuthSettings, send: typeof fetch): OAuthConfig {
  return { ...copyOfOptions(config), [customFetch]: send }
}
