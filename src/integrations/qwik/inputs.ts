import type { Problems } from './event.ts'

export type AuthorizationParams = string | URLSearchParams | Readonly<Record<string, string>>

/** What `useSignIn` takes. */
export interface SignInInput {
  readonly providerId?: string
  /** Where to go to then. @default the present page */
  readonly redirectTo?: string
  /** Further members are fields of the sign-in: an address, or what your `authorize` takes. */
  readonly options?: { readonly redirectTo?: string; readonly [field: string]: unknown }
  readonly authorizationParams?: AuthorizationParams
}

/** What `useSignOut` takes. */
export interface SignOutInput {
  readonly redirectTo?: string
}

export type Parsed<Input> = { readonly input: Input } | { readonly problems: Problems }

/** Reads what a form or a script sent. */
export function parseSignIn(data: Readonly<Record<string, unknown>>): Parsed<SignInInput> {
  const { providerId, redirectTo, options, authorizationParams } = data
  const fieldErrors = listErrors({
    providerId: isOptional(isString, providerId) || 'Expected a string',
    redirectTo: isOptional(isString, redirectTo) || 'Expected a string',
    options: isOptional(isOptions, options) || 'Expected an object whose redirectTo is a string',
    authorizationParams:
      isOptional(isParams, authorizationParams) || 'Expected a string, URLSearchParams or strings by name',
  })
  if (Object.keys(fieldErrors).length > 0) return { problems: { fieldErrors, formErrors: [] } }
  return { input: data }
}

export function parseSignOut(data: Readonly<Record<string, unknown>>): Parsed<SignOutInput> {
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
  return isRecord(value) && isOptional(isString, value.redirectTo)
}

function isParams(value: unknown): boolean {
  return (
    isString(value) ||
    value instanceof URLSearchParams ||
    (isRecord(value) && Object.values(value).every(isString))
  )
}
