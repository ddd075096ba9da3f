/** The parts of the optional features that every site loads: their options and the checks of a configuration. */
import type { ProviderSettings, Settings } from '../config/settings.ts'
import type { AuthError } from '../errors/classes.ts'
import type { AuthConfig } from '../types/config.ts'
import { accountPageOption } from './account-page/options.ts'
import { checkLogouts, logoutOption } from './backchannel-logout/options.ts'
import { emailChangeOption } from './email-change/options.ts'
import { codeCookies, mailsCodes } from './mail-codes/options.ts'
import { checkPasskeys, passkeyCookies } from './passkeys/options.ts'
import { factorCookies, secondFactorOption } from './second-factor/options.ts'

export { endsSessions } from './backchannel-logout/options.ts'
export { lifetimeOf, readMethod } from './mail-codes/options.ts'
export {
  ceremonyNames as optionalNames,
  ceremonyNeeds as optionalNeeds,
  describeIgnoredCeremonies,
  findPasskeyWarnings as findOptionalWarnings,
} from './passkeys/options.ts'
export {
  factorEvents as optionalEvents,
  factorMethods as optionalMethods,
  requireFactor,
} from './second-factor/options.ts'

/** The options that turn features on. */
export const featureOptions = {
  accountPage: accountPageOption,
  emailChange: emailChangeOption,
  secondFactor: secondFactorOption,
} as const

/** The options of OAuth and OpenID Connect providers that turn features on. */
export const providerFlags = [logoutOption] as const

/** The cookies of these features. */
export const optionalCookies = { ...passkeyCookies, ...codeCookies, ...factorCookies } as const

/** Returns the first fault in the options of providers that belong to these features, or undefined. */
export function checkProviders(config: AuthConfig, settings: Settings): AuthError | undefined {
  return checkLogouts(settings) ?? checkPasskeys(config, settings)
}

/** Returns whether the site asks for a second factor. */
export function hasFactor({ optional }: Pick<Settings, 'optional'>): boolean {
  return optional.secondFactor !== undefined
}

/** The parts of a request that name a provider. */
interface Requested {
  readonly action: string
  readonly providerId: string | undefined
  readonly query: URLSearchParams
}

/**
 * Returns the provider of a request if an optional feature handles it, in place of the flows that every site has. The page
 * after a mail has the provider in its query.
 */
export function findServed(
  { action, providerId, query }: Requested,
  { providers }: Settings,
): ProviderSettings | undefined {
  const provider = providers.get((action === 'verify-request' ? query.get('provider') : providerId) ?? '')
  return provider && mailsCodes(provider) ? provider : undefined
}
