import type { WebAuthnSettings } from '../config/settings.ts'
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

/** Options to sign in with one of the credentials, or with any when there are none. */
export async function makeAuthenticationOptions(terms: Terms): Promise<MadeOptions> {
  const { provider, party, randomBytes, credentials } = terms
  const options = await functionOf(
    provider.config,
    'generateAuthenticationOptions',
  )({
    ...provider.config.authenticationOptions,
    rpID: party.id,
    challenge: randomBytes(challengeLength),
    allowCredentials: credentials.length > 0 ? credentials.map(toDescriptor) : undefined,
  })
  return withChallenge(options)
}

/** Options to register another credential than these for a user, who has an id only if the store knows them. */
export async function makeRegistrationOptions(user: User, terms: Terms): Promise<MadeOptions> {
  const { provider, party, randomBytes, credentials } = terms
  const { authenticatorSelection, ...given } = provider.config.registrationOptions ?? {}
  const options = await functionOf(
    provider.config,
    'generateRegistrationOptions',
  )({
    ...given,
    // A copy: what is handed over is written to there.
    ...(typeof authenticatorSelection === 'object' && {
      authenticatorSelection: { ...authenticatorSelection },
    }),
    rpID: party.id,
    rpName: party.name,
    userID: user.id === undefined ? randomBytes(anonymousLength) : await makeUserHandle(user.id, provider.id),
    userName: user.email ?? user.name ?? 'user',
    userDisplayName: user.name ?? '',
    challenge: randomBytes(challengeLength),
    excludeCredentials: credentials.map(toDescriptor),
  })
  return withChallenge(options)
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
