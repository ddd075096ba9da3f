import type { Members, Option } from '../../config/option.ts'
import type { CookieRow, Settings } from '../../config/settings.ts'
import { InvalidConfig } from '../../errors/classes.ts'
import type { SecondFactorCookies, SecondFactorEvents, SecondFactorMethods } from './types.ts'

/** The option `secondFactor`. */
export const secondFactorOption = {
  rule: {
    takes: 'the result of `totp` of `authmachine/second-factor`',
    accepts: (value) => typeof Object(value).findStep === 'function',
  },
  needs: { adapter: () => ['getUser', 'getFactor', 'setFactor', 'deleteFactor'] },
  needsRecentSignIn: true,
} as const satisfies Option

/** The event that reports its changes. */
export const factorEvents = { updateSecondFactor: {} } as const satisfies Members<SecondFactorEvents>

/** The cookie of a remembered browser. */
export const factorCookies = {
  rememberedDevice: { suffix: 'remembered-device', isOwnHost: true },
} as const satisfies Readonly<Record<keyof SecondFactorCookies, CookieRow>>

/** The name of the method for the application. */
export const factorMethods = ['removeSecondFactor'] as const satisfies readonly (keyof SecondFactorMethods)[]

/** @throws InvalidConfig if the site does not ask for a second factor */
export function requireFactor(what: string, { optional }: Settings): void {
  if (!optional.secondFactor) throw new InvalidConfig(`${what} needs \`secondFactor\``)
}
