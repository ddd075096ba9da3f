/** The parts of the optional features that every site loads: their options and the checks of a configuration. */
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { accountPageOption } from './account-page/options.ts'
import { emailChangeOption } from './email-change/options.ts'
import { mailsCodes } from './mail-codes/options.ts'
import { secondFactorOption } from './second-factor/options.ts'

export { checkLogouts } from './backchannel-logout/options.ts'
export { lifetimeOf, readMethod } from './mail-codes/options.ts'
export { checkPasskeys, describeIgnoredCeremonies } from './passkeys/options.ts'

/** The options that turn features on. */
export const featureOptions = {
  accountPage: accountPageOption,
  emailChange: emailChangeOption,
  secondFactor: secondFactorOption,
} as const

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
