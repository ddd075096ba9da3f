import { createClient } from 'redis'
import { createRateLimits } from '../../../src/rate-limit.ts'

export const client = createClient({ url: process.env['REDIS_URL'] })
client.on('error', console.error)
await client.connect()

export const limits = createRateLimits({
  store: { type: 'redis', client },
  account: ({ username }) => username,
  // nginx sets it: proxy_set_header X-Real-IP $remote_addr
  clientAddress: ({ headers }) => headers.get('x-real-ip') ?? undefined,
})
