/** What one request costs, in things that can be counted. */
export interface Cost {
  /** Cryptography that goes to the thread pool and back, tens of microseconds each. */
  readonly jobs: number
  /** Our own and the runtime's. */
  readonly promises: number
  readonly timers: number
  /** Operations of the adapter. */
  readonly store: number
  /** Requests to the provider. */
  readonly fetches: number
}

const synchronous: Cost = { jobs: 0, promises: 3, timers: 0, store: 0, fetches: 0 }

/**
 * By the names of the benchmark's jobs and of `test/bench/own-flows.ts`, on the Node that is installed here, when
 * everything was asked for before. More than this fails the build. Who makes it less writes the new number here:
 * `node test/performance/count.ts` prints it.
 */
export const costs: Readonly<Record<string, Cost>> = {
  'session (JWT)': synchronous,
  'session (none)': synchronous,
  'session (database)': { jobs: 0, promises: 14, timers: 1, store: 1, fetches: 0 },
  'OAuth sign-in': { jobs: 0, promises: 180, timers: 7, store: 0, fetches: 2 },
  'credentials sign-in': { jobs: 0, promises: 41, timers: 2, store: 0, fetches: 0 },
  'OAuth sign-in (database)': { jobs: 0, promises: 199, timers: 9, store: 3, fetches: 2 },
  'OAuth sign-in (stored user)': { jobs: 0, promises: 201, timers: 9, store: 2, fetches: 2 },
  'mailed link': { jobs: 0, promises: 158, timers: 11, store: 4, fetches: 0 },
  'passkey sign-in': { jobs: 4, promises: 196, timers: 8, store: 4, fetches: 0 },
  'sign-out': { jobs: 0, promises: 13, timers: 0, store: 0, fetches: 0 },
  'access token refreshed': { jobs: 0, promises: 105, timers: 5, store: 4, fetches: 1 },
  csrf: synchronous,
  providers: synchronous,
  'sign-in page': { jobs: 0, promises: 23, timers: 1, store: 0, fetches: 0 },
  encode: { jobs: 0, promises: 2, timers: 0, store: 0, fetches: 0 },
  decode: { jobs: 0, promises: 4, timers: 0, store: 0, fetches: 0 },
  'decode, third of 3 secrets': { jobs: 0, promises: 4, timers: 0, store: 0, fetches: 0 },
}

/** What a process has loaded when it has answered its first session request. */
export const loaded = {
  /** Files of `src`, `machines` and `spec`, at most: growth by a few is growth, by dozens a page or a ceremony too early. */
  own: 110,
  packages: ['cookie', 'xstate'],
}
