import { Unreached } from './breach.ts'
import type { Around, Routes } from './browser.ts'
import { member } from './reply.ts'

/** Returns the routes of Auth.js under a base path. */
export function openWireRoutes({ basePath, idOf }: Pick<Around, 'basePath' | 'idOf'>): Routes {
  const at = (path: string) => `${basePath}/${path}`
  return {
    async csrfToken(browser) {
      const { json, status } = await browser.send(at('csrf'), { says: 'requests a CSRF token' })
      const token = member(json, 'csrfToken')
      if (typeof token !== 'string')
        throw new Unreached(`${at('csrf')} returned status ${status} and no token`)
      return token
    },
    async start(browser, provider, form) {
      const csrfToken = await browser.csrfToken()
      return browser.send(at(`signin/${idOf(provider)}`), {
        form: { csrfToken, ...form },
        says: `starts a sign-in at ${provider}`,
      })
    },
    async arrive(browser, { provider, parameters, mode }) {
      const path = at(`callback/${idOf(provider)}`)
      const says = `returns from ${provider}`
      if (mode === 'query') return browser.send(`${path}?${parameters}`, { says })
      const reply = await browser.send(path, { form: parameters, crossSite: true, says })
      // Browsers send Lax cookies with a GET, so applications may ask for one.
      const { pathname, search } = reply.location ?? { pathname: '', search: '' }
      if (pathname !== path) return reply
      return browser.send(`${path}${search}`, { says: 'follows the redirect to the same path' })
    },
    readSession: (browser) => browser.send(at('session'), { says: 'reads the session' }),
    async signOut(browser, form) {
      const csrfToken = await browser.csrfToken()
      return browser.send(at('signout'), { form: { csrfToken, ...form }, says: 'signs out' })
    },
  }
}
