import type { Settings } from '../../src/config/settings.ts'
import { createCookieTable } from '../../src/cookies/cookie-table.ts'

/** As much of the settings as the border of HTTP looks at. */
export function httpSettings(given: Partial<Settings> = {}): Settings {
  const settings: Partial<Settings> = {
    basePath: '/auth',
    cookies: { secure: createCookieTable(undefined, true), plain: createCookieTable(undefined, false) },
    ...given,
  }
  return settings as Settings
}
