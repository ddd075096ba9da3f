import type { Settings } from '../config/settings.ts'
import { clearCookie } from '../cookies/cookie.ts'
import { explainError } from '../errors/explanations.ts'
import { whenReady, type MaybePromise } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import { withParameter } from './shared/endings.ts'
import type { Visit } from '../http/visit.ts'
import { pageStatus } from '../pages/error-text.ts'
import type { SiteFeatures } from '../pages/library-feature.ts'
import type { ErrorPage, Page, PageProvider } from '../pages/page.ts'
import { provideCsrf } from '../http/csrf.ts'
import { takeName } from '../session/refused-name.ts'
import { provideFormToken } from './shared/check-csrf.ts'
import { limitHeaders } from '../http/respond.ts'
import { resolveCallbackUrl, resolveTarget } from './shared/resolve-callback-url.ts'
import type { World } from './engine/world.ts'
import { json, redirect, type Result, show } from './engine/result.ts'

/** Handles a request without a flow. */
export type Showing = (visit: Visit, world: World) => MaybePromise<Result>

/** Returns the CSRF token, with its cookie if it is new. Returns 404 if CSRF checks are disabled. */
export function showCsrf(visit: Visit, { settings }: World): MaybePromise<Result> {
  if (!settings.csrf) return { status: 404, cookies: [clearCookie(visit.cookieTable.csrfToken)] }
  return whenReady(provideCsrf(visit, settings), ({ token, cookies }) => ({
    ...json({ csrfToken: token }),
    cookies,
  }))
}

/** Returns id, name, type and URLs of every provider, by id. */
export function showProviders(visit: Visit, { settings }: World): Result {
  const body = Object.fromEntries(listProviders(visit, settings).map((each) => [each.id, each]))
  // Without a canonical origin, the URLs contain the host of this request.
  return { ...json(body), private: settings.canonicalOrigin === undefined }
}

function listProviders({ base }: Visit, { providers }: Settings) {
  // Published clients start every provider in this list by its id, which a feature does not support.
  const startable = [...providers.values()].filter(({ kind }) => kind !== 'feature')
  return startable.map(({ id, name, type }) => ({
    id,
    name,
    type,
    signinUrl: `${base}/signin/${id}`,
    callbackUrl: `${base}/callback/${id}`,
  }))
}

/** Shows the sign-in page, built-in or custom. A POST without a provider is redirected to it. */
export function showSignIn(visit: Visit, world: World): MaybePromise<Result> {
  const { settings } = world
  if (visit.method === 'POST') return redirect(`${visit.base}/signin`)
  const resolved = resolveCallbackUrl.run({ visit }, world)
  const own = settings.pages.signIn
  return whenReady(resolved, ({ callbackUrl }) =>
    own ? redirectToSignIn(own, visit, callbackUrl) : showForms(visit, callbackUrl, world),
  )
}

function redirectToSignIn(own: string, visit: Visit, callbackUrl: string): Result {
  const location = withParameter(own, visit, 'callbackUrl', callbackUrl)
  const error = visit.query.get('error')
  return redirect(error ? withParameter(location, visit, 'error', error) : location)
}

async function showForms(visit: Visit, callbackUrl: string, world: World): Promise<Result> {
  const error = visit.query.get('error') ?? undefined
  const kept = error === 'CredentialsSignin' ? await takeName(visit, world) : undefined
  const { settings } = world
  const listed = addForms(listForms(settings), visit, world)
  const page: Page = {
    page: 'signin',
    providers: listed instanceof Promise ? await listed : listed,
    origin: visit.origin,
    base: visit.base,
    csrfToken: await provideFormToken(visit, world),
    callbackUrl,
    error,
    code: visit.query.get('code') ?? undefined,
    email: visit.query.get('email') ?? undefined,
    refusedBy: kept?.refused?.provider,
    name: kept?.refused?.name,
  }
  return { ...show(page), cookies: kept?.cookies ?? [] }
}

/** Returns the providers as the sign-in page shows them. */
function listForms({ providers }: Settings): PageProvider[] {
  return [...providers.values()].map((provider) => ({
    id: provider.id,
    name: provider.name,
    kind: provider.kind,
    style: provider.kind === 'oauth' ? provider.style : {},
    credentials: provider.type === 'credentials' ? provider.config.credentials : undefined,
  }))
}

/** Only sites with such features load their pages. */
const loadFeaturePages = onceLoaded(() => import('../pages/feature-page.ts'))

/** Adds what features say about the forms, in the language of the page. */
function addForms(
  listed: readonly PageProvider[],
  visit: Visit,
  { settings, loadFeatures }: World,
): MaybePromise<readonly PageProvider[]> {
  return whenReady(loadFeatures?.(), (site) => {
    if (!site) return listed
    const optional = site.optional.filter(({ describeForm }) => describeForm)
    const isAdded = optional.length > 0 || site.features.some(({ signIn }) => signIn?.form)
    return isAdded ? describeForms(listed, { ...site, optional }, visit, settings) : listed
  })
}

async function describeForms(
  listed: readonly PageProvider[],
  { optional, hasRoute }: SiteFeatures,
  { request, base }: Visit,
  settings: Settings,
): Promise<readonly PageProvider[]> {
  const { describeProvider } = await loadFeaturePages()
  const accepted = request.headers.get('accept-language')
  const described = listed.map(async (each) => {
    const provider = settings.providers.get(each.id)
    const shown = { base, hasRoute }
    const added = provider && (await describeProvider(provider, optional, shown, settings, accepted))
    return { ...each, ...added }
  })
  return Promise.all(described)
}

/**
 * Shows the confirmation page before a sign-out. Remembers the callback URL of its link, for custom pages that ignore
 * it.
 */
export async function showSignOut(visit: Visit, world: World): Promise<Result> {
  const { settings } = world
  const own = settings.pages.signOut
  const isTold = visit.query.has('callbackUrl')
  const resolve = own ? resolveCallbackUrl : resolveTarget
  const callbackUrl = isTold ? (await resolve.run({ visit }, world)).callbackUrl : undefined
  if (own) return redirect(new URL(own, visit.origin).href)
  const csrfToken = await provideFormToken(visit, world)
  const action = `${visit.base}/signout`
  return show({ page: 'signout', origin: visit.origin, csrfToken, action, callbackUrl })
}

/** Shows the error page for the `error` in the query. */
export function showError(visit: Visit, { settings }: World): Result {
  const error = visit.query.get('error') ?? undefined
  const own = settings.pages.error
  if (own) {
    const location = new URL(own, visit.origin).href
    return redirect(error ? withParameter(own, visit, 'error', error) : location)
  }
  const type = visit.query.get('type') ?? error
  const page = {
    ...errorPage(visit, error),
    explanation: explainToDeveloper(type, settings),
    trace: findTrace(visit, settings),
  }
  return { ...show(page, pageStatus(page)), headers: limitHeaders({ retryAfter: readRetryAfter(visit) }) }
}

/** Reads the seconds that the redirect of an attempt over the rate limit put into the URL. */
function readRetryAfter({ query }: Visit): number | undefined {
  const seconds = query.get('error') === 'RateLimited' ? (query.get('retryAfter') ?? '') : ''
  return /^[1-9]\d{0,8}$/.test(seconds) ? Number(seconds) : undefined
}

/** Explains an error on its page in development: only text of the library, nothing from the error or the request. */
export function explainToDeveloper(
  type: string | undefined,
  { development }: Settings,
): ErrorPage['explanation'] {
  const explanation = development && type !== undefined ? explainError(type) : undefined
  return explanation && { ...explanation, type: type ?? '' }
}

/** Returns the run that led to the error, for developers of the site. */
function findTrace({ query }: Visit, { debug, tracer }: Settings): ErrorPage['trace'] {
  const id = query.get('trace')
  return debug && id !== null ? tracer?.find(id) : undefined
}

export function errorPage({ origin, base }: Pick<Visit, 'origin' | 'base'>, error?: string): ErrorPage {
  return { page: 'error', error, origin, signinUrl: `${base}/signin` }
}

export { showMailed as showVerifyRequest } from './email/mailed-page.ts'
export { showScript } from './shared/show-script.ts'
