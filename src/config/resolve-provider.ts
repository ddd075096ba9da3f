import { InvalidConfig } from '../errors/classes.ts'
import { lifetimeOf, readMethod } from '../features/options.ts'
import type { PasswordHooks } from '../provider-base/password.ts'
import { preset, type PresetHooks } from '../provider-base/preset.ts'
import { passwords } from '../types/symbols.ts'
import type { CredentialsConfig, EmailConfig, Provider, WebAuthnConfig } from '../types/provider.ts'
import { describe, longestAge } from './rule.ts'
import { resolveOAuth } from './resolve-oauth.ts'
import type { CredentialsSettings, EmailSettings, ProviderSettings } from './settings.ts'

type Mergeable = Record<PropertyKey, unknown>

function isPlainObject(value: unknown): value is Mergeable {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Returns a copy of `base`, merged with `over`: plain objects are merged, undefined keeps the value of `base`, and
 * anything else replaces it. Arrays are replaced, not merged.
 */
export function merge(base: object, over: object | undefined): Mergeable {
  const merged: Mergeable = { ...base }
  for (const key of Reflect.ownKeys(over ?? {})) {
    if (key === '__proto__') continue
    const value: unknown = Reflect.get(over ?? {}, key)
    const below = merged[key]
    if (value === undefined) continue
    merged[key] = isPlainObject(value) && isPlainObject(below) ? merge(below, value) : value
  }
  return merged
}

/**
 * Resolves a provider: calls it if it is a function, and merges the user's options over the preset.
 * @throws InvalidConfig if it is not a provider
 */
export function resolveProvider(provider: Provider, redirectProxyUrl: string | undefined): ProviderSettings {
  const made: unknown = typeof provider === 'function' ? provider() : provider
  if (typeof made !== 'object' || made === null)
    throw new InvalidConfig(
      `A provider must be an object, or a function that returns one, got ${describe(made)}`,
    )
  const { options, ...data } = made as { options?: object }
  const defaults = deriveData(data, options)
  const defaultsWithUrls = keepDefaultUrls(defaults, options)
  const config: object = merge(defaultsWithUrls, options)
  const { id, name = id, type } = config as { id?: unknown; name?: unknown; type?: unknown }
  if (typeof id !== 'string' || !/^[A-Za-z0-9._~-]+$/.test(id))
    throw new InvalidConfig(
      `The \`id\` of a provider must consist of letters, digits and ._~-, got ${describe(id)}`,
    )
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
        ...readMailing(config),
        config: config as EmailConfig,
      }
    case 'credentials':
      return resolveCredentials({ ...common, type, config: config as CredentialsConfig })
    case 'webauthn':
      return { ...common, kind: 'webauthn', type, config: config as WebAuthnConfig }
    default:
      throw new InvalidConfig(
        `\`type\` of provider "${id}" must be "oauth", "oidc", "email", "credentials" or "webauthn", got ${describe(type)}`,
      )
  }
}

/** Resolves a credentials provider. With functions for passwords, it also has the routes that set them, and mails links. */
function resolveCredentials(settings: Omit<CredentialsSettings, 'kind'>): ProviderSettings {
  const hooks: PasswordHooks | undefined = Reflect.get(settings.config, passwords)
  if (!hooks) return { ...settings, kind: 'credentials' }
  const common = { id: settings.id, name: settings.name, type: 'email' } as const
  const config: EmailConfig = { ...common, maxAge: hooks.maxAge, sendVerificationRequest() {} }
  return {
    ...settings,
    kind: 'password',
    passwords: hooks,
    mail: { ...common, kind: 'email', confirm: 'always', method: 'link', maxAge: hooks.maxAge, config },
  }
}

/** @throws InvalidConfig if the value is invalid */
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

/** @throws InvalidConfig if the method or the lifetime is invalid */
function readMailing(
  config: Parameters<typeof readMethod>[0] & { readonly maxAge?: number },
): Pick<EmailSettings, 'method' | 'maxAge'> {
  const { id, maxAge } = config
  const method = readMethod(config)
  if (maxAge !== undefined && !(Number.isFinite(maxAge) && maxAge > 0 && maxAge <= longestAge))
    throw new InvalidConfig(
      `\`maxAge\` of provider "${String(id)}" must be a positive number of seconds, at most 100 years`,
    )
  return { method, maxAge: lifetimeOf(method, maxAge) }
}

/** Adds the data that the preset derives from issuer and client id. */
function deriveData(data: object, options: object | undefined): object {
  const { derive }: PresetHooks = Reflect.get(data, preset) ?? {}
  if (derive === undefined) return data
  const { issuer, clientId } = merge(data, options)
  return merge(data, derive({ issuer: readGiven(issuer), clientId: readGiven(clientId) }))
}

/** Options are not validated yet. */
function readGiven(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Keeps the endpoint URL of a preset if the user sets only parameters. */
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
