import type { ProviderSettings } from '../config/settings.ts'

/** Returns the route that receives the fields of a sign-in, relative to the base path. */
export function locateSignIn(
  { id, kind }: ProviderSettings,
  fields: Readonly<Record<string, unknown>>,
): string {
  const isPassword = kind === 'credentials' || kind === 'password'
  // A sign-in with a mailed code has two steps: the first one posts the address, the second one posts only the code.
  const isCode = kind === 'email' && fields.code !== undefined && fields.email === undefined
  return `${isPassword || isCode ? 'callback' : 'signin'}/${encodeURIComponent(id)}`
}
