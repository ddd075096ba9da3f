import type { Option } from '../../config/option.ts'
import { flag } from '../../config/rule.ts'

/** The option `accountPage`. Each section of the page checks the adapter for the operations that its forms call. */
export const accountPageOption = {
  rule: flag,
  default: false,
  needsRecentSignIn: true,
  needs: { adapter: ({ session: { strategy } }) => (strategy === 'jwt' ? ['getUser'] : []) },
} as const satisfies Option
