import type { AuthConfig } from '../../src/types/config.ts'

/** The options that turn on every optional feature. */
export const everyOption: AuthConfig = {
  providers: [],
  emailChange: { sendLink: () => undefined, sendNotice: () => undefined },
}
