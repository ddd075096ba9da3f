import type { Fields, Routes } from './routes.ts'

/** Options of signing in with a passkey, and of making one. */
export interface PasskeyOptions {
  /** Id of the provider. @default 'passkey' */
  readonly provider?: string
  /** Address of who registers; of no use to who is signed in. */
  readonly email?: string
  /** Where to go to then. @default the present page */
  readonly redirectTo?: string
  /** `false` stays here, and leaves it to you what to do with the outcome. @default true */
  readonly redirect?: boolean
}

type Ceremony =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/**
 * Fetches options, has the authenticator answer, and posts the answer. Browsers read and write the JSON forms themselves
 * (WebAuthn Level 3, 5.1.7 to 5.1.9).
 * @param action none leaves the choice to the server: its `getUserInfo` says who registers, and without one nobody does
 * @returns where the server leads
 * @throws DOMException when the user declines, or the browser has no passkeys
 */
export async function performCeremony(
  routes: Routes,
  providerId: string,
  fields: Fields,
  action?: Ceremony['action'],
): Promise<string> {
  const { callbackUrl: _callbackUrl, ...asked } = fields
  const id = encodeURIComponent(providerId)
  const query = { ...asked, ...(action && { action }) }
  const ceremony = (await routes.read(`webauthn-options/${id}`, query)) as Ceremony
  const credential = await answer(ceremony)
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey', 'NotAllowedError')
  const data = JSON.stringify(credential)
  return routes.submit(`callback/${id}`, { ...fields, action: ceremony.action, data })
}

function answer({ action, options }: Ceremony): Promise<Credential | null> {
  if (!('PublicKeyCredential' in globalThis)) throw new DOMException('No passkeys here', 'NotSupportedError')
  return action === 'register'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}
