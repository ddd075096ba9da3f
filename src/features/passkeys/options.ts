import type { CookieRow, ProviderSettings, Settings } from '../../config/settings.ts'
import {
  type AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  MissingWebAuthnAutocomplete,
} from '../../errors/classes.ts'
import type { Adapter } from '../../types/adapter.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { CredentialInput, WebAuthnConfig } from '../../types/provider.ts'
import type { SimpleWebAuthn } from '../../types/simple-webauthn.ts'
import type { PasskeyCookies, PasskeyWarning } from './types.ts'

const functions = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
] as const satisfies readonly (keyof SimpleWebAuthn)[]

/** Returns the first fault of the WebAuthn providers, or undefined. */
export function checkPasskeys({ experimental }: AuthConfig, { providers }: Settings): AuthError | undefined {
  const configs = [...providers.values()].flatMap(({ kind, config }) => (kind === 'webauthn' ? [config] : []))
  if (configs.length > 0 && !experimental?.enableWebAuthn)
    return new ExperimentalFeatureNotEnabled(
      'WebAuthn is experimental. Set `experimental.enableWebAuthn` to `true` to use WebAuthn providers',
    )
  for (const config of configs) {
    const fault = checkOne(config)
    if (fault) return fault
  }
  if (configs.filter(({ enableConditionalUI }) => enableConditionalUI).length > 1)
    return new DuplicateConditionalUI(
      'Only one WebAuthn provider can offer passkeys in form fields. Set `enableConditionalUI` to `false` for the others',
    )
  return undefined
}

function checkOne({
  id,
  simpleWebAuthn,
  simpleWebAuthnBrowserVersion: version,
  enableConditionalUI,
  formFields,
}: WebAuthnConfig): AuthError | undefined {
  const missing = functions.find((name) => typeof simpleWebAuthn?.[name] !== 'function')
  if (missing)
    return new InvalidConfig(`\`simpleWebAuthn.${missing}\` of provider "${id}" must be a function`)
  if (version && !(typeof version === 'string' && /^v\d+(\.\d+){0,2}$/.test(version)))
    return new InvalidConfig(
      `\`simpleWebAuthnBrowserVersion\` of provider "${id}" must be false or a version such as "v14.0.0"`,
    )
  const fields = Object.values(formFields ?? {})
  if (
    enableConditionalUI &&
    !fields.some((field: CredentialInput | null) => mayHoldPasskey(field?.autocomplete))
  )
    return new MissingWebAuthnAutocomplete(
      `Provider "${id}" has \`enableConditionalUI\`, and needs a form field whose \`autocomplete\` contains "webauthn"`,
    )
  return undefined
}

function mayHoldPasskey(autocomplete: unknown): boolean {
  return typeof autocomplete === 'string' && autocomplete.includes('webauthn')
}

/** Parameters of SimpleWebAuthn that the library sets itself, with the option that controls each, if there is one. */
const overwritten = {
  authenticationOptions: {
    rpID: 'relayingParty.id',
    challenge: undefined,
    allowCredentials: 'getUserInfo',
  },
  registrationOptions: {
    rpID: 'relayingParty.id',
    rpName: 'relayingParty.name',
    userID: undefined,
    userName: 'getUserInfo',
    userDisplayName: 'getUserInfo',
    challenge: undefined,
    excludeCredentials: undefined,
  },
  verifyAuthenticationOptions: {
    response: undefined,
    expectedChallenge: undefined,
    expectedOrigin: 'relayingParty.origin',
    expectedRPID: 'relayingParty.id',
    expectedType: undefined,
    credential: undefined,
    authenticator: undefined,
    advancedFIDOConfig: 'authenticationOptions.userVerification',
  },
  verifyRegistrationOptions: {
    response: undefined,
    expectedChallenge: undefined,
    expectedOrigin: 'relayingParty.origin',
    expectedRPID: 'relayingParty.id',
    expectedType: undefined,
    requireUserPresence: undefined,
  },
} as const satisfies {
  readonly [Name in keyof WebAuthnConfig]?: Readonly<Record<string, string | undefined>>
}

/** Describes the options of a provider that have no effect, each with the option to use instead. */
export function describeIgnoredCeremonies({ kind, config }: ProviderSettings): readonly string[] {
  if (kind !== 'webauthn') return []
  const parameters = Object.entries(overwritten).flatMap(([group, names]) => {
    const given = config[group as keyof typeof overwritten] ?? {}
    return Object.entries(names)
      .filter(([name]) => given[name] !== undefined)
      .map(([name, instead]) =>
        describe(config.id, `${group}.${name}`, 'because the library sets it', instead),
      )
  })
  const lists = (['id', 'name'] as const)
    .filter(
      (name) =>
        (config.relayingParty?.[name] ?? '').length > 1 && Array.isArray(config.relayingParty?.[name]),
    )
    .map((name) => describe(config.id, `relayingParty.${name}`, 'beyond its first entry', 'getRelayingParty'))
  const replaced =
    config.getRelayingParty && config.relayingParty
      ? [describe(config.id, 'relayingParty', 'because `getRelayingParty` replaces it', undefined)]
      : []
  return [...parameters, ...(replaced.length > 0 ? replaced : lists)]
}

function describe(provider: string, option: string, why: string, instead: string | undefined): string {
  const says = `\`${option}\` of provider "${provider}" has no effect, ${why}`
  return instead === undefined ? says : `${says}. Set \`${instead}\``
}

/** The cookie of a challenge, with the seconds that a ceremony may take. */
export const passkeyCookies = {
  webauthnChallenge: { suffix: 'challenge', options: { maxAge: 900 } },
} as const satisfies Readonly<Record<keyof PasskeyCookies, CookieRow>>

/** Returns which warnings a configuration causes. */
export function findPasskeyWarnings({ experimental }: AuthConfig): Readonly<Record<PasskeyWarning, boolean>> {
  return { 'experimental-webauthn': experimental?.enableWebAuthn === true }
}

/** What the error for a missing adapter calls this kind of provider. */
export const ceremonyNames = { webauthn: 'WebAuthn' } as const

/** The operations of the adapter that the ceremonies call. */
export const ceremonyNeeds = {
  webauthn: [
    'createUser',
    'getUser',
    'getUserByEmail',
    'getUserByAccount',
    'linkAccount',
    'getAccount',
    'getAuthenticator',
    'createAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ],
} as const satisfies Readonly<Record<string, readonly (keyof Adapter)[]>>
