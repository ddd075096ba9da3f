import { InvalidConfig } from '../errors.ts'
import { preset, type PresetHooks } from '../providers/preset.ts'
import type { CredentialsConfig, EmailConfig, Provider, WebAuthnConfig } from '../types/provider.ts'
import { describe } from './describe.ts'
import { merge } from './merge.ts'
import { resolveOAuth } from './resolve-oauth.ts'
import type { EmailSettings, ProviderSettings } from './settings.ts'

/**
 * A provider as it works: made if it is a function, the user's options merged over the preset's data.
 * @throws InvalidConfig when it is no provider
 */
export function resolveProvider(provider: Provider, redirectProxyUrl: string | undefined): ProviderSettings {
  const made: unknown = typeof provider === 'function' ? provider() : provider
  if (typeof made !== 'object' || made === null)
    throw new InvalidConfig(`A provider is an object or a function that makes one, not ${describe(made)}`)
  const { options, ...data } = made as { options?: object }
  const defaults = deriveData(data, options)
  const defaultsWithUrls = keepDefaultUrls(defaults, options)
  const config = merge(defaultsWithUrls, options)
  const { id, name = id, type } = config
  if (typeof id !== 'string' || !/^[A-Za-z0-9._~-]+$/.test(id))
    throw new InvalidConfig(`A provider needs an id that can stand in a URL, not ${describe(id)}`)
  const common = { id, name: String(name) }
  switch (type) {
    case 'oauth':
    case 'oidc':
      return resolveOAuth(config, { ...common, type }, defaults, redirectProxyUrl)
    case 'email':
      return {
        ...common,
        kind: 'email',
        type,
        confirm: readConfirm(config),
        config: config as unknown as EmailConfig,
      }
    case 'credentials':
      return { ...common, kind: 'credentials', type, config: config as unknown as CredentialsConfig }
    case 'webauthn':
      return { ...common, kind: 'webauthn', type, config: config as unknown as WebAuthnConfig }
    default:
      throw new InvalidConfig(
        `Provider "${id}" needs a type of oauth, oidc, email, credentials or webauthn, not ${describe(type)}`,
      )
  }
}

/** @throws InvalidConfig when it is neither a boolean nor one of the three words */
function readConfirm({
  id,
  confirm,
}: {
  readonly id?: unknown
  readonly confirm?: unknown
}): EmailSettings['confirm'] {
  switch (confirm ?? 'elsewhere') {
    case 'elsewhere':
      return 'elsewhere'
    case true:
    case 'always':
      return 'always'
    case false:
    case 'never':
      return 'never'
    default:
      throw new InvalidConfig(
        `\`confirm\` of provider "${String(id)}" must be "elsewhere", "always" or "never", got ${describe(confirm)}`,
      )
  }
}

/** The preset's data with what it derives from issuer and client id. */
function deriveData(data: object, options: object | undefined): object {
  const { derive }: PresetHooks = Reflect.get(data, preset) ?? {}
  if (derive === undefined) return data
  const { issuer, clientId } = merge(data, options)
  return merge(data, derive({ issuer: readGiven(issuer), clientId: readGiven(clientId) }))
}

/** Options are not checked yet. */
function readGiven(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A preset's endpoint that is a URL keeps it when the user gives an object of parameters only. */
function keepDefaultUrls(defaults: object, options: object | undefined): object {
  const kept: Record<string, unknown> = {}
  for (const endpoint of ['authorization', 'token', 'userinfo']) {
    const below: unknown = Reflect.get(defaults, endpoint)
    const own: unknown = options && Reflect.get(options, endpoint)
    if (typeof below === 'string' && typeof own === 'object') kept[endpoint] = { url: below }
    if (typeof below === 'object' && typeof own === 'string') kept[endpoint] = undefined
  }
  return { ...defaults, ...kept }
}
