import type { Settings, WebAuthnSettings } from '../config/settings.ts'
import { clearCookie, type CookieChange } from '../cookies/cookie-change.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { withParameter } from '../flows/endings.ts'
import type { Visit } from '../http/visit.ts'
import { pageStatus } from '../pages/error-text.ts'
import type { ErrorPage, Page, PageProvider } from '../pages/page.ts'
import { provideCsrf } from '../session/csrf-cookie.ts'
import { resolveCallbackUrl, resolveTarget } from '../steps/resolve-callback-url.ts'
import type { World } from '../steps/world.ts'
import { version } from '../version.ts'

/** What is shown without a flow: JSON, a page, a redirect to the user's own page, or nothing. */
export type Shown = (
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly isPrivate: boolean }
  | { readonly kind: 'page'; readonly status: number; readonly page: Page }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'empty'; readonly status: number }
) & { readonly cookies?: readonly CookieChange[] }

export type Showing = (visit: Visit, world: World) => MaybePromise<Shown>

/** The CSRF token, with its cookie when it is new. Where nobody checks it, there is none. */
export function showCsrf(visit: Visit, { settings }: World): MaybePromise<Shown> {
  if (!settings.csrf)
    return { kind: 'empty', status: 404, cookies: [clearCookie(visit.cookieTable.csrfToken)] }
  return whenReady(provideCsrf(visit, settings), ({ token, cookies }) => ({
    kind: 'json',
    status: 200,
    body: { csrfToken: token },
    isPrivate: true,
    cookies,
  }))
}

/** Id, name, type and URLs of every provider, by id. */
export function showProviders(visit: Visit, { settings }: World): Shown {
  const body = Object.fromEntries(listProviders(visit, settings).map((each) => [each.id, each]))
  return { kind: 'json', status: 200, body, isPrivate: false }
}

function listProviders({ base }: Visit, { providers }: Settings) {
  return [...providers.values()].map(({ id, name, type }) => ({
    id,
    name,
    type,
    signinUrl: `${base}/signin/${id}`,
    callbackUrl: `${base}/callback/${id}`,
  }))
}

/** The sign-in page, the built-in one or the user's. A POST that starts nothing is led to it. */
export async function showSignIn(visit: Visit, world: World): Promise<Shown> {
  const { settings } = world
  if (visit.method === 'POST') return { kind: 'redirect', location: `${visit.base}/signin` }
  const { callbackUrl } = await resolveCallbackUrl.run({ visit }, world)
  const error = visit.query.get('error') ?? undefined
  const own = settings.pages.signIn
  if (own) {
    const location = withParameter(own, visit, 'callbackUrl', callbackUrl)
    return { kind: 'redirect', location: error ? withParameter(location, visit, 'error', error) : location }
  }
  const csrf = await provideForm(visit, settings)
  const byId = new Map(listProviders(visit, settings).map((each) => [each.id, each]))
  const providers = [...settings.providers.values()].flatMap((provider) => {
    const shown = byId.get(provider.id)
    if (!shown) return []
    const style = provider.kind === 'oauth' ? provider.style : {}
    const credentials = provider.kind === 'credentials' ? provider.config.credentials : undefined
    const formFields = provider.kind === 'webauthn' ? (provider.config.formFields ?? undefined) : undefined
    const ceremony = provider.kind === 'webauthn' ? describeCeremony(provider, visit) : undefined
    return [{ ...shown, kind: provider.kind, style, credentials, formFields, ceremony }]
  })
  const email = visit.query.get('email') ?? undefined
  const script = `${visit.base}/webauthn-options?v=${version}`
  const page: Page = { page: 'signin', providers, csrfToken: csrf.token, callbackUrl, error, email, script }
  return { kind: 'page', status: 200, page, cookies: csrf.cookies }
}

/** What the page's script has to know of a WebAuthn form; nothing where the provider goes without the script. */
function describeCeremony({ id, config }: WebAuthnSettings, { base }: Visit): PageProvider['ceremony'] {
  if (config.simpleWebAuthnBrowserVersion === false) return undefined
  return {
    optionsUrl: `${base}/webauthn-options/${id}`,
    conditional: config.enableConditionalUI === true,
    twoButtons: config.getUserInfo === undefined,
  }
}

/** The script of the sign-in page, where a provider needs it; loaded only then. */
export async function showScript(_visit: Visit, { settings }: World): Promise<Shown> {
  if (![...settings.providers.values()].some(({ kind }) => kind === 'webauthn'))
    return { kind: 'empty', status: 404 }
  const { passkeyScript } = await import('#passkey-script')
  return { kind: 'script', text: passkeyScript }
}

/**
 * The page that asks before it signs out, and leads where the link to it says. An application's own page need not know
 * of that: for it, it is remembered.
 */
export async function showSignOut(visit: Visit, world: World): Promise<Shown> {
  const { settings } = world
  const own = settings.pages.signOut
  const isTold = visit.query.has('callbackUrl')
  const resolve = own ? resolveCallbackUrl : resolveTarget
  const callbackUrl = isTold ? (await resolve.run({ visit }, world)).callbackUrl : undefined
  if (own) return { kind: 'redirect', location: new URL(own, visit.origin).href }
  const csrf = await provideForm(visit, settings)
  const action = `${visit.base}/signout`
  const page: Page = { page: 'signout', csrfToken: csrf.token, action, callbackUrl }
  return { kind: 'page', status: 200, page, cookies: csrf.cookies }
}

async function provideForm(visit: Visit, settings: Settings) {
  return settings.csrf ? provideCsrf(visit, settings) : { token: undefined, cookies: [] }
}

/** The error page for the `error` of the query. */
export function showError(visit: Visit, { settings }: World): Shown {
  const error = visit.query.get('error') ?? undefined
  const own = settings.pages.error
  if (own) {
    const location = new URL(own, visit.origin).href
    return { kind: 'redirect', location: error ? withParameter(own, visit, 'error', error) : location }
  }
  const page = { ...errorPage(visit, error), trace: findTrace(visit, settings) }
  return { kind: 'page', status: pageStatus(page), page }
}

/** The run that led here, for who develops the site. */
function findTrace({ query }: Visit, { debug, tracer }: Settings): ErrorPage['trace'] {
  const id = query.get('trace')
  return debug && id !== null ? tracer?.find(id) : undefined
}

export function errorPage({ origin, base }: Pick<Visit, 'origin' | 'base'>, error?: string): ErrorPage {
  return { page: 'error', error, origin, signinUrl: `${base}/signin` }
}

/** Tells that a link is on its way. */
export function showVerifyRequest(visit: Visit, { settings }: World): Shown {
  const own = settings.pages.verifyRequest
  if (own) {
    const url = new URL(own, visit.origin)
    for (const [name, value] of visit.query) url.searchParams.append(name, value)
    return { kind: 'redirect', location: url.href }
  }
  return { kind: 'page', status: 200, page: { page: 'verify-request', origin: visit.origin } }
}
