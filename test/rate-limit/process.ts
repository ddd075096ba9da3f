/** One of several processes that count attempts of one address on the same Redis server, 20 in a minute. */
import { once } from 'node:events'
import { createClient } from 'redis'
import { createRateLimits } from '../../src/rate-limit.ts'

const [, , url = '', attempts = ''] = process.argv
const client = createClient({ url })
await client.connect()
const { rateLimit } = createRateLimits({
  store: { type: 'redis', client },
  prefix: 'processes',
  limits: { email: { attempts: 20, seconds: 60 } },
})
const request = new Request('https://app.test/')
const attempt = { type: 'email', provider: 'mail', identifier: 'ada@example.com', request } as const

process.send?.('ready')
await once(process, 'message')
const results = await Promise.all(Array.from({ length: Number(attempts) }, () => rateLimit(attempt)))
process.send?.(results.filter((result) => result === true).length)
client.destroy()
process.disconnect()
