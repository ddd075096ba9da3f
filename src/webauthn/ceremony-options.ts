import type { WebAuthnSettings } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/base64url.ts'
import { InvalidConfig } from '../errors.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'
import type { Platform } from '../types/config.ts'
import type { RelayingParty, SimpleWebAuthn, WebAuthnConfig } from '../types/provider.ts'
import type { User } from '../types/records.ts'
import { toDescriptor } from './authenticator.ts'
import { anonymousLength, makeUserHandle } from './user-handle.ts'

/** Options as the browser takes them, and the challenge in them. */
export interface MadeOptions {
  readonly options: object
  /** base64url */
  readonly challenge: string
}

interface Terms {
  readonly provider: WebAuthnSettings
  readonly party: RelayingParty
  readonly randomBytes: Platform['randomBytes']
  /** To be offered, or to be excluded. */
  readonly credentials: readonly AdapterAuthenticator[]
}

/** Bytes of a challenge (WebAuthn L3 13.4.3 asks for 16). */
const challengeLength = 32

/** One of the functions of `@simplewebauthn/server`. @throws InvalidConfig when the provider has none */
export function functionOf<Name extends keyof SimpleWebAuthn>(
  { simpleWebAuthn }: WebAuthnConfig,
  name: Name,
): SimpleWebAuthn[Name] {
  const found = simpleWebAuthn?.[name]
  if (found) return found
  throw new InvalidConfig(`A WebAuthn provider needs simpleWebAuthn.${name}`)
}

// Versions of SimpleWebAuthn disagree on how credentials and user ids are passed, but not on the options that a browser
// takes. So both are set in those, instead of being passed.

/** Returns options to sign in with one of the credentials, or with any if the list is empty. */
export async function makeAuthenticationOptions(terms: Terms): Promise<MadeOptions> {
  const { provider, party, randomBytes, credentials } = terms
  const options = await functionOf(
    provider.config,
    'generateAuthenticationOptions',
  )({
    ...provider.config.authenticationOptions,
    rpID: party.id,
    challenge: randomBytes(challengeLength),
  })
  return withChallenge({
    ...options,
    allowCredentials: credentials.length > 0 ? credentials.map(toDescriptor) : undefined,
  })
}

/** Returns options to register another credential than these. The user has an id only if the store knows them. */
export async function makeRegistrationOptions(user: User, terms: Terms): Promise<MadeOptions> {
  const { provider, party, randomBytes, credentials } = terms
  const { authenticatorSelection: _, ...given } = provider.config.registrationOptions ?? {}
  const selection = selectAuthenticators(user, provider.config)
  const userID =
    user.id === undefined ? randomBytes(anonymousLength) : await makeUserHandle(user.id, provider.id)
  const options = await functionOf(
    provider.config,
    'generateRegistrationOptions',
  )({
    ...given,
    // A copy: what is handed over is written to there.
    ...(selection && { authenticatorSelection: selection }),
    rpID: party.id,
    rpName: party.name,
    userID,
    userName: user.email ?? user.name ?? 'user',
    userDisplayName: user.name ?? '',
    challenge: randomBytes(challengeLength),
  })
  const made: { readonly user?: object } = options
  return withChallenge({
    ...options,
    user: { ...made.user, id: encodeBase64url(userID) },
    excludeCredentials: credentials.map(toDescriptor),
  })
}

/**
 * What is configured; but a newcomer gets a credential that the authenticator finds by itself. Nothing else will find it
 * again: their address identifies nobody, unless the site has a look-up of its own.
 */
function selectAuthenticators({ id }: User, config: WebAuthnConfig): object | undefined {
  const selection = readSelection(config.registrationOptions)
  if (id === undefined && !config.getUserInfo)
    return { ...selection, residentKey: 'required', requireResidentKey: true }
  return Object.keys(selection).length > 0 ? selection : undefined
}

function withChallenge(options: object): MadeOptions {
  const challenge: unknown = Reflect.get(options, 'challenge')
  if (typeof challenge === 'string' && challenge !== '') return { options, challenge }
  throw new TypeError('simpleWebAuthn made options without a challenge')
}

/** Has every credential of this provider to be one that the authenticator itself finds? */
export function demandsDiscoverable({ registrationOptions }: WebAuthnConfig): boolean {
  return readSelection(registrationOptions).residentKey === 'required'
}

/** Do the options for a ceremony demand that the user is verified? */
export function demandsVerification(
  ceremony: 'authenticate' | 'register',
  { authenticationOptions, registrationOptions }: WebAuthnConfig,
): boolean {
  const options = ceremony === 'register' ? readSelection(registrationOptions) : authenticationOptions
  return options?.userVerification === 'required'
}

function readSelection(
  registrationOptions: WebAuthnConfig['registrationOptions'],
): Readonly<Record<string, unknown>> {
  const selection = registrationOptions?.authenticatorSelection
  return typeof selection === 'object' && selection !== null ? { ...selection } : {}
}
