import type { RevocationStore } from '../types/revocation.ts'
import { openScript, type RedisClient, rootOf } from './redis-client.ts'

/** Values stay text: Lua writes large numbers with 14 digits. */
const script = `
if ARGV[1] == 'find' then
  local found = {}
  for n = 2, #ARGV do found[n - 1] = redis.call('GET', KEYS[1] .. ARGV[n]) end
  return found
end
local key, value, seconds = KEYS[1] .. ARGV[2], ARGV[3], tonumber(ARGV[4])
local held = redis.call('GET', key)
if held and tonumber(held) > tonumber(value) then value = held end
redis.call('SET', key, value, 'EX', math.max(seconds, redis.call('TTL', key)))
`

/** Options of the list in Redis. */
export interface RedisRevocationsOptions {
  /**
   * The start of all keys, without braces. If several applications share a server, give each a different prefix.
   * @default 'authmachine'
   */
  readonly prefix?: string
}

/**
 * Stores revoked JWT sessions in Redis, with your client from the package `redis` or `ioredis`. They expire
 * automatically. Redis must not evict them: set `maxmemory-policy noeviction`.
 *
 * @param client a connected client, which the list neither opens nor closes
 * @param options the start of the keys
 * @returns a store for `jwt.revocations`
 * @throws TypeError if the prefix is empty or contains braces
 * @example
 * Auth(request, { jwt: { revocations: redisRevocations(client) }, ... })
 */
export function redisRevocations(
  client: RedisClient,
  { prefix = 'authmachine' }: RedisRevocationsOptions = {},
): RevocationStore {
  const send = openScript(client, script)
  const root = `${rootOf(prefix)}revoked:`
  return {
    async find(keys) {
      const found = (await send(root, ['find', ...keys])) as readonly (string | null)[]
      return found.map((value) => (value === null ? null : Number(value)))
    },
    add: (key, value, seconds) => send(root, ['add', key, String(value), String(seconds)]),
  }
}
