import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { checkPassword } from './passwords.js'

export const adapter = memoryAdapter()

export const auth = createAuth({
  adapter,
  providers: [
    Credentials({
      name: 'Password',
      credentials: {
        email: { label: 'E-mail', type: 'email', required: true, autocomplete: 'username' },
        password: { label: 'Password', type: 'password', required: true, autocomplete: 'current-password' },
      },
      async authorize({ email, password }) {
        if (typeof email !== 'string' || typeof password !== 'string') return null
        const user = await adapter.getUserByEmail(email.trim().toLowerCase())
        const isRight = await checkPassword(user?.id, password)
        return isRight ? user : null
      },
    }),
  ],
})
