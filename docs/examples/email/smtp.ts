import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [
    Nodemailer({
      server: process.env['EMAIL_SERVER'],
      from: 'Example <no-reply@example.com>',
      confirm: 'always',
    }),
  ],
})
