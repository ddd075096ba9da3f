import { clearChunked } from '../../cookies/chunks.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { whenReady } from '../../maybe-promise.ts'
import { step } from '../engine/step.ts'

/** Clears the session cookies, even if revoking fails, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  run({ visit }, { settings, out }) {
    out.setCookies(clearChunked(visit.cookies, visit.cookieTable.sessionToken))
    const changed = settings.csrf ? changeCsrf(visit, settings) : { cookies: [] }
    return whenReady(changed, ({ cookies }) => {
      out.setCookies(cookies)
      return { type: 'cookies.cleared' }
    })
  },
})
