import type { Option } from '../../config/option.ts'

/** The option `secondFactor`. */
export const secondFactorOption = {
  rule: {
    takes: 'the result of `totp` of `authmachine/second-factor`',
    accepts: (value) => typeof Object(value).findStep === 'function',
  },
  needs: { adapter: () => ['getUser', 'getFactor', 'setFactor', 'deleteFactor'] },
  needsRecentSignIn: true,
} as const satisfies Option
