import { whenReady } from '../crypto/maybe-promise.ts'
import { MissingCSRF } from '../errors.ts'
import { matchesCsrf, readCsrf } from '../http/csrf.ts'
import { step } from './step.ts'

/** Compares the token of the form with that of the cookie (double submit). Reading needs no proof. */
export const checkCsrf = step({
  needs: ['visit'],
  says: { 'csrf.verified': [], 'csrf.unneeded': [], 'csrf.mismatched': ['failure'] },
  run({ visit }, { settings }) {
    if (!settings.csrf || visit.method === 'GET') return { type: 'csrf.unneeded' }
    const cookie = visit.cookies.get(visit.cookieTable.csrfToken.name)
    return whenReady(readCsrf(cookie, settings.secrets), (token) =>
      token !== undefined && matchesCsrf(token, visit.body.csrfToken)
        ? { type: 'csrf.verified' }
        : {
            type: 'csrf.mismatched',
            failure: new MissingCSRF('The CSRF token is missing or does not match'),
          },
    )
  },
})
