import { clearChunked } from '../../cookies/chunks.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { step } from '../engine/step.ts'
import { clearFormerCookies } from './several-cookies.ts'

/** Clears the session cookies, even if revoking fails, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  async run({ visit }, world) {
    const { settings, out } = world
    const cleared = clearChunked(visit.cookies, visit.cookieTable.sessionToken)
    out.setCookies(cleared)
    const { cookies } = settings.csrf ? await changeCsrf(visit, settings) : { cookies: [] }
    out.setCookies([...(await clearFormerCookies(visit, world)), ...cleared, ...cookies])
    return { type: 'cookies.cleared' }
  },
})
