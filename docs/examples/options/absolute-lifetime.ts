import type { AuthConfig } from '../../../src/index.ts'

/** Sessions end after two days without use, and a week after the sign-in in any case. */
export const session: AuthConfig['session'] = {
  maxAge: 2 * 24 * 60 * 60,
  absoluteMaxAge: 7 * 24 * 60 * 60,
}
