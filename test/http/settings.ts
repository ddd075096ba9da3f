import { systemPlatform } from '../../src/platform/clock.ts'
import type { Settings } from '../../src/config/settings.ts'
import { createCookieTable } from '../../src/cookies/cookie-table.ts'

/** The settings that the HTTP layer reads. */
export function httpSettings(given: Partial<Settings> = {}): Settings {
  const settings: Partial<Settings> = {
    basePath: '/auth',
    platform: systemPlatform,
    cookies: { secure: createCookieTable(undefined, true), plain: createCookieTable(undefined, false) },
    ...given,
  }
  return settings as Settings
}
