import assert from 'node:assert/strict'
import * as app from './application.ts'
import { ours, type Contestant, type Job } from './contestants.ts'

/** The parts of a response that matter to the browser, comparable between implementations of the protocol. */
interface Summary {
  readonly status?: number
  readonly location?: string | null
  readonly body?: unknown
  /** Claims of the token, or of the session token in the cookie, without those that depend on the time. */
  readonly claims?: unknown
  /** Names of the cookies that are set and cleared. */
  readonly sets?: readonly string[]
  readonly clears?: readonly string[]
}

/** Known differences between the implementations, and why their work is still comparable. */
const known: Partial<Record<Job, (summary: Summary) => Summary>> = {
  // This library issues a new CSRF token at sign-in and @auth/core does not, so this library does more.
  'OAuth sign-in': ({ claims, ...summary }) => {
    // Without a store each sign-in gets a random id.
    const { sub: _sub, ...person } = claims as Record<string, unknown>
    return without({ ...summary, claims: person }, app.cookies.csrf)
  },
  'credentials sign-in': (summary) => without(summary, app.cookies.csrf),
  // @auth/core sends the cookie in each response, this library only when it changes, so this library does less.
  'session (database)': (summary) => without(summary, app.cookies.session),
  // The pages look different.
  'sign-in page': ({ status }) => ({ status }),
  'sign-in page, 10 providers': ({ status }) => ({ status }),
}

/**
 * Compares the contestants' responses before they are timed. Responses of the same protocol must be identical; other
 * libraries must have the same user signed in.
 * @throws AssertionError when a contestant's response differs
 */
export async function checkSame(job: Job, contestants: readonly Contestant[]): Promise<void> {
  const settle = known[job] ?? ((summary: Summary) => summary)
  const [first, ...others] = await Promise.all(
    contestants.map(async (each) => ({ name: each.name, answer: await each.jobs[job]?.() })),
  )
  if (!first) return
  const expected = settle(await describe(first.answer))
  assertWork(job, expected)
  for (const { name, answer } of others) {
    if (name.startsWith('better-auth')) await assertSamePerson(job, name, answer)
    else
      assert.deepEqual(settle(await describe(answer)), expected, `${name} responds differently to "${job}"`)
  }
}

async function describe(answer: unknown): Promise<Summary> {
  if (!(answer instanceof Response))
    return { claims: typeof answer === 'string' ? await open(answer) : withoutTimes(answer) }
  const lines = answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])
  const [, , session] = lines.find(([, name, value]) => name === app.cookies.session && value) ?? []
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    body: isJson ? withoutTimes(await answer.json()) : undefined,
    claims: session?.startsWith('ey') ? await open(session) : undefined,
    sets: lines.flatMap(([, name, value]) => (name && value ? name : [])).toSorted(),
    clears: [...new Set(lines.flatMap(([, name, value]) => (name && !value ? name : [])))].toSorted(),
  }
}

async function open(token: string): Promise<unknown> {
  return withoutTimes(await ours.decode({ token, secret: app.secret, salt: app.cookies.session }))
}

/** Keeps the expiry rounded to days, and drops the time of issue. */
function withoutTimes(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { iat: _iat, exp: _exp, jti: _jti, expires, ...lasting } = body as Record<string, unknown>
  const days =
    typeof expires !== 'string' ? undefined : Math.round((Date.parse(expires) - Date.now()) / 86_400_000)
  return { ...lasting, days }
}

function without(summary: Summary, cookie: string): Summary {
  return { ...summary, sets: summary.sets?.filter((name) => name !== cookie) }
}

/** Checks that the job succeeded, since all contestants could fail in the same way. */
function assertWork(job: Job, { status, body, claims, location }: Summary): void {
  const isSession = job === 'session (JWT)' || job === 'session (database)'
  if (isSession) assert.deepEqual((body as { user?: unknown }).user, withoutId(app.user))
  if (job === 'session (none)') assert.equal(body, null)
  if (job.endsWith('sign-in')) assert.deepEqual([status, location], [302, app.origin])
  if (/sign-in$|code|JWT/.test(job)) assert.equal((claims as { email?: unknown }).email, app.user.email)
}

function withoutId({ id: _id, ...user }: typeof app.user) {
  return user
}

async function assertSamePerson(job: Job, name: string, answer: unknown): Promise<void> {
  assert.ok(answer instanceof Response)
  if (job === 'session (none)') return assert.equal(await answer.json(), null)
  const hasSession = answer.headers.getSetCookie().some((line) => /session_token=[^;]/.test(line))
  if (job.endsWith('sign-in')) return assert.ok(hasSession, `${name} set no session in "${job}"`)
  const { user } = (await answer.json()) as { user?: { name?: unknown } }
  assert.equal(user?.name, app.user.name, `${name} has the wrong user in "${job}"`)
}
