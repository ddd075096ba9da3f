import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { createRateLimits } from '../../../src/rate-limit.ts'

const limits = createRateLimits({})

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [Nodemailer({ server: process.env['EMAIL_SERVER'], method: 'code' })],
  callbacks: { rateLimit: limits.rateLimit },
})
