/** The parts of the optional features that every site loads: their options and the checks of a configuration. */
import { accountPageOption } from './account-page/options.ts'
import { emailChangeOption } from './email-change/options.ts'

export { checkLogouts } from './backchannel-logout/options.ts'

/** The options that turn features on. */
export const featureOptions = { accountPage: accountPageOption, emailChange: emailChangeOption } as const
