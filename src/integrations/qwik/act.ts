import { settingsOf } from '../../config/derive-settings.ts'
import { serveConfig } from '../../create-auth.ts'
import { setCookies, type Problems, type QwikActionEvent, type QwikAuthConfig } from './event.ts'
import { parseSignIn, parseSignOut, type SignInInput } from './inputs.ts'
import { completeConfig } from './serve-event.ts'

/** What an action gives: nothing when it succeeds, since that leads elsewhere. */
export interface ActionResult<Field extends string> {
  readonly failed?: boolean
  readonly fieldErrors?: { readonly [F in Field]?: readonly string[] }
  readonly formErrors?: readonly string[]
}

type Data = Readonly<Record<string, unknown>>
type Config = ReturnType<typeof completeConfig>

/** Starts a sign-in, or signs in by credentials; a CredentialsSignin is handed to the caller (decision 36). */
export async function signIn(event: QwikActionEvent, data: Data, given: QwikAuthConfig): Promise<unknown> {
  const parsed = parseSignIn(data)
  if ('problems' in parsed) return event.fail(400, parsed.problems)
  const config = completeConfig(event, given)
  const { providerId, options: { redirectTo: inner, ...options } = {}, authorizationParams } = parsed.input
  const callbackUrl = inner ?? parsed.input.redirectTo ?? presentPage(event)
  if (!providerId) return lead(event, `${config.basePath}/signin?${new URLSearchParams({ callbackUrl })}`)
  const kind = settingsOf(config).providers.get(providerId)?.kind
  if (!kind) return event.fail(400, problem('There is no such provider', 'providerId'))
  const path = `${kind === 'credentials' ? 'callback' : 'signin'}/${providerId}`
  const query = new URLSearchParams(authorizationParams).toString()
  const form = { ...toFields(options), callbackUrl }
  const location = await submit(event, config, query ? `${path}?${query}` : path, form)
  const refusal = location && kind === 'credentials' ? readRefusal(location, event) : undefined
  if (refusal !== undefined) return event.fail(403, problem(refusal))
  return location ? lead(event, location) : event.fail(500, problem('Configuration'))
}

/** Ends the session. */
export async function signOut(event: QwikActionEvent, data: Data, given: QwikAuthConfig): Promise<unknown> {
  const parsed = parseSignOut(data)
  if ('problems' in parsed) return event.fail(400, parsed.problems)
  const callbackUrl = parsed.input.redirectTo ?? presentPage(event)
  const location = await submit(event, completeConfig(event, given), 'signout', { callbackUrl })
  return location ? lead(event, location) : event.fail(500, problem('Configuration'))
}

/**
 * Posts a form to a route as a browser would, CSRF token and all: Qwik City has checked the origin of the action, and the
 * routes go on checking theirs. The cookies of the answer go to the browser. @returns where it leads
 */
async function submit(
  event: QwikActionEvent,
  config: Config,
  route: string,
  form: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { handler } = serveConfig(config)
  const at = (path: string) => new URL(`${config.basePath}/${path}`, event.url)
  const headers = new Headers(event.request.headers)
  for (const name of ['content-length', 'content-type', 'x-auth-return-redirect']) headers.delete(name)
  const asked = await handler(new Request(at('csrf'), { headers }))
  const minted = asked.headers.getSetCookie()
  const { csrfToken = '' } = asked.ok ? ((await asked.json()) as { readonly csrfToken?: string }) : {}
  const held = [...minted.map((line) => line.split(';')[0]), headers.get('cookie')]
  headers.set('cookie', held.filter(Boolean).join('; '))
  const body = new URLSearchParams({ ...form, csrfToken })
  const answer = await handler(new Request(at(route), { method: 'POST', headers, body }))
  setCookies(event, [...minted, ...answer.headers.getSetCookie()])
  return answer.headers.get('location')
}

/** With JavaScript the answer is data that names the target; without it is a redirect (QwikDev/qwik#6688). */
function lead(event: QwikActionEvent, location: string): ActionResult<never> {
  if (!new URL(event.request.url).pathname.endsWith('/q-data.json')) throw event.redirect(302, location)
  event.headers.set('Location', location)
  return { failed: undefined, fieldErrors: undefined, formErrors: undefined }
}

/** The code of a CredentialsSignin that a redirect tells of. */
function readRefusal(location: string, { url }: QwikActionEvent): string | undefined {
  const { searchParams } = new URL(location, url)
  if (searchParams.get('error') !== 'CredentialsSignin') return undefined
  return searchParams.get('code') ?? 'credentials'
}

function presentPage({ url }: QwikActionEvent): string {
  const page = new URL(url)
  page.searchParams.delete('qaction')
  return page.href
}

function problem(message: string, field?: keyof SignInInput): Problems {
  return field
    ? { fieldErrors: { [field]: [message] }, formErrors: [] }
    : { fieldErrors: {}, formErrors: [message] }
}

function toFields(options: Data): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
