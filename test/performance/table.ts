/** The countable costs of one request. */
export interface Cost {
  /** Cryptography in the thread pool, tens of microseconds each. */
  readonly jobs: number
  /** Calls of the random generator, several microseconds each. */
  readonly draws?: number
  /** Promises of the library and of the runtime. */
  readonly promises: number
  /** Deadlines: of each step that waits, each call of the provider, and the body of a POST. */
  readonly timers: number
  /** Adapter calls. */
  readonly store: number
  /** Requests to the provider. */
  readonly fetches: number
  /** Tokens encrypted. */
  readonly seals?: number
  /** Tokens decrypted. */
  readonly opens?: number
  /** URLs parsed. */
  readonly urls?: number
  /** Response objects. */
  readonly responses?: number
  /** Expiry dates written for cookies: one, if a cookie is serialised once. */
  readonly expiries?: number
  /** Virtual elements of a page. */
  readonly elements?: number
}

const synchronous: Cost = { jobs: 0, promises: 3, timers: 0, store: 0, fetches: 0 }
const reading: Cost = { ...synchronous, draws: 0, promises: 2, seals: 0, urls: 1, responses: 0, expiries: 0 }
const signInPage: Cost = { ...synchronous, promises: 27, timers: 1 }

/**
 * By the names of the benchmark's jobs and of `test/bench/own-flows.ts`, on the Node of the development dependencies,
 * after a warm-up. A higher cost fails the build. If you lower one, write the new number here: `node
 * test/performance/count.ts` prints it.
 */
export const costs: Readonly<Record<string, Cost>> = {
  // One URL is that of the Request. A date is written for each cookie, and for the body.
  'session (JWT)': { ...synchronous, draws: 0, seals: 1, opens: 1, urls: 2, responses: 1, expiries: 2 },
  'session (none)': { ...synchronous, seals: 0, opens: 0, urls: 2, responses: 1, expiries: 0 },
  'session (database)': {
    jobs: 0,
    promises: 7,
    timers: 1,
    store: 1,
    fetches: 0,
    seals: 0,
    opens: 0,
    urls: 2,
    responses: 1,
    expiries: 0,
  },
  // The Request exists already, and no response sends a new token.
  'getSession (JWT)': { ...reading, opens: 1 },
  'getSession (none)': { ...reading, opens: 0 },
  'getSession (store)': { ...reading, promises: 8, timers: 1, store: 1, opens: 0 },
  // A step has a deadline only if it waits for something.
  'OAuth sign-in': {
    jobs: 0,
    // State, code verifier, user id and CSRF token. The ids of tokens come from a pool.
    draws: 4,
    promises: 229,
    timers: 21,
    store: 0,
    fetches: 2,
    urls: 15,
    responses: 4,
    expiries: 6,
  },
  'credentials sign-in': {
    jobs: 0,
    draws: 1,
    promises: 49,
    timers: 8,
    store: 0,
    fetches: 0,
    urls: 3,
    expiries: 2,
  },
  'OAuth sign-in (database)': { jobs: 0, promises: 241, timers: 23, store: 3, fetches: 2, urls: 15 },
  'OAuth sign-in (stored user)': { jobs: 0, promises: 241, timers: 22, store: 2, fetches: 2, urls: 15 },
  // The stamp of the account: one call for the request, and two when the link is opened.
  'mailed link': {
    jobs: 0,
    draws: 2,
    promises: 187,
    timers: 21,
    store: 7,
    fetches: 0,
    opens: 2,
    urls: 4,
    expiries: 4,
  },
  'passkey sign-in': {
    jobs: 4,
    draws: 2,
    promises: 160,
    timers: 16,
    store: 4,
    fetches: 0,
    urls: 6,
    expiries: 4,
  },
  // Opens the token, to clear it where the browser keeps it.
  'sign-out': { jobs: 0, draws: 1, promises: 32, timers: 4, store: 0, fetches: 0, opens: 1, urls: 3 },
  'access token refreshed': { jobs: 0, promises: 93, timers: 6, store: 4, fetches: 1 },
  csrf: synchronous,
  providers: synchronous,
  'sign-in page': signInPage,
  'sign-in page, 10 providers': signInPage,
  encode: { jobs: 0, promises: 2, timers: 0, store: 0, fetches: 0 },
  decode: { jobs: 0, promises: 4, timers: 0, store: 0, fetches: 0 },
  'decode, third of 3 secrets': { jobs: 0, promises: 4, timers: 0, store: 0, fetches: 0 },
}

/** The modules that a process has loaded after its first session request. */
export const loaded = {
  /**
   * The most files of `src`, `machines` and `spec`. A few more are normal growth; dozens more mean that a page or a
   * ceremony is loaded too early.
   */
  own: 104,
  /** The most files of the build. Each file adds a fraction of a millisecond to a cold start. */
  built: 4,
  /** Kilobytes of the entry for middleware, with all that it can load and with XState, readable and after gzip. */
  edge: 76,
  /** Kilobytes of a handler with one OAuth provider before it loads a flow, minified. */
  handler: 158,
  packages: ['cookie', 'xstate'],
}
