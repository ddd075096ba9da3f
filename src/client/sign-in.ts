import type { PublicProvider } from '../types/provider.ts'
import { performCeremony } from './passkey.ts'
import type { Fields, Query, Routes } from './routes.ts'

/** Options of a sign-out. */
export interface SignOutOptions {
  /** Where to go to then. @default the present page */
  readonly redirectTo?: string
  /** `false` stays here, and leaves it to you what to do with the outcome. @default true */
  readonly redirect?: boolean
}

/** Further members are fields of the form: `email`, or what your `authorize` takes. */
export interface SignInOptions extends SignOutOptions {
  /** Links the provider's identity to the user who is signed in. Needed with `accountLinking: 'explicit'` only. @default false */
  readonly link?: boolean
  readonly [field: string]: string | boolean | undefined
}

/** Starts a sign-in. @returns where the server leads; without a provider, the page where one is chosen */
export async function signIn(
  routes: Routes,
  providerId: string | undefined,
  fields: Fields,
  authorizationParams?: Query,
): Promise<string> {
  if (providerId === undefined) return routes.at('signin', { callbackUrl: fields.callbackUrl })
  const providers = (await routes.read('providers')) as Readonly<Record<string, PublicProvider>>
  const type = providers[providerId]?.type
  if (!type) throw new Error(`There is no provider ${providerId}`)
  if (type === 'webauthn') return performCeremony(routes, providerId, fields)
  const action = type === 'credentials' ? 'callback' : 'signin'
  return routes.submit(`${action}/${encodeURIComponent(providerId)}`, fields, authorizationParams)
}
