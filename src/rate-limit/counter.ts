import type * as Flexible from 'rate-limiter-flexible'
import type { RedisClient } from '../adapters/redis-client.ts'
import { asError } from '../errors/as-error.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { once } from '../async/once.ts'

/** A pool or client of the package `pg`. */
export interface PostgresClient {
  /** Runs a query. */
  query(query: { name?: string; text: string; values?: unknown[] }): Promise<unknown>
}

/** A database of the package `better-sqlite3`. */
export interface SqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): unknown
  /** Wraps a function in a transaction. */
  transaction(work: () => unknown): () => unknown
}

/** Where attempts are counted. SQL needs the table of the guide. */
export type CounterStore =
  | { readonly type: 'redis'; readonly client: RedisClient }
  | { readonly type: 'postgres'; readonly client: PostgresClient }
  | { readonly type: 'sqlite'; readonly client: SqliteDatabase }

/** How many attempts a window allows. */
export interface RateLimit {
  /** A positive integer. */
  readonly attempts: number
  /** The length of the window, which starts with the first attempt. At most 2147483. */
  readonly seconds: number
}

/** Counts the attempts of each subject, such as an address. */
export interface Counter {
  /** Returns the seconds until the next attempt if this one exceeds the limit. */
  readonly count: (subject: string) => Promise<number | undefined>
  readonly reset: (subject: string) => Promise<void>
}

/** Opens a counter. During an outage of the store, this process counts in its own memory (decision record 31). */
export function openCounter(
  name: string,
  { attempts, seconds }: RateLimit,
  store: CounterStore | undefined,
  onError: (error: Error) => void,
): Counter {
  const open = once(async () => {
    const flexible = await loadFlexible()
    const terms = { keyPrefix: name, points: attempts, duration: seconds }
    const shared = store && openLimiter(flexible, store, terms)
    return { flexible, memory: new flexible.RateLimiterMemory(terms), shared }
  })

  /** Returns undefined if there is no store, or it fails. */
  async function ask<T>(
    shared: Flexible.RateLimiterAbstract | undefined,
    work: (limiter: Flexible.RateLimiterAbstract) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return shared && (await withinSecond(work(shared)))
    } catch (error) {
      onError(asError(error))
    }
  }

  return {
    async count(subject) {
      const { flexible, memory, shared } = await open()
      const key = await sha256Hex(subject)
      const used =
        (await ask(shared, (limiter) => consume(limiter, key, flexible))) ??
        (await consume(memory, key, flexible))
      if (used.consumedPoints <= attempts) return undefined
      return Math.max(1, Math.ceil(used.msBeforeNext / 1000))
    },
    async reset(subject) {
      const { memory, shared } = await open()
      const key = await sha256Hex(subject)
      await memory.delete(key)
      await ask(shared, (limiter) => limiter.delete(key))
    },
  }
}

/** Only a site that uses the limits needs the package. @throws Error if it is not installed */
const loadFlexible = once(async (): Promise<typeof Flexible> => {
  try {
    return await import('rate-limiter-flexible')
  } catch (cause) {
    throw new Error(
      'Rate limits need the package rate-limiter-flexible: run `npm install rate-limiter-flexible`',
      {
        cause,
      },
    )
  }
})

/** The name of the table in SQL. */
const tableName = 'authmachine_rate_limits'

function openLimiter(
  flexible: typeof Flexible,
  store: CounterStore,
  terms: { keyPrefix: string; points: number; duration: number },
): Flexible.RateLimiterAbstract {
  const given = { ...terms, storeClient: store.client, tableName, tableCreated: true }
  switch (store.type) {
    case 'redis':
      return new flexible.RateLimiterRedis({ ...given, useRedisPackage: 'evalSha' in store.client })
    case 'postgres':
      return new flexible.RateLimiterPostgres({ ...given, storeType: 'client' })
    case 'sqlite':
      return new flexible.RateLimiterSQLite({ ...given, storeType: 'better-sqlite3' })
  }
}

/** Counts an attempt. The library rejects with the same result if the limit is exceeded. */
async function consume(
  limiter: Flexible.RateLimiterAbstract,
  key: string,
  { RateLimiterRes }: typeof Flexible,
): Promise<Flexible.RateLimiterRes> {
  try {
    return await limiter.consume(key)
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return reason
    throw reason
  }
}

/** Clients queue commands while they are not connected, and a user waits for the response. */
function withinSecond<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('The store of the rate limits did not respond within a second'))
    const timer = setTimeout(late, 1000)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
