import { clearChunked, hasCandidates } from '../../cookies/chunks.ts'
import { clearVariants } from '../../cookies/variants.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { whenReady } from '../../maybe-promise.ts'
import { step } from '../engine/step.ts'

/** Clears the session cookies, even if revoking fails, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  run({ visit }, { settings, out }) {
    const { sessionToken } = visit.cookieTable
    // Of several cookies, some may be of other applications: then the step that chooses among them clears ours.
    if (!hasCandidates(visit.cookies, sessionToken.name))
      out.setCookies(clearVariants(visit.cookies, sessionToken, visit.base))
    out.setCookies(clearChunked(visit.cookies, sessionToken))
    const changed = settings.csrf ? changeCsrf(visit, settings) : { cookies: [] }
    return whenReady(changed, ({ cookies }) => {
      out.setCookies(cookies)
      return { type: 'cookies.cleared' }
    })
  },
})
