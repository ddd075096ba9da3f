import { clearChunked } from '../cookies/chunks.ts'
import { whenReady } from '../crypto/maybe-promise.ts'
import { changeCsrf } from '../session/csrf-cookie.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/** Takes the session cookies back, whatever becomes of the session, and changes the CSRF token. */
export const clearSessionCookies = step({
  needs: ['visit'],
  says: { 'cookies.cleared': [] },
  run({ visit }, { settings, out }) {
    out.setCookies(clearChunked(visit.cookies, visit.cookieTable.sessionToken))
    if (!settings.csrf) return { type: 'cookies.cleared' }
    return whenReady(changeCsrf(visit, settings), ({ cookies }) => {
      out.setCookies(cookies)
      return { type: 'cookies.cleared' }
    })
  },
})

/** Takes the session out of the store. */
export const revokeSession = step({
  needs: ['heldCookie'],
  says: { 'session.revoked': ['revoked'] },
  async run({ heldCookie }, world) {
    const session = (await demandStore(world).deleteSession(heldCookie)) ?? null
    return { type: 'session.revoked', revoked: { session } }
  },
})
