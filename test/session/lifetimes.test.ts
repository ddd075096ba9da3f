import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { platform, skipCSRFCheck } from '../../src/types/symbols.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openAgent } from '../support/browser-agent.ts'
import { plant, sentExpiry, sessionCookie } from '../support/session-cookie.ts'
import { spread } from '../support/spread.ts'

const secret = 'a secret for the tests that is long enough'
const begin = Date.UTC(2030, 0, 1)

/** Seconds, down to quarters. */
const age = (longest: number) => fc.integer({ min: 1, max: longest * 4 }).map((quarters) => quarters / 4)

const accesses = fc.array(
  fc.record({
    /** Waits until a moment of change, give or take a millisecond, or for an arbitrary time. */
    until: fc.constantFrom('now', 'due', 'over', 'whenever'),
    offset: fc.constantFrom(-1, 0, 1),
    share: fc.double({ min: 0, max: 1.5, noNaN: true }),
    method: fc.constantFrom('GET', 'POST'),
  }),
  { minLength: 1, maxLength: 12 },
)

const cases = fc.record({
  maxAge: fc.oneof(age(10), age(1000), age(1e7)),
  /** As fractions of maxAge. Beyond 1 nothing is ever due. */
  updateShare: fc.constantFrom(0, 0, 0.1, 0.5, 1, 1.5),
  start: fc.integer({ min: 0, max: 999 }).map((milliseconds) => begin + milliseconds),
  accesses,
})

type Access = typeof accesses extends fc.Arbitrary<(infer A)[]> ? A : never

/** Milliseconds to wait, chosen to hit the model's moments exactly. */
function waitFor({ until, offset, share }: Access, now: number, due: number, over: number): number {
  if (until === 'now') return 0
  if (until === 'whenever') return Math.floor((over - now) * share)
  return Math.max(0, (until === 'due' ? due : over) + offset - now)
}

/** A browser with a session, and a clock. */
function open(config: Partial<AuthConfig>, start: number) {
  let time = start
  const handle = createHandler()
  const complete: AuthConfig = {
    trustHost: true,
    secret,
    providers: [],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    skipCSRFCheck,
    ...config,
    [platform]: { now: () => time },
  }
  const agent = openAgent('https://app.test', async (request) => {
    const response = await handle(request, complete)
    if (response instanceof Response) return response
    throw new TypeError('no raw mode here')
  })
  return {
    agent,
    wait: (milliseconds: number) => (time += milliseconds),
    async access(method: string) {
      const response = await agent.send('/auth/session', method === 'POST' ? { json: { data: 1 } } : {})
      const body: { readonly expires: string } | null = await response.json()
      return {
        status: response.status,
        expires: body && Date.parse(body.expires),
        cookie: sentExpiry(response),
      }
    },
  }
}

describe('a database session, for all ages and access patterns', () => {
  it('SE-05 SE-06 SE-07 SE-13 is extended, written and ended as the model predicts', async () => {
    const count = spread('row lifetimes')
    await fc.assert(
      fc.asyncProperty(cases, async ({ maxAge, updateShare, start, accesses: list }) => {
        const updateAge = maxAge * updateShare
        const store = memoryAdapter()
        await store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
        await store.createSession({
          sessionToken: 'id',
          userId: 'ada',
          expires: new Date(start + maxAge * 1000),
        })
        let writes = 0
        const adapter = { ...store, updateSession: (row: never) => (writes++, store.updateSession(row)) }
        const { agent, wait, access } = open({ adapter, session: { maxAge, updateAge } }, start)
        plant(agent, 'id')

        // The model: everything follows from the time of the last write.
        let [now, written, cookie] = [start, start, start + maxAge * 1000]
        for (const each of list) {
          const [due, over] = [written + Math.round(updateAge * 1000), written + maxAge * 1000]
          now = wait(waitFor(each, now, due, over))
          const before = writes
          const seen = await access(each.method)
          expect(seen.status).toBe(200)
          if (now >= over) {
            count.count(now === over ? 'ended on the exact millisecond' : 'ended')
            expect([seen.expires, writes - before, await store.getSessionAndUser('id')]).toEqual([
              null,
              0,
              null,
            ])
            expect(agent.cookies()).not.toHaveProperty(sessionCookie)
            return
          }
          count.count(
            now >= due ? (now === due ? 'written on the exact millisecond' : 'written') : 'unchanged',
          )
          expect(writes - before).toBe(now >= due ? 1 : 0)
          if (now >= due) written = now
          expect(seen.expires).toBe(written + maxAge * 1000)
          expect((await store.getSessionAndUser('id'))?.session.expires.getTime()).toBe(
            written + maxAge * 1000,
          )
          cookie = seen.cookie ?? cookie
          expect(Math.abs(cookie - (written + maxAge * 1000))).toBeLessThan(1000)
        }
        count.count('still valid')
      }),
      { numRuns: 300 },
    )
    for (const situation of [
      'ended',
      'ended on the exact millisecond',
      'written',
      'unchanged',
      'still valid',
    ])
      count.atLeast(situation, 15)
    count.atLeast('written on the exact millisecond', 10)
    count.report()
  }, 60_000)
})

describe('a JWT session, for all ages and access patterns', () => {
  it('SE-05 SE-07 SE-25 DEC-24a is extended and ended as the model predicts', async () => {
    const count = spread('token lifetimes')
    const ages = fc.record({ cases, jwtShare: fc.constantFrom(undefined, 0.5, 1, 2) })
    await fc.assert(
      fc.asyncProperty(ages, async ({ cases: { maxAge, start, accesses: list }, jwtShare }) => {
        const life = Math.min(maxAge, maxAge * (jwtShare ?? 1))
        const jwt = jwtShare === undefined ? undefined : { maxAge: maxAge * jwtShare }
        const { agent, wait, access } = open({ jwt, session: { maxAge } }, start)
        const options = { salt: sessionCookie, maxAge: life, now: start }
        plant(agent, await createKeyring([secret], systemPlatform).seal({ name: 'Ada' }, options))

        // The model: a token's lifetime starts in the second of its issue, and every access issues one.
        let [now, issued] = [start, start]
        for (const each of list) {
          const over = Math.floor(issued / 1000) * 1000 + life * 1000
          now = wait(waitFor(each, now, over, over))
          const seen = await access(each.method)
          expect(seen.status).toBe(200)
          if (now >= over) {
            count.count(now === over ? 'ended on the exact millisecond' : 'ended')
            expect(seen.expires).toBeNull()
            expect(agent.cookies()).not.toHaveProperty(sessionCookie)
            return
          }
          count.count('renewed')
          issued = now
          const end = Math.floor(issued / 1000) * 1000 + life * 1000
          expect(seen.expires).toBe(end)
          expect(Math.abs((seen.cookie ?? 0) - end)).toBeLessThan(1000)
        }
        count.count('still valid')
      }),
      { numRuns: 300 },
    )
    for (const situation of ['ended', 'ended on the exact millisecond', 'renewed', 'still valid'])
      count.atLeast(situation, 15)
    count.report()
  }, 60_000)
})
