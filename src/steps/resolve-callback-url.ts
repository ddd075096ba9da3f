import { asError } from '../as-error.ts'
import type { CookieChange } from '../cookies/cookie-change.ts'
import { clearCookie } from '../cookies/cookie-change.ts'
import { forFormPost } from '../cookies/form-post.ts'
import type { OAuthSettings } from '../config/settings.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { CallbackRouteError, InvalidCallbackUrl } from '../errors.ts'
import { defaultRedirect, parseCallbackUrl } from '../http/callback-url.ts'
import type { Visit } from '../http/visit.ts'
import type { CallbacksOptions } from '../types/config.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

/** Where the client wants to go: told by the request, else by the cookie, else nowhere in particular. */
function askedFor(visit: Visit): { readonly value: unknown; readonly by: 'request' | 'cookie' } | undefined {
  const told = visit.body.callbackUrl ?? visit.query.get('callbackUrl') ?? undefined
  return told === undefined ? remembered(visit) : { value: told, by: 'request' }
}

function remembered(visit: Visit): { readonly value: unknown; readonly by: 'cookie' } | undefined {
  const value = visit.cookies.get(visit.cookieTable.callbackUrl.name)
  return value ? { value, by: 'cookie' } : undefined
}

/** One that does not parse counts as absent, is logged, and its cookie is cleared (decision 31). */
function readTarget(
  asked: ReturnType<typeof askedFor>,
  visit: Visit,
  { logger, out }: World,
): string | undefined {
  const target = parseCallbackUrl(asked?.value, visit.origin)
  if (asked === undefined || target !== undefined) return target
  logger.error(new InvalidCallbackUrl(`The callback URL of the ${asked.by} is no http(s) URL or path`))
  if (asked.by === 'cookie') out.setCookies([clearCookie(visit.cookieTable.callbackUrl)])
  return undefined
}

/** Lets the redirect callback see the target once; if it throws, or answers no http(s) URL, it is the origin. */
function judge(url: string, { origin }: Visit, world: World): MaybePromise<string> {
  const { redirect } = world.settings.callbacks
  if (!redirect) return defaultRedirect({ url, baseUrl: origin })
  return askCallback(redirect, url, origin, world)
}

async function askCallback(
  redirect: CallbacksOptions['redirect'],
  url: string,
  origin: string,
  { logger }: World,
): Promise<string> {
  try {
    const target = new URL(await redirect({ url, baseUrl: origin }), origin)
    if (target.protocol === 'https:' || target.protocol === 'http:') return target.href
    logger.error(new CallbackRouteError('The redirect callback answered a URL that is not http(s)'))
  } catch (error) {
    logger.error(new CallbackRouteError('The redirect callback failed', { err: asError(error) }))
  }
  return origin
}

function remember(url: string, visit: Visit, provider: OAuthSettings | undefined): CookieChange[] {
  const cookie = visit.cookieTable.callbackUrl
  if (visit.cookies.get(cookie.name) === url) return []
  const options = provider?.responseMode === 'form_post' ? forFormPost(cookie) : cookie.options
  return [{ name: cookie.name, value: url, options }]
}

function resolve(source: typeof askedFor, remembers: boolean) {
  return step({
    needs: ['visit'],
    may: ['provider'],
    says: { 'callback-url.resolved': ['callbackUrl'] },
    run({ visit, provider }, world) {
      const target = readTarget(source(visit), visit, world)
      const done = (callbackUrl: string) => {
        if (remembers) world.out.setCookies(remember(callbackUrl, visit, provider))
        return { type: 'callback-url.resolved', callbackUrl } as const
      }
      return target === undefined ? done(visit.origin) : whenReady(judge(target, visit, world), done)
    },
  })
}

/** Reads where to go after a sign-in, and remembers it in a cookie until the provider has answered. */
export const resolveCallbackUrl = resolve(askedFor, true)

/** Reads where to go now; nothing is remembered. */
export const resolveTarget = resolve(askedFor, false)

/** Reads where the browser wanted to go when it was sent away; the request itself is the provider's to write. */
export const resolveRemembered = resolve(remembered, false)
