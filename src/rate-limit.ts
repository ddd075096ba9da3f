/** Limits on sign-in attempts, for the option `rateLimit`. */
export type { IoRedisClient, NodeRedisClient, RedisClient, ScriptOptions } from './adapters/redis-client.ts'
export type { CounterStore, PostgresClient, RateLimit, SqliteDatabase } from './rate-limit/counter.ts'
export {
  createRateLimits,
  type RateLimitOptions,
  type RateLimits,
  type RateLimitTable,
} from './rate-limit/create-rate-limits.ts'
export type { RateLimitParams, RateLimitRefusal } from './types/rate-limit.ts'
