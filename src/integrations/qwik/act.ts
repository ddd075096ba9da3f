import { settingsOf } from '../../config/derive-settings.ts'
import { serveConfig } from '../../instance/create-auth.ts'
import { copyHeaders } from '../../http/parts.ts'
import { locateSignIn } from '../locate-sign-in.ts'
import {
  completeConfig,
  type Problems,
  type QwikActionEvent,
  type QwikAuthConfig,
  setCookies,
} from './serve-event.ts'

export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** The input of `useSignIn`. */
export interface SignInInput {
  /** Id of the provider. @default the sign-in page */
  readonly providerId?: string
  /** The page to show after the sign-in. @default the current page */
  readonly redirectTo?: string
  /** Other members are fields of the sign-in: an address, or the input of your `authorize`. */
  readonly options?: { readonly redirectTo?: string; readonly [field: string]: unknown }
  /** Parameters to add to the authorization request. */
  readonly authorizationParams?: AuthorizationParams
}

/** The input of `useSignOut`. */
export interface SignOutInput {
  /** The page to show after the sign-out. @default the current page */
  readonly redirectTo?: string
}

export type Parsed<Input> = { readonly input: Input } | { readonly problems: Problems }

/** Parses the input of a form or a script. */
function parseSignIn(data: Readonly<Record<string, unknown>>): Parsed<SignInInput> {
  const { providerId, redirectTo, options, authorizationParams } = data
  const fieldErrors = listErrors({
    providerId: isOptional(isString, providerId) || 'Expected a string',
    redirectTo: isOptional(isString, redirectTo) || 'Expected a string',
    options:
      isOptional(isOptions, options) ||
      'Expected an object of strings, numbers, booleans and lists of them, whose redirectTo is a string',
    authorizationParams:
      isOptional(isParams, authorizationParams) || 'Expected a string, URLSearchParams or strings by name',
  })
  if (Object.keys(fieldErrors).length > 0) return { problems: { fieldErrors, formErrors: [] } }
  return { input: data }
}

function parseSignOut(data: Readonly<Record<string, unknown>>): Parsed<SignOutInput> {
  const fieldErrors = listErrors({
    redirectTo: isOptional(isString, data.redirectTo) || 'Expected a string',
  })
  if (Object.keys(fieldErrors).length > 0) return { problems: { fieldErrors, formErrors: [] } }
  return { input: data }
}

function listErrors(judged: Readonly<Record<string, string | true>>): Record<string, string[]> {
  const wrong = Object.entries(judged).filter((entry): entry is [string, string] => entry[1] !== true)
  return Object.fromEntries(wrong.map(([name, message]) => [name, [message]]))
}

function isOptional(isGood: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || isGood(value)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOptions(value: unknown): boolean {
  return (
    isRecord(value) && isOptional(isString, value.redirectTo) && Object.values(value).flat().every(isField)
  )
}

/** Returns whether a form can have the value. Converting an object to a string can throw. */
function isField(value: unknown): boolean {
  return (
    value === undefined || value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
  )
}

function isParams(value: unknown): boolean {
  return (
    isString(value) ||
    value instanceof URLSearchParams ||
    (isRecord(value) && Object.values(value).every(isString))
  )
}

/** The result of an action. Empty on success, because success redirects. */
export interface ActionResult<Field extends string> {
  /** Whether the action failed. */
  readonly failed?: boolean
  /** Errors by field of the form. */
  readonly fieldErrors?: { readonly [F in Field]?: readonly string[] }
  /** Errors of the form, such as the code of a CredentialsSignin. */
  readonly formErrors?: readonly string[]
}

type Data = Readonly<Record<string, unknown>>
type Config = ReturnType<typeof completeConfig>

/** Starts a sign-in, or signs in with credentials. Returns a CredentialsSignin to the caller (decision 36). */
export async function signIn(event: QwikActionEvent, data: Data, given: QwikAuthConfig): Promise<unknown> {
  const parsed = parseSignIn(data)
  if ('problems' in parsed) return event.fail(400, parsed.problems)
  const config = completeConfig(event, given)
  const { providerId, options: { redirectTo: inner, ...options } = {}, authorizationParams } = parsed.input
  const callbackUrl = inner ?? parsed.input.redirectTo ?? presentPage(event)
  if (!providerId) return lead(event, `${config.basePath}/signin?${new URLSearchParams({ callbackUrl })}`)
  const provider = settingsOf(config).providers.get(providerId)
  if (!provider) return event.fail(400, problem('There is no provider with this id', 'providerId'))
  const query = new URLSearchParams(authorizationParams).toString()
  const form = { ...toFields(options), callbackUrl }
  const path = locateSignIn(provider, form)
  const answer = await submit(event, config, query ? `${path}?${query}` : path, form)
  const refusal = provider.type === 'credentials' ? readRefusal(answer, event) : undefined
  return refusal === undefined ? follow(event, answer) : event.fail(403, problem(refusal))
}

/** Ends the session. */
export async function signOut(event: QwikActionEvent, data: Data, given: QwikAuthConfig): Promise<unknown> {
  const parsed = parseSignOut(data)
  if ('problems' in parsed) return event.fail(400, parsed.problems)
  const callbackUrl = parsed.input.redirectTo ?? presentPage(event)
  return follow(event, await submit(event, completeConfig(event, given), 'signout', { callbackUrl }))
}

/**
 * Posts a form to a route as a browser would, with a CSRF token. Qwik City has checked the origin of the action, and
 * the routes still check the token. The response's cookies are passed to the browser.
 */
async function submit(
  event: QwikActionEvent,
  config: Config,
  route: string,
  form: Readonly<Record<string, string>>,
): Promise<Response> {
  const { handler } = serveConfig(config)
  const at = (path: string) => new URL(`${config.basePath}/${path}`, event.url)
  const headers = copyHeaders(event.request.headers)
  for (const name of ['content-length', 'content-type', 'x-auth-return-redirect']) headers.delete(name)
  const asked = await handler(new Request(at('csrf'), { headers }))
  const minted = asked.headers.getSetCookie()
  const { csrfToken = '' } = asked.ok ? ((await asked.json()) as { readonly csrfToken?: string }) : {}
  const held = [...minted.map((line) => line.split(';')[0]), headers.get('cookie')]
  headers.set('cookie', held.filter(Boolean).join('; '))
  const body = new URLSearchParams({ ...form, csrfToken })
  const answer = await handler(new Request(at(route), { method: 'POST', headers, body }))
  setCookies(event, [...minted, ...answer.headers.getSetCookie()])
  return answer
}

/** Follows the redirect of a response. A response without one is a rejected request, or a fault. */
function follow(event: QwikActionEvent, { status, headers }: Response): unknown {
  const location = headers.get('location')
  if (location) return lead(event, location)
  const isRejected = status >= 400 && status < 500
  return isRejected ? event.fail(status, problem('Bad request')) : event.fail(500, problem('Configuration'))
}

/** With JavaScript, the response is data that contains the URL. Without, it is a redirect (QwikDev/qwik#6688). */
function lead(event: QwikActionEvent, location: string): ActionResult<never> {
  if (!new URL(event.request.url).pathname.endsWith('/q-data.json')) throw event.redirect(302, location)
  event.headers.set('Location', location)
  return { failed: undefined, fieldErrors: undefined, formErrors: undefined }
}

/** Returns the code of a CredentialsSignin in the URL that a response redirects to. */
function readRefusal({ headers }: Response, { url }: QwikActionEvent): string | undefined {
  const { searchParams } = new URL(headers.get('location') ?? '', url)
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
