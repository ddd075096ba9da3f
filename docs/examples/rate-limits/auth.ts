import { createAuth } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { limits } from './limits.ts'
import { checkPassword } from './users.ts'

export const auth = createAuth({
  callbacks: { rateLimit: limits.rateLimit },
  providers: [
    Credentials({
      credentials: { username: {}, password: { type: 'password' } },
      async authorize(credentials) {
        const user = await checkPassword(credentials)
        if (user) await limits.reset({ provider: 'credentials', credentials })
        return user
      },
    }),
  ],
})
