import { createAuth } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import GitHub from 'authmachine/providers/github'
import { apiKeys } from './keys.ts'
import { invitation } from './invitation.ts'
import { sendMessage } from './messages.ts'
import { phone } from './phone.ts'
import { terms } from './terms.ts'

/** Replace this with a table of your application. */
const invitations = new Set(['ada-may-come'])

export const keys = apiKeys()

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  features: [
    terms({ version: '2026-11', url: '/terms' }),
    // The last gate: an invitation that is used up before another gate is not given back.
    invitation({
      use: async (code) => invitations.delete(code),
      giveBack: async (code) => void invitations.add(code),
    }),
    phone({ send: ({ to, code }) => sendMessage(to, `Your code is ${code}`) }),
    keys,
  ],
})
