import type { Check, OAuthSettings } from '../../config/settings.ts'
import { InvalidCheck, OAuthCallbackError } from '../../errors/classes.ts'
import { findAmbiguous, validateResponse } from '../../oauth/check-response.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { chooseMaxAge } from '../../oauth/choose-checks.ts'
import {
  allChecks,
  checkCookie,
  checkPurposes,
  nameTransaction,
  type SealedCheck,
  stateParameter,
} from './check-cookies.ts'
import type { Visit } from '../../http/visit.ts'
import { oauthContext } from '../shared/discover-server.ts'
import { isHeldBack, responseCookie } from './held-response.ts'
import { goesByProxy } from './sign-in.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/**
 * Reads the authorization response only from the configured place, query or form. If a form was repeated as a GET, it
 * is in a cookie. A redirect proxy forwards a form as a query.
 */
export const readResponse = step({
  needs: ['visit', 'provider'],
  says: { 'response.read': ['response'], 'response.ambiguous': ['failure'] },
  async run({ visit, provider }, world) {
    const isForm = provider.responseMode === 'form_post' && !goesByProxy(visit, provider)
    if (isForm && visit.method === 'GET') {
      const repeated = await responseCookie.open(visit, { provider: provider.id }, world)
      return { type: 'response.read', response: new URLSearchParams(repeated?.response) }
    }
    const response = isForm ? formParameters(visit.body) : visit.query
    const repeated = isForm ? visit.duplicates : findAmbiguous(response)
    if (repeated.length === 0) return { type: 'response.read', response }
    const failure = new InvalidCheck(`The response contains duplicate parameters: ${listNames(repeated)}`)
    return { type: 'response.ambiguous', failure }
  },
})

/** Lists only known names, because a log must not contain arbitrary names from a form. */
function listNames(names: readonly string[]): string {
  const plain = names.filter((name) => /^\w{1,40}$/.test(name)).slice(0, 10)
  return plain.length > 0 ? plain.join(', ') : 'unknown names'
}

function formParameters(body: Readonly<Record<string, unknown>>): URLSearchParams {
  const texts = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new URLSearchParams(texts)
}

/**
 * At a redirect proxy, the state names the host that a response is for. It is sealed with the secret that both share.
 * The secret alone does not decide who may get the code: an attacker can trick a preview into sealing any host (TX-20).
 */
export const openProxyState = step({
  needs: ['visit', 'provider', 'response'],
  says: {
    'hop.none': [],
    'hop.elsewhere': ['elsewhere'],
    'hop.forbidden': ['failure'],
    'state.unreadable': ['failure'],
  },
  run({ visit, provider, response }, world) {
    const state = response.get('state')
    if (provider.redirectProxy?.origin !== visit.origin || !state) return { type: 'hop.none' }
    return findHop(state, visit, provider, response, world)
  },
})

async function findHop(
  state: string,
  visit: Visit,
  provider: OAuthSettings,
  response: URLSearchParams,
  world: World,
) {
  const opened = await stateParameter.open(state, {}, world)
  if (!opened.content) {
    const failure = new InvalidCheck(
      `State could not be decoded: ${opened.refused}. The redirect proxy and the deployment that started the sign-in need the same AUTH_SECRET`,
      { provider: provider.id },
    )
    return { type: 'state.unreadable', failure } as const
  }
  const { origin: callbackUrl } = opened.content
  if (callbackUrl === undefined) return { type: 'hop.none' } as const
  const { origin, pathname } = new URL(callbackUrl)
  if (origin === visit.origin) return { type: 'hop.none' } as const
  // Each provider has its own callback, so that no provider gets the code of another (RFC 9700 4.4.2.2).
  if (!pathname.endsWith(`/callback/${provider.id}`))
    return { type: 'hop.forbidden', failure: refuseOther(provider) } as const
  const allowed = await world.settings.mayForward(origin)
  return allowed
    ? ({ type: 'hop.elsewhere', elsewhere: `${callbackUrl}?${response.toString()}` } as const)
    : ({ type: 'hop.forbidden', failure: refuseToForward(origin, provider) } as const)
}

function refuseOther({ id }: OAuthSettings): InvalidCheck {
  return new InvalidCheck('The state belongs to a sign-in with another provider', { provider: id })
}

function refuseToForward(origin: string, { id }: OAuthSettings): InvalidCheck {
  return new InvalidCheck(
    `The redirect proxy does not forward to ${origin}. If this is one of your deployments, add it to \`redirectProxy.allow\``,
    { provider: id },
  )
}

/**
 * Opens the check cookies. All checks of the sign-in must be present: the configured ones, and those listed in each
 * sealed check. Other check cookies belong to other sign-ins and are ignored.
 */
export const openChecks = step({
  needs: ['visit', 'provider', 'response'],
  says: {
    'checks.opened': ['checks', 'transaction'],
    'session.withheld': [],
    'check.missing': ['failure', 'transaction'],
    'check.invalid': ['failure', 'transaction'],
  },
  async run({ visit, provider, response }, world) {
    const sent = world.settings.parallelSignIns ? response.get('state') : null
    const transaction = sent ? await nameTransaction(sent) : ''
    const opened: Partial<Record<Check, SealedCheck | undefined>> = {}
    for (const check of allChecks)
      opened[check] = await checkCookie(check, transaction, provider).open(
        visit,
        { provider: provider.id },
        world,
      )
    const judged = checkChecks(opened, transaction, visit, provider, response)
    if (judged.type !== 'check.missing') return judged
    const origin = await findOtherHost(visit, response, world)
    return origin === undefined ? judged : { ...judged, failure: refuseForOther(origin, provider) }
  },
})

/** Returns the host that started the sign-in, if it is another one with the same secret. */
async function findOtherHost(
  visit: Visit,
  response: URLSearchParams,
  world: World,
): Promise<string | undefined> {
  const state = response.get('state')
  const { content } = state ? await stateParameter.open(state, {}, world) : {}
  if (content?.origin === undefined) return undefined
  const { origin } = new URL(content.origin)
  return origin === visit.origin ? undefined : origin
}

function refuseForOther(origin: string, { id }: OAuthSettings): InvalidCheck {
  return new InvalidCheck(
    `The response belongs to a sign-in that started at ${origin}. To forward it, set \`AUTH_REDIRECT_PROXY_URL\` and \`redirectProxy.allow\` on this host, too`,
    { provider: id },
  )
}

function checkChecks(
  opened: Partial<Record<Check, SealedCheck | undefined>>,
  transaction: string,
  visit: Visit,
  provider: OAuthSettings,
  response: URLSearchParams,
) {
  const demanded = demandedChecks(provider, Object.values(opened))
  const lacking = demanded.find((check) => !opened[check])
  if (lacking !== undefined)
    return checkCookie(lacking, transaction, provider).isSent(visit)
      ? ({ type: 'check.invalid', failure: refuse(lacking, 'could not be parsed'), transaction } as const)
      : ({ type: 'check.missing', failure: refuse(lacking, 'is missing'), transaction } as const)
  const valueOf = (check: Check) => (demanded.includes(check) ? opened[check]?.value : undefined)
  const checks = {
    state: valueOf('state'),
    codeVerifier: valueOf('pkce'),
    nonce: valueOf('nonce'),
    startedBy: agreedUser(demanded.map((check) => opened[check]?.user)),
    isLink: demanded.some((check) => opened[check]?.isLink),
    maxAge: findSmallest([chooseMaxAge(provider), ...demanded.map((check) => opened[check]?.maxAge)]),
    scope: demanded.map((check) => opened[check]?.scope).find((scope) => scope !== undefined),
  }
  if (checks.startedBy !== undefined && isHeldBack(visit, response))
    return { type: 'session.withheld' } as const
  return { type: 'checks.opened', checks, transaction } as const
}

/** Keeps a posted response in a cookie, for a GET with the cookies that browsers do not send with a cross-site POST. */
export const repeatResponse = step({
  needs: ['visit', 'provider', 'response'],
  says: { 'response.held': ['elsewhere'] },
  async run({ visit, provider, response }, world) {
    const content = { provider: provider.id, response: response.toString() }
    world.out.setCookies(await responseCookie.write(content, visit, world))
    return { type: 'response.held', elsewhere: `${visit.base}/callback/${provider.id}` }
  },
})

function demandedChecks(
  { checks, checksDisabled }: OAuthSettings,
  opened: readonly (SealedCheck | undefined)[],
): readonly Check[] {
  if (checksDisabled) return []
  // If none is configured, state was added (decision 6).
  const configured: readonly string[] = checks.length > 0 ? checks : ['state']
  const listed = opened.flatMap((sealed) => sealed?.checks ?? [])
  return allChecks.filter((check) => configured.includes(check) || listed.includes(check))
}

function refuse(check: Check, why: string): InvalidCheck {
  return new InvalidCheck(`${checkPurposes[check]} value ${why}`)
}

/** The checks may come from several sign-ins. */
function findSmallest(ages: readonly (number | undefined)[]): number | undefined {
  const known = ages.filter((age) => age !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** Returns the user who was signed in at the start, if all checks agree. */
function agreedUser(users: readonly (string | undefined)[]): string | undefined {
  const [first] = users
  return users.every((user) => user === first) ? first : undefined
}

/** Validates state and issuer, then whether the provider declined, then whether there is a code. */
export const checkResponse = step({
  needs: ['provider', 'server', 'response', 'checks'],
  says: {
    'code.received': ['judgedResponse'],
    'state.mismatched': ['failure'],
    'issuer.mismatched': ['failure'],
    'response.malformed': ['failure'],
    'authorization.declined': ['failure'],
  },
  run({ provider, server, response, checks }, world) {
    const judged = validateResponse(provider, server, response, checks.state, oauthContext(world))
    if (!hasFailed(judged)) return { type: 'code.received', judgedResponse: judged.response }
    const { reason, error, code } = judged.failed
    const refusal = { provider: provider.id }
    const failure =
      reason === 'authorization.declined'
        ? new OAuthCallbackError(error, { ...refusal, code })
        : new InvalidCheck(error, refusal)
    return { type: reason, failure }
  },
})
