import { asError } from '../../errors/as-error.ts'
import { clearCookie, type CookieChange, forFormPost } from '../../cookies/cookie.ts'
import type { OAuthSettings, Settings } from '../../config/settings.ts'
import { CallbackRouteError, InvalidCallbackUrl } from '../../errors/classes.ts'
import {
  type Asked,
  askedFor,
  defaultRedirect,
  isOfOrigin,
  parseCallbackUrl,
  remembered,
} from '../../http/callback-url.ts'
import type { Visit } from '../../http/visit.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** An invalid callback URL is ignored and logged, and its cookie is cleared (decision 31). */
function readTarget(
  asked: Asked | undefined,
  visit: Visit,
  { settings, logger, out }: World,
): string | undefined {
  const target = parseCallbackUrl(asked?.value, visit.origin)
  if (target !== undefined) return skipSignInPage(target, visit, settings)
  if (asked === undefined) return undefined
  logger.error(
    new InvalidCallbackUrl(`The callback URL in the ${asked.by} is neither a path nor an http(s) URL`),
  )
  if (asked.by === 'cookie') out.setCookies([clearCookie(visit.cookieTable.callbackUrl)])
  return undefined
}

/**
 * The browser client and the integrations return to the current page by default. On a custom sign-in page, this means
 * the callback URL in the query of the page.
 */
function skipSignInPage(target: string, { origin }: Visit, { pages }: Settings): string {
  if (pages.signIn === undefined || !target.includes('callbackUrl=')) return target
  const page = new URL(pages.signIn, origin)
  const current = new URL(target)
  if (current.origin !== page.origin || current.pathname !== page.pathname) return target
  return parseCallbackUrl(current.searchParams.get('callbackUrl'), origin) ?? target
}

/** Keeps the browser on this site, unless the redirect callback decides otherwise. */
export async function chooseTarget(url: string, visit: Visit, world: World): Promise<string> {
  if (world.settings.callbacks.redirect) return askRedirect(url, visit, world)
  return isOfOrigin(url, visit.origin) ? url : visit.origin
}

/** Calls the redirect callback once. If it throws, or does not return an http(s) URL, the origin is used. */
async function askRedirect(url: string, { origin }: Visit, { settings, logger }: World): Promise<string> {
  const { redirect = defaultRedirect } = settings.callbacks
  try {
    const answer: unknown = await redirect({ url, baseUrl: origin })
    // A callback without a return statement must not lead to `/undefined`.
    const target = typeof answer === 'string' || answer instanceof URL ? new URL(answer, origin) : undefined
    if (target?.protocol === 'https:' || target?.protocol === 'http:') return target.href
    logger.error(new CallbackRouteError('The redirect callback must return an http(s) URL'))
  } catch (error) {
    logger.error(new CallbackRouteError('The redirect callback threw an error', { err: asError(error) }))
  }
  return origin
}

function remember(url: string, visit: Visit, provider: OAuthSettings | undefined): CookieChange[] {
  const cookie = visit.cookieTable.callbackUrl
  // A request does not show the attributes of its cookies, so those of a cross-site POST are always set.
  if (provider?.responseMode === 'form_post')
    return [{ name: cookie.name, value: url, options: forFormPost(cookie) }]
  return visit.cookies.getAll(cookie.name).at(-1) === url
    ? []
    : [{ name: cookie.name, value: url, options: cookie.options }]
}

function resolve(source: typeof askedFor, remembers: boolean) {
  return step({
    needs: ['visit'],
    may: ['provider'],
    says: { 'callback-url.resolved': ['callbackUrl'] },
    async run({ visit, provider }, world) {
      const target = readTarget(source(visit), visit, world)
      const callbackUrl = await chooseTarget(target ?? visit.origin, visit, world)
      if (remembers) world.out.setCookies(remember(callbackUrl, visit, provider))
      return { type: 'callback-url.resolved', callbackUrl }
    },
  })
}

/** Determines where to go after the sign-in, and stores it in a cookie until the provider responds. */
export const resolveCallbackUrl = resolve(askedFor, true)

/** Determines where to go now, without storing it. */
export const resolveTarget = resolve(askedFor, false)

/** Determines where to go from the cookie only, because the provider controls this request. */
export const resolveRemembered = resolve(remembered, false)
