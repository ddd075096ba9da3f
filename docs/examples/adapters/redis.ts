import { createClient } from 'redis'
import { redisAdapter } from '../../../src/adapters/redis.ts'

export const client = createClient({ url: process.env['REDIS_URL'] })
// The client reconnects automatically. Without this listener, an error would end the process.
client.on('error', console.error)
await client.connect()

export const adapter = redisAdapter(client)
