import { clearChunked } from '../../cookies/chunks.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { step } from '../engine/step.ts'

/** Clears the session cookies, even if revoking fails, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  async run({ visit }, { settings, out }) {
    out.setCookies(clearChunked(visit.cookies, visit.cookieTable.sessionToken))
    if (settings.csrf) out.setCookies((await changeCsrf(visit, settings)).cookies)
    return { type: 'cookies.cleared' }
  },
})
