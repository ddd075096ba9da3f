import type { OAuthSettings } from '../config/settings.ts'
import { allReady, whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { InvalidConfig, InvalidEndpoints } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import { buildAuthorizationUrl as writeUrl } from '../oauth/authorization-url.ts'
import { effectiveChecks, mintChecks as mintValues } from '../oauth/checks.ts'
import { discoverServer as discover } from '../oauth/discover-server.ts'
import { hasFailed } from '../oauth/failure.ts'
import { checkMaxAge, clearChecks, sealCheck } from '../session/check-cookies.ts'
import { randomText } from '../crypto/random.ts'
import { oauthContext } from './oauth-context.ts'
import { findSurplus, nameTransaction } from '../session/transaction.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Salt of the state that goes over the wire. */
export const stateSalt = 'encodedState'

/** Finds the provider's endpoints, in the configuration or by discovery. */
function discoverFor(need: 'authorization' | 'token') {
  return step({
    needs: ['provider'],
    says: { 'server.discovered': ['server'], 'server.unusable': ['failure'] },
    run: ({ provider }, world) =>
      whenReady(discover(provider, need, oauthContext(world)), (found) => {
        if (!hasFailed(found)) return { type: 'server.discovered', server: found.server }
        return { type: 'server.unusable', failure: new InvalidEndpoints(found.failed.error) }
      }),
  })
}

export const discoverAuthorizationServer = discoverFor('authorization')
export const discoverTokenServer = discoverFor('token')

/** Where the provider sends the browser back to: here, or to the redirect proxy. */
export function redirectUriOf(visit: Visit, provider: OAuthSettings): string {
  const own = `${visit.base}/callback/${provider.id}`
  return goesByProxy(visit, provider) ? (provider.redirectProxy?.callbackUrl ?? own) : own
}

function goesByProxy(visit: Visit, provider: OAuthSettings): boolean {
  return provider.redirectProxy !== undefined && provider.redirectProxy.origin !== visit.origin
}

/** Makes state, code verifier and nonce, and seals each into a cookie that only this provider's callback opens. */
export const mintChecks = step({
  needs: ['visit', 'provider', 'server'],
  may: ['currentUser'],
  says: { 'checks.minted': ['checks'] },
  run({ visit, provider, server, currentUser }, world) {
    const viaProxy = goesByProxy(visit, provider)
    const { parallelSignIns } = world.settings
    const wanted = effectiveChecks(provider, server, viaProxy || parallelSignIns)
    if (viaProxy && !wanted.includes('state'))
      throw new InvalidConfig('A redirect proxy needs the state check, and checks has "none"')
    const values = mintValues(wanted, world.platform)
    const startedBy = currentUser && mayLink(visit, world) ? String(currentUser.id) : undefined
    return whenReady(values.state && sealState(visit, provider, world), (state) => {
      const checks = { ...values, state }
      const byCheck = { state, pkce: checks.codeVerifier, nonce: checks.nonce }
      const sealAll = (transaction: string) =>
        allReady(
          wanted.map((check) => {
            const value = byCheck[check] ?? ''
            const sealed = { value, provider: provider.id, checks: wanted, user: startedBy }
            return sealCheck(check, sealed, transaction, visit, provider, world.keys, world.platform.now())
          }),
        )
      return whenReady(parallelSignIns && state ? nameTransaction(state) : '', (transaction) =>
        whenReady(sealAll(transaction), (cookies) => {
          const surplus = parallelSignIns ? findSurplus(visit) : []
          world.out.setCookies([...surplus.flatMap((each) => clearChecks(visit, each)), ...cookies.flat()])
          return { type: 'checks.minted', checks: { ...checks, startedBy } }
        }),
      )
    })
  },
})

/** May the sign-in link an identity to who is signed in? With `accountLinking: 'explicit'`, the form has to ask for it. */
function mayLink({ body }: Visit, { settings }: World): boolean {
  return settings.accountLinking === 'session' || body.link === 'true' || body.link === true
}

/** The state is sealed itself, so that a redirect proxy can tell for whom an answer is. */
function sealState(visit: Visit, provider: OAuthSettings, world: World): MaybePromise<string> {
  const { keys, platform } = world
  const origin = goesByProxy(visit, provider) ? `${visit.base}/callback/${provider.id}` : undefined
  const claims = { origin, random: randomText(platform.randomBytes) }
  return keys.seal(claims, { salt: stateSalt, maxAge: checkMaxAge, now: platform.now() })
}

/** Writes the authorization request; what the sign-in request may not set is ignored, and logged. */
export const buildAuthorizationUrl = step({
  needs: ['visit', 'provider', 'server', 'checks'],
  says: { 'authorization-url.built': ['authorizationUrl'] },
  run({ visit, provider, server, checks }, { logger }) {
    const parameters = new URLSearchParams(visit.query)
    parameters.delete('callbackUrl')
    const redirectUri = redirectUriOf(visit, provider)
    return whenReady(writeUrl(provider, server, { redirectUri, checks, parameters }), (built) => {
      if (hasFailed(built)) throw built.failed.error
      if (built.ignored.length > 0) logger.warn('ignored-parameter')
      return { type: 'authorization-url.built', authorizationUrl: built.url }
    })
  },
})
