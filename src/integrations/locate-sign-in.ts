import type { ProviderSettings } from '../config/settings.ts'

/** Returns the route to which the fields of a sign-in are posted, below the base path. */
export function locateSignIn(
  { id, kind }: ProviderSettings,
  fields: Readonly<Record<string, unknown>>,
): string {
  const isPassword = kind === 'credentials' || kind === 'password'
  // The second half of a sign-in with a mailed code. Only the first half has an address.
  const isCode = kind === 'email' && fields.code !== undefined && fields.email === undefined
  return `${isPassword || isCode ? 'callback' : 'signin'}/${encodeURIComponent(id)}`
}
