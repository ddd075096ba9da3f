import type { Visit } from '../http/visit.ts'
import type { CookieOption } from '../types/cookies.ts'

/** Returns the name and the options of a feature's cookie, which `cookies.feature` of the configuration begins. */
export function featureCookieOption({ cookieTable }: Visit, name: string): CookieOption {
  const { name: prefix, options } = cookieTable.feature
  return { name: `${prefix}.${name}`, options }
}
