import type { Check, OAuthSettings } from '../config/settings.ts'
import { allReady, whenReady } from '../crypto/maybe-promise.ts'
import { InvalidCheck, OAuthCallbackError } from '../errors.ts'
import { findAmbiguous, judgeResponse as judge } from '../oauth/judge-response.ts'
import { hasFailed } from '../oauth/failure.ts'
import {
  allChecks,
  checkPurposes,
  holdsCheck,
  openCheck,
  type SealedCheck,
} from '../session/check-cookies.ts'
import { nameTransaction } from '../session/transaction.ts'
import type { Visit } from '../http/visit.ts'
import { oauthContext } from './oauth-context.ts'
import { stateSalt } from './sign-in.ts'
import { step } from './step.ts'

/** Reads the authorization response from where the provider was asked to put it, and from nowhere else. */
export const readResponse = step({
  needs: ['visit', 'provider'],
  says: { 'response.read': ['response'], 'response.ambiguous': ['failure'] },
  run({ visit, provider }) {
    const isForm = provider.responseMode === 'form_post'
    const response = isForm ? formParameters(visit.body) : visit.query
    const repeated = isForm ? visit.duplicates : findAmbiguous(response)
    if (repeated.length === 0) return { type: 'response.read', response }
    const failure = new InvalidCheck(`Parameters of the response came twice: ${repeated.join(', ')}`)
    return { type: 'response.ambiguous', failure }
  },
})

function formParameters(body: Readonly<Record<string, unknown>>): URLSearchParams {
  const texts = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new URLSearchParams(texts)
}

/**
 * At a redirect proxy: the state tells for which host an answer is, and was sealed with the secret that both share. The
 * secret alone does not say who may get the code: any preview can seal a host that it was tricked into (TX-20).
 */
export const openProxyState = step({
  needs: ['visit', 'provider', 'response'],
  says: {
    'hop.none': [],
    'hop.elsewhere': ['elsewhere'],
    'hop.forbidden': ['failure'],
    'state.unreadable': ['failure'],
  },
  run({ visit, provider, response }, { keys, platform, settings }) {
    const state = response.get('state')
    if (provider.redirectProxy?.origin !== visit.origin || !state) return { type: 'hop.none' }
    return whenReady(keys.open(state, { salt: stateSalt, now: platform.now() }), (opened) => {
      if (!('claims' in opened)) {
        const failure = new InvalidCheck(
          `State could not be decoded: ${opened.refused}. The redirect proxy and the deployment that started the sign-in need the same AUTH_SECRET`,
          { provider: provider.id },
        )
        return { type: 'state.unreadable', failure }
      }
      const { origin: callbackUrl } = opened.claims
      if (typeof callbackUrl !== 'string') return { type: 'hop.none' }
      const { origin } = new URL(callbackUrl)
      if (origin === visit.origin) return { type: 'hop.none' }
      return whenReady(settings.mayForward(origin), (allowed) =>
        allowed
          ? { type: 'hop.elsewhere', elsewhere: `${callbackUrl}?${response.toString()}` }
          : { type: 'hop.forbidden', failure: refuseToForward(origin, provider) },
      )
    })
  },
})

function refuseToForward(origin: string, { id }: OAuthSettings): InvalidCheck {
  return new InvalidCheck(
    `The redirect proxy does not forward to ${origin}. If that is a deployment of yours, add it to redirectProxy.allow`,
    { provider: id },
  )
}

/**
 * Opens the check cookies. All checks of the sign-in have to be there: the configured ones, and those that each of
 * them says were minted with it. Any other cookie was left behind by another sign-in, and counts for nothing.
 */
export const openChecks = step({
  needs: ['visit', 'provider', 'response'],
  says: {
    'checks.opened': ['checks', 'transaction'],
    'check.missing': ['failure', 'transaction'],
    'check.invalid': ['failure', 'transaction'],
  },
  run({ visit, provider, response }, { settings, keys, platform }) {
    const sent = settings.parallelSignIns ? response.get('state') : null
    return whenReady(sent ? nameTransaction(sent) : '', (transaction) => {
      const open = (check: Check) => openCheck(check, transaction, visit, provider.id, keys, platform.now())
      return whenReady(allReady(allChecks.map(open)), (opened) =>
        judgeChecks(opened, transaction, visit, provider),
      )
    })
  },
})

function judgeChecks(
  [state, pkce, nonce]: readonly (SealedCheck | undefined)[],
  transaction: string,
  visit: Visit,
  provider: OAuthSettings,
) {
  const opened: Partial<Record<Check, SealedCheck>> = { state, pkce, nonce }
  const demanded = demandedChecks(provider, Object.values(opened))
  const lacking = demanded.find((check) => !opened[check])
  if (lacking !== undefined)
    return holdsCheck(lacking, transaction, visit)
      ? ({ type: 'check.invalid', failure: refuse(lacking, 'could not be parsed'), transaction } as const)
      : ({ type: 'check.missing', failure: refuse(lacking, 'is missing'), transaction } as const)
  const valueOf = (check: Check) => (demanded.includes(check) ? opened[check]?.value : undefined)
  const checks = {
    state: valueOf('state'),
    codeVerifier: valueOf('pkce'),
    nonce: valueOf('nonce'),
    startedBy: agreedUser(demanded.map((check) => opened[check]?.user)),
  }
  return { type: 'checks.opened', checks, transaction } as const
}

function demandedChecks(
  { checks, checksDisabled }: OAuthSettings,
  opened: readonly (SealedCheck | undefined)[],
): readonly Check[] {
  if (checksDisabled) return []
  // Where none is configured, state was added (decision 6).
  const configured: readonly string[] = checks.length > 0 ? checks : ['state']
  const listed = opened.flatMap((sealed) => sealed?.checks ?? [])
  return allChecks.filter((check) => configured.includes(check) || listed.includes(check))
}

function refuse(check: Check, why: string): InvalidCheck {
  return new InvalidCheck(`${checkPurposes[check]} value ${why}`)
}

/** Who was signed in at the start, if all checks say the same. */
function agreedUser(users: readonly (string | undefined)[]): string | undefined {
  const [first] = users
  return users.every((user) => user === first) ? first : undefined
}

/** Judges state and issuer, then whether the provider declined, then whether there is a code. */
export const judgeResponse = step({
  needs: ['provider', 'server', 'response', 'checks'],
  says: {
    'code.received': ['judgedResponse'],
    'state.mismatched': ['failure'],
    'issuer.mismatched': ['failure'],
    'response.malformed': ['failure'],
    'authorization.declined': ['failure'],
  },
  run({ provider, server, response, checks }, world) {
    const judged = judge(provider, server, response, checks.state, oauthContext(world))
    if (!hasFailed(judged)) return { type: 'code.received', judgedResponse: judged.response }
    const { reason, error, code } = judged.failed
    const failure = new InvalidCheck(error, { provider: provider.id })
    switch (reason) {
      case 'denied':
        return {
          type: 'authorization.declined',
          failure: new OAuthCallbackError(error, { provider: provider.id, code }),
        }
      case 'state-mismatched':
        return { type: 'state.mismatched', failure }
      case 'issuer-mismatched':
        return { type: 'issuer.mismatched', failure }
      default:
        return { type: 'response.malformed', failure }
    }
  },
})
