import type { AuthConfig } from '../types/config.ts'
import type { WebAuthnConfig } from '../types/provider.ts'
import type { ProviderSettings, Settings } from './settings.ts'

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

/** Describes the options that have no effect, each with the option to use instead. */
export function describeIgnored(
  { jwt }: AuthConfig,
  strategy: string,
  providers: Settings['providers'],
): string[] {
  const ended = 'Sessions in a database end when they are deleted'
  return [
    ...(jwt?.revocations && strategy === 'database'
      ? [`\`jwt.revocations\` has no effect with the session strategy "database". ${ended}`]
      : []),
    ...[...providers.values()].flatMap((provider) => describeIgnoredOf(provider)),
  ]
}

function describeIgnoredOf(provider: ProviderSettings): readonly string[] {
  return provider.kind === 'webauthn' ? describeIgnoredCeremonies(provider.config) : []
}

function describeIgnoredCeremonies(config: WebAuthnConfig): readonly string[] {
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
