import type { CookieTable } from '../config/settings.ts'
import type { CookieSerializeOptions } from '../types/config.ts'

/**
 * Options of a cookie that has to come along with a provider's cross-site POST (`response_mode=form_post`); the
 * user's own options stay as they are.
 */
export function forFormPost(cookie: CookieTable[keyof CookieTable]): CookieSerializeOptions {
  return cookie.overridden ? cookie.options : { ...cookie.options, sameSite: 'none', secure: true }
}
