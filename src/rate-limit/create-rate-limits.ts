import { type Counter, type CounterStore, openCounter, type RateLimit } from './counter.ts'
import { networkOf } from './client-network.ts'
import { normalise } from '../text/normalise.ts'
import type { RateLimitParams, RateLimitRefusal } from '../types/rate-limit.ts'

/** The limits. `false` turns one off. */
export interface RateLimitTable {
  /** Links mailed to an address. @default 5 in an hour */
  readonly email: RateLimit | false
  /** Tokens looked up for an address. @default 10 in an hour */
  readonly verification: RateLimit | false
  /** Calls of `authorize` for an account. @default 10 in 15 minutes */
  readonly credentials: RateLimit | false
  /** Attempts that a feature of the site describes, by their name and subject. @default 10 in an hour */
  readonly feature: RateLimit | false
  /** Attempts of any type by a client, if `clientAddress` is set. @default 100 in 15 minutes */
  readonly client: RateLimit | false
}

/** Options of {@link createRateLimits}. */
export interface RateLimitOptions {
  /** Where attempts are counted. @default the memory of this process */
  readonly store?: CounterStore
  /**
   * Returns the IP address of the client, without a port, or undefined if it is unknown. Read it from a header that your
   * own proxy overwrites: clients can send any `X-Forwarded-For`.
   *
   * @default no limit by client address
   */
  readonly clientAddress?: (request: Request) => string | undefined
  /**
   * Returns the field by which `authorize` looks the account up. Required with a `Credentials` provider. Attempts at
   * `Password` count by e-mail address without it, but `reset` needs it.
   */
  readonly account?: (credentials: Readonly<Record<string, unknown>>) => unknown
  /** The limits that differ from the defaults. */
  readonly limits?: Partial<RateLimitTable>
  /**
   * The start of all keys. If several applications share a store, give each a different prefix.
   * @default 'authmachine'
   */
  readonly prefix?: string
  /** Receives the errors of the store. @default writes them to the console */
  readonly onError?: (error: Error) => void
}

/** The counters of an application. */
export interface RateLimits {
  /** For `callbacks.rateLimit`. */
  readonly rateLimit: (attempt: RateLimitParams) => Promise<true | RateLimitRefusal>
  /**
   * Resets a count. Call it in `authorize` when the credentials are correct, or in a feature when a secret was right, with
   * the attempt that the feature has described and its name as `provider`.
   */
  readonly reset: (
    attempt:
      | { readonly provider: string; readonly credentials: Readonly<Record<string, unknown>> }
      | { readonly provider: string; readonly attempt: string; readonly identifier: string },
  ) => Promise<void>
}

/**
 * Creates counters for `callbacks.rateLimit`, on the package `rate-limiter-flexible`, which you install. An attempt over
 * a limit is refused until the window of the limit ends, and refused attempts do not extend the window.
 *
 * If the store fails or does not respond within a second, each process counts in its own memory. `rateLimit` rejects with
 * a TypeError if `account` returns no text, or `clientAddress` no address.
 *
 * @param options the store of the counters, and their limits
 * @returns the callback, and a function that resets a count
 * @throws TypeError if a limit is invalid
 * @example
 * const { rateLimit, reset } = createRateLimits({ store: { type: 'redis', client } })
 * Auth(request, { callbacks: { rateLimit }, ... })
 */
export function createRateLimits(options: RateLimitOptions = {}): RateLimits {
  const counters = openCounters(options)

  const nameAccount = (
    provider: string,
    credentials: Readonly<Record<string, unknown>>,
    name = options.account?.(credentials),
  ) => {
    if (typeof name !== 'string')
      throw new TypeError('Set `account` of `createRateLimits` to a function that returns the user name')
    return JSON.stringify([provider, foldName(name)])
  }

  return {
    async rateLimit(attempt) {
      const client = counters.client && options.clientAddress?.(attempt.request)
      const refused = client === undefined ? undefined : await counters.client?.count(networkOf(client))
      const wait = refused ?? (await countSubject(attempt))
      return wait === undefined ? true : { retryAfter: wait }
    },
    reset: async (attempt) =>
      'credentials' in attempt
        ? counters.credentials?.reset(nameAccount(attempt.provider, attempt.credentials))
        : counters.feature?.reset(nameAttempt(attempt.provider, attempt.attempt, attempt.identifier)),
  }

  /** Counts by address, account or subject. */
  async function countSubject(attempt: RateLimitParams): Promise<number | undefined> {
    switch (attempt.type) {
      case 'credentials':
        return counters.credentials?.count(
          nameAccount(attempt.provider, attempt.credentials, attempt.account),
        )
      case 'email':
      case 'verification':
        return counters[attempt.type]?.count(attempt.identifier)
      case 'feature':
        // Otherwise, all visitors would share one count.
        return attempt.identifier === undefined
          ? undefined
          : counters.feature?.count(nameAttempt(attempt.provider, attempt.attempt, attempt.identifier))
      // Passkeys cannot be guessed, and guesses at second factors are limited already: they count by client only.
      default:
        return undefined
    }
  }
}

function nameAttempt(provider: string, attempt: string, identifier: string): string {
  return JSON.stringify([provider, attempt, identifier])
}

const quarter = 15 * 60
const hour = 60 * 60

/** NIST SP 800-63B-4 3.2.2 allows 100 consecutive failures for an account. */
const defaults: RateLimitTable = {
  email: { attempts: 5, seconds: hour },
  verification: { attempts: 10, seconds: hour },
  credentials: { attempts: 10, seconds: quarter },
  feature: { attempts: 10, seconds: hour },
  client: { attempts: 100, seconds: quarter },
}

type Counters = { readonly [Name in keyof RateLimitTable]: Counter | undefined }

function openCounters({
  store,
  limits,
  prefix = 'authmachine',
  onError = logError,
}: RateLimitOptions): Counters {
  const open = (name: keyof RateLimitTable) => {
    const limit = limits?.[name] ?? defaults[name]
    if (limit === false) return undefined
    checkLimit(name, limit)
    return openCounter(`${prefix}:${name}`, limit, store, onError)
  }
  return {
    email: open('email'),
    verification: open('verification'),
    credentials: open('credentials'),
    feature: open('feature'),
    client: open('client'),
  }
}

function logError(error: Error): void {
  // oxlint-disable-next-line no-console -- the callback has no logger
  console.error('The store of the rate limits failed. This process counts in its own memory.', error)
}

/** Timers have 31 bits of milliseconds. */
const longest = 2_147_483

function checkLimit(name: string, { attempts, seconds }: RateLimit): void {
  const isPositive = (value: number) => Number.isSafeInteger(value) && value > 0
  if (isPositive(attempts) && isPositive(seconds) && seconds <= longest) return
  throw new TypeError(
    `\`limits.${name}\` must be positive integers, \`seconds\` at most ${longest}, got ${attempts} attempts in ${seconds} seconds`,
  )
}

/** Longer names, such as tokens, are counted unchanged. */
const longestName = 512

/** Databases of applications compare names without regard to case, and often without regard to width and blanks. */
function foldName(name: string): string {
  const trimmed = name.trim()
  return normalise(trimmed, 'NFKC', longestName)?.trim().toLowerCase() ?? trimmed
}
