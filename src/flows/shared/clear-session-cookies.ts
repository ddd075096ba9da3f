import { clearChunked } from '../../cookies/chunks.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { whenReady } from '../../async/maybe-promise.ts'
import { step } from '../engine/step.ts'
import { findFormerCookies } from './recognition.ts'

/** Clears the session cookies, even if revoking fails, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  run({ visit }, world) {
    const { settings, out } = world
    const cleared = clearChunked(visit.cookies, visit.cookieTable.sessionToken)
    out.setCookies(cleared)
    const changed = settings.csrf ? changeCsrf(visit, settings) : { cookies: [] }
    return whenReady(changed, ({ cookies }) =>
      whenReady(findFormerCookies(visit, world), (former) => {
        out.setCookies([...former, ...cleared, ...cookies])
        return { type: 'cookies.cleared' }
      }),
    )
  },
})
