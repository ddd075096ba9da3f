import { Redis } from 'ioredis'
import { redisAdapter } from '../../../src/adapters/redis.ts'

export const client = new Redis(process.env['REDIS_URL'] ?? 'redis://localhost')
client.on('error', console.error)

export const adapter = redisAdapter(client)
