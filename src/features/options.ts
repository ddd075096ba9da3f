/** What every site loads of the optional features: their options, and how a configuration with them is checked. */
import { emailChangeOption } from './email-change/options.ts'

export { checkLogouts } from './backchannel-logout/options.ts'

/** The options that turn features on. */
export const featureOptions = { emailChange: emailChangeOption } as const
