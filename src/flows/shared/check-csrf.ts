import { whenReady } from '../../async/maybe-promise.ts'
import { MissingCSRF } from '../../errors/classes.ts'
import { matchesCsrf, provideCsrf, readHeldCsrf } from '../../http/csrf.ts'
import type { Visit } from '../../http/visit.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** Compares the token in the form with the one in the cookie (double submit). GET requests need no token. */
export const checkCsrf = step({
  needs: ['visit'],
  says: { 'csrf.accepted': [], 'csrf.mismatched': ['failure'] },
  run({ visit }, { settings }) {
    if (!settings.csrf || visit.method === 'GET') return { type: 'csrf.accepted' }
    return whenReady(readHeldCsrf(visit, settings), (token) =>
      token !== undefined && matchesCsrf(token, visit.body.csrfToken)
        ? { type: 'csrf.accepted' }
        : {
            type: 'csrf.mismatched',
            failure: new MissingCSRF('The CSRF token is missing or does not match the cookie'),
          },
    )
  },
})

/** Returns the token for a form, and sets its cookie if it is new. Returns undefined if CSRF checks are disabled. */
export async function provideFormToken(visit: Visit, { settings, out }: World): Promise<string | undefined> {
  if (!settings.csrf) return undefined
  const { token, cookies } = await provideCsrf(visit, settings)
  out.setCookies(cookies)
  return token
}
