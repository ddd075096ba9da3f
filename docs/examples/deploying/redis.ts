import { createClient } from 'redis'
import { redisAdapter } from '../../../src/adapters/redis.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

/** Every server calls this when it starts. */
export async function openAuth() {
  const client = createClient({ url: process.env['REDIS_URL'] })
  client.on('error', console.error)
  await client.connect()
  return { auth: createAuth({ adapter: redisAdapter(client), providers: [GitHub] }), client }
}
