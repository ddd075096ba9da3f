import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

/** A line of the audit log. */
export interface Entry {
  readonly at: string
  readonly what: string
  readonly userId?: string | undefined
  readonly provider?: string | undefined
}

/** Replace this with an append-only table or a log service. */
export const log: Entry[] = []

function record(what: string, userId?: string, provider?: string) {
  log.push({ at: new Date().toISOString(), what, userId, provider })
}

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [GitHub],
  events: {
    createUser: ({ user }) => record('user created', user.id),
    linkAccount: ({ user, account }) => record('account linked', user.id, account.provider),
    signIn: ({ user, account }) => record('signed in', user.id, account?.provider),
    signOut: (message) =>
      record('signed out', 'session' in message ? message.session?.userId : message.token?.sub),
    unlinkAccount: ({ user, account }) => record('account unlinked', user.id, account.provider),
    deleteUser: ({ userId }) => record('user deleted', userId),
  },
  logger: {
    // The message is for operators. It may contain data of a provider, so keep only the type.
    error: (error) => record(`failed: ${error.name}`),
  },
})
