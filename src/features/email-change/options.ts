import type { Members, Option } from '../../config/option.ts'
import { hook, lifetime, objectWith } from '../../config/rule.ts'
import type { EmailChange } from './types.ts'

const members = {
  sendLink: { rule: hook },
  sendNotice: { rule: hook },
  maxAge: { rule: lifetime, default: 3600 },
} as const satisfies Members<EmailChange>

/** The option `emailChange`. A new address is stored like a sign-in by mail, and ends the other sessions. */
export const emailChangeOption = {
  rule: objectWith('sendLink', 'sendNotice'),
  needs: {
    adapter: ({ session: { strategy } }) => [
      'getUser',
      'getUserByEmail',
      'updateUser',
      'createVerificationToken',
      'useVerificationToken',
      ...(strategy === 'database' ? (['listSessionsByUserId'] as const) : []),
    ],
  },
  members,
  needsRecentSignIn: true,
} as const satisfies Option
