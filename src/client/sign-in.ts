import type { PublicProvider } from '../types/public-provider.ts'
import type { Destination, Fields, Query, Routes } from './routes.ts'

/** Options for signing in with a passkey, and for registering one. */
export interface PasskeyOptions<Id extends string = string> {
  /** Id of the provider. @default 'passkey' */
  readonly provider?: Id
  /** E-mail address of a new user. Ignored if a user is signed in. */
  readonly email?: string
  /** Where to go afterwards. @default the current page */
  readonly redirectTo?: string
  /** Whether to navigate to the result. If false, you handle the outcome yourself. @default true */
  readonly redirect?: boolean
}

type CeremonyAction = 'authenticate' | 'register'

type Ceremony =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/**
 * Fetches options, passes them to the authenticator, and posts its response. Browsers convert the JSON forms themselves
 * (WebAuthn Level 3, 5.1.7 to 5.1.9).
 * @param action if omitted, the server's `getUserInfo` decides whether a user registers. Without it, nobody registers
 * @returns the destination of the server's redirect
 * @throws DOMException if the user cancels, or the browser does not support passkeys
 */
export async function performCeremony(
  routes: Routes,
  providerId: string,
  fields: Fields,
  action?: CeremonyAction,
): Promise<Destination> {
  const { callbackUrl: _callbackUrl, ...asked } = fields
  const id = encodeURIComponent(providerId)
  const query = { ...asked, ...(action && { action }) }
  const ceremony = (await routes.read(`webauthn-options/${id}`, query)) as Ceremony
  const credential = await answer(ceremony)
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('The browser returned no passkey', 'NotAllowedError')
  const data = JSON.stringify(credential)
  return routes.submit(`callback/${id}`, { ...fields, action: ceremony.action, data })
}

function answer({ action, options }: Ceremony): Promise<Credential | null> {
  if (!('PublicKeyCredential' in globalThis))
    throw new DOMException('This browser does not support passkeys', 'NotSupportedError')
  return action === 'register'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}

/** Options of a sign-out. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the current page */
  readonly redirectTo?: string
  /** Whether to navigate to the result. If false, you handle the outcome yourself. @default true */
  readonly redirect?: boolean
}

/** Other members are fields of the form: `email`, a mailed `code`, or the input of your `authorize`. */
export interface SignInOptions extends SignOutOptions {
  /**
   * Links the provider's identity to the signed-in user. Only needed with `accountLinking: 'explicit'`. For an e-mail
   * link: adds the address to a user who registered with a passkey, and keeps the user's existing passkeys and
   * sessions.
   *
   * @default false
   */
  readonly link?: boolean
  readonly [field: string]: string | boolean | undefined
}

/** Starts a sign-in. @returns the destination of the server's redirect, or the sign-in page without a provider */
export async function signIn(
  routes: Routes,
  providerId: string | undefined,
  fields: Fields,
  authorizationParams?: Query,
): Promise<Destination> {
  if (providerId === undefined)
    return { url: routes.at('signin', { callbackUrl: fields.callbackUrl }), ok: true }
  const providers = (await routes.read('providers')) as Readonly<Record<string, PublicProvider>>
  const type = providers[providerId]?.type
  if (!type) throw new Error(`There is no provider with the id "${providerId}"`)
  if (type === 'webauthn') return performCeremony(routes, providerId, fields)
  // A sign-in with a mailed code has two steps: the first one posts the address, the second one posts only the code.
  const isCode = type === 'email' && fields.code !== undefined && fields.email === undefined
  const action = type === 'credentials' || isCode ? 'callback' : 'signin'
  return routes.submit(`${action}/${encodeURIComponent(providerId)}`, fields, authorizationParams)
}
