/** The public types of the optional features: their options, their texts, and the parameters of their functions. */
import type { AccountPageOption, AccountPageTexts } from './account-page/types.ts'
import type { EmailChangeOption, EmailChangeTexts } from './email-change/types.ts'
import type { MailCodeTexts } from './mail-codes/types.ts'
import type { PasskeyTexts } from './passkeys/types.ts'
import type { PasswordTexts } from './passwords/types.ts'
import type { SecondFactorOption, SecondFactorTexts } from './second-factor/types.ts'

export type { EmailChange, EmailChangeLinkParams, EmailChangeNoticeParams } from './email-change/types.ts'

/** The options that turn a feature on. */
export interface FeatureOptions extends AccountPageOption, EmailChangeOption, SecondFactorOption {}

/** The texts of the pages of these features. */
export interface OptionalTexts
  extends AccountPageTexts, EmailChangeTexts, MailCodeTexts, PasskeyTexts, PasswordTexts, SecondFactorTexts {}
