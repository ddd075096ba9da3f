/** The public types of the optional features: their options, their texts, and the parameters of their functions. */
import type { AccountPageOption, AccountPageTexts } from './account-page/types.ts'
import type { LogoutOption } from './backchannel-logout/types.ts'
import type { EmailChangeOption, EmailChangeTexts } from './email-change/types.ts'
import type { MailCodeCookies, MailCodeTexts, MailMethodOption } from './mail-codes/types.ts'
import type {
  PasskeyAttempt,
  PasskeyChange,
  PasskeyCookies,
  PasskeyTexts,
  PasskeyWarning,
} from './passkeys/types.ts'
import type { PasswordTexts } from './passwords/types.ts'
import type {
  SecondFactorAttempt,
  SecondFactorChange,
  SecondFactorCookies,
  SecondFactorEvents,
  SecondFactorMethods,
  SecondFactorOption,
  SecondFactorTexts,
} from './second-factor/types.ts'

export type { EmailChange, EmailChangeLinkParams, EmailChangeNoticeParams } from './email-change/types.ts'

/** The options that turn a feature on. */
export interface FeatureOptions extends AccountPageOption, EmailChangeOption, SecondFactorOption {}

/** The texts of the pages of these features. */
export interface OptionalTexts
  extends AccountPageTexts, EmailChangeTexts, MailCodeTexts, PasskeyTexts, PasswordTexts, SecondFactorTexts {}

/** The options of e-mail providers that belong to these features. */
export interface OptionalEmailOptions extends MailMethodOption {}

/** The options of OpenID Connect providers that belong to these features. */
export interface OptionalOIDCOptions extends LogoutOption {}

/** The cookies of these features. */
export interface OptionalCookies extends MailCodeCookies, PasskeyCookies, SecondFactorCookies {}

/** The events of these features. */
export interface OptionalEvents extends SecondFactorEvents {}

/** The attempts of these features that can be limited. */
export type OptionalAttempt = PasskeyAttempt | SecondFactorAttempt

/** The changes to an account that only these features make. */
export type OptionalChange = PasskeyChange | SecondFactorChange

/** The codes of the warnings of these features. */
export type OptionalWarning = PasskeyWarning

/** The methods of an instance with an adapter that belong to these features. */
export interface OptionalMethods extends SecondFactorMethods {}
