import type { OAuthSettings } from '../config/settings.ts'
import { customFetch } from '../symbols.ts'
import type { OAuthConfig } from '../types/provider.ts'

/** The provider as its hooks see it: as configured, with the limits of the library's own fetch in place of the user's. */
export function hookProvider({ config }: OAuthSettings, send: typeof fetch): OAuthConfig {
  return { ...config, [customFetch]: send }
}
