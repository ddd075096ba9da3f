import { createAuth } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import { adapter } from './store.ts'
import { sendMail } from './mail.ts'

export const auth = createAuth({
  adapter,
  providers: [
    Password({
      async sendLink({ identifier, url, user }) {
        const subject = user ? 'Set a new password' : 'Welcome to Example'
        await sendMail(identifier, subject, `Choose your password here within an hour: ${url}`)
      },
      checkBreached: true,
    }),
  ],
})
