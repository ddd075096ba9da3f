import { copyOfOptions } from '../copies/copy-handed-out.ts'
import type { Store, WebAuthnSettings } from '../config/settings.ts'
import { decodeBase64url, encodeBase64url, encodeHex } from '../crypto/bytes.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import type { AdapterAuthenticator } from '../types/adapter.ts'
import type { Platform } from '../types/config.ts'
import type { RelayingParty, WebAuthnConfig, WebAuthnContext } from '../types/provider.ts'
import type { SimpleWebAuthn } from '../types/simple-webauthn.ts'
import type { User } from '../types/records.ts'
import { toDescriptor } from './authenticator.ts'

/** Bytes of the handle of a known user. Handles of unknown users are longer. */
const handleLength = 32

/** Characters of the handle in base64url. */
const textLength = 43

/**
 * Creates the handle under which an authenticator stores a user (WebAuthn L3 14.6.1). It is unique to the user and the
 * provider, so a response can be checked against it, and it reveals nothing about the user.
 */
async function makeUserHandle(userId: string, provider: string): Promise<Uint8Array> {
  const hex = await sha256Hex(JSON.stringify(['user-handle', provider, userId]))
  return Uint8Array.from({ length: handleLength }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}

/**
 * Bytes of the handle for a visitor who has no user yet. They are random, because there is no id to derive them from. A
 * handle has at most 64 bytes (WebAuthn L3 5.4.3), and `@simplewebauthn/browser` 9, which next-auth uses, counts the
 * bytes of its base64url.
 */
const anonymousLength = 48

/**
 * Returns whether the handle in a response allows this user. A missing handle allows every user, and so does one that
 * was created before there was a user.
 */
export async function admitsUser(
  handle: string | undefined,
  userId: string,
  provider: string,
): Promise<boolean> {
  const bytes = handle === undefined ? undefined : readHandle(handle)
  if (bytes?.length !== handleLength) return true
  return encodeHex(bytes) === encodeHex(await makeUserHandle(userId, provider))
}

/**
 * Returns the bytes of a handle. Up to version 9, `@simplewebauthn/browser` passes our base64url to the authenticator
 * as text; later versions pass its bytes. A handle that an older client stored therefore arrives encoded twice from a
 * newer one. In the opposite case the bytes were decoded as UTF-8, and are lost.
 */
function readHandle(handle: string): Uint8Array | undefined {
  const bytes = decodeBase64url(handle)
  return bytes?.length === textLength ? decodeBase64url(new TextDecoder().decode(bytes)) : bytes
}

/** Returns the context that the provider's hooks receive. */
export function contextFor({ config }: WebAuthnSettings, visit: Visit, store: Store): WebAuthnContext {
  return { provider: copyOfOptions(config), adapter: store, url: new URL(visit.request.url) }
}

/** Returns the relying party: the provider's, or else the site under its canonical origin. */
export async function findRelyingParty(
  provider: WebAuthnSettings,
  visit: Visit,
  store: Store,
): Promise<RelayingParty> {
  const { getRelayingParty, relayingParty = {} } = provider.config
  if (getRelayingParty) return getRelayingParty(contextFor(provider, visit, store), rebuildRequest(visit))
  const { hostname, host } = new URL(visit.origin)
  return {
    id: firstOf(relayingParty.id) ?? hostname,
    name: firstOf(relayingParty.name) ?? host,
    origin: relayingParty.origin ?? visit.origin,
  }
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}

/** Options for the browser, and the challenge that they contain. */
export interface MadeOptions {
  readonly options: object
  /** base64url */
  readonly challenge: string
}

interface Terms {
  readonly provider: WebAuthnSettings
  readonly party: RelayingParty
  readonly randomBytes: Platform['randomBytes']
  /** The credentials to offer or to exclude. */
  readonly credentials: readonly AdapterAuthenticator[]
}

/** Bytes of a challenge. WebAuthn L3 13.4.3 recommends at least 16. */
const challengeLength = 32

/**
 * Returns a function of `@simplewebauthn/server`.
 * @throws InvalidConfig if the provider does not have it
 */
export function functionOf<Name extends keyof SimpleWebAuthn>(
  { simpleWebAuthn }: WebAuthnConfig,
  name: Name,
): SimpleWebAuthn[Name] {
  const found = simpleWebAuthn?.[name]
  if (found) return found
  throw new InvalidConfig(`A WebAuthn provider needs simpleWebAuthn.${name}`)
}

// Versions of SimpleWebAuthn differ in how they take credentials and user ids, but not in the options that they return.
// So both are set in the returned options instead of being passed.

/** Returns options to sign in with one of the credentials, or with any if the list is empty. */
export async function makeAuthenticationOptions(terms: Terms): Promise<MadeOptions> {
  const { provider, party, randomBytes, credentials } = terms
  const options = await functionOf(
    provider.config,
    'generateAuthenticationOptions',
  )({
    ...copyOfOptions(provider.config.authenticationOptions),
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
  const { authenticatorSelection: _, ...given } = copyOfOptions(provider.config.registrationOptions) ?? {}
  const selection = selectAuthenticators(user, provider.config)
  const userID =
    user.id === undefined ? randomBytes(anonymousLength) : await makeUserHandle(user.id, provider.id)
  const options = await functionOf(
    provider.config,
    'generateRegistrationOptions',
  )({
    ...given,
    // A copy, because SimpleWebAuthn modifies it.
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
 * Returns the configured selection. For a new user it also requires a discoverable credential, because an unverified
 * address does not identify anyone. A site with its own `getUserInfo` can look users up and does not need one.
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
  throw new TypeError('simpleWebAuthn returned options without a challenge')
}

/** Returns whether a registration asks for an attestation, which proves the model of the authenticator. */
export function asksForAttestation({ registrationOptions }: WebAuthnConfig): boolean {
  return (registrationOptions?.attestationType ?? 'none') !== 'none'
}

/** Returns whether every credential of this provider must be discoverable. */
export function demandsDiscoverable({ registrationOptions }: WebAuthnConfig): boolean {
  return readSelection(registrationOptions).residentKey === 'required'
}

/**
 * Returns whether a response must have user verification: if the options for the browser or those for the verification
 * require it. SimpleWebAuthn would demand it from every authenticator, even after options that only prefer it.
 */
export function demandsVerification(ceremony: 'authenticate' | 'register', config: WebAuthnConfig): boolean {
  const [options, check] =
    ceremony === 'register'
      ? [readSelection(config.registrationOptions), config.verifyRegistrationOptions]
      : [config.authenticationOptions, config.verifyAuthenticationOptions]
  return options?.userVerification === 'required' || check?.requireUserVerification === true
}

function readSelection(
  registrationOptions: WebAuthnConfig['registrationOptions'],
): Readonly<Record<string, unknown>> {
  const selection = registrationOptions?.authenticatorSelection
  return typeof selection === 'object' && selection !== null ? { ...selection } : {}
}
