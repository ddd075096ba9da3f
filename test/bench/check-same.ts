import assert from 'node:assert/strict'
import * as app from './application.ts'
import { ours, type Contestant, type Job } from './contestants.ts'

/** What an answer comes to for the browser: comparable between implementations of one protocol. */
interface Answered {
  readonly status?: number
  readonly location?: string | null
  readonly body?: unknown
  /** Claims of a token, or of the session token that was set, without those that are of the moment. */
  readonly claims?: unknown
  /** Names of the cookies set and cleared. */
  readonly sets?: readonly string[]
  readonly clears?: readonly string[]
}

/** Where the protocol's implementations differ, and why their work is still compared. */
const known: Partial<Record<Job, (answered: Answered) => Answered>> = {
  // Ours gives out a new CSRF token at a sign-in, which @auth/core does not: we do more.
  'OAuth sign-in': ({ claims, ...answered }) => {
    // Without a store everybody gets an id of the moment.
    const { sub: _sub, ...person } = claims as Record<string, unknown>
    return without({ ...answered, claims: person }, app.cookies.csrf)
  },
  'credentials sign-in': (answered) => without(answered, app.cookies.csrf),
  // @auth/core sends the cookie again with each answer, ours when it changes: we do less.
  'session (database)': (answered) => without(answered, app.cookies.session),
  // Pages look as each likes.
  'sign-in page': ({ status }) => ({ status }),
}

/**
 * Holds what the contestants answer against each other before they are timed: those of the same protocol to the letter,
 * the others as to who is signed in.
 * @throws AssertionError when one does other work
 */
export async function checkSame(job: Job, contestants: readonly Contestant[]): Promise<void> {
  const settle = known[job] ?? ((answered: Answered) => answered)
  const [first, ...others] = await Promise.all(
    contestants.map(async (each) => ({ name: each.name, answer: await each.jobs[job]?.() })),
  )
  if (!first) return
  const expected = settle(await describe(first.answer))
  assertWork(job, expected)
  for (const { name, answer } of others) {
    if (name.startsWith('better-auth')) await assertSamePerson(job, name, answer)
    else assert.deepEqual(settle(await describe(answer)), expected, `${name} answers "${job}" differently`)
  }
}

async function describe(answer: unknown): Promise<Answered> {
  if (!(answer instanceof Response))
    return { claims: typeof answer === 'string' ? await open(answer) : withoutMoment(answer) }
  const lines = answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])
  const [, , session] = lines.find(([, name, value]) => name === app.cookies.session && value) ?? []
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    body: isJson ? withoutMoment(await answer.json()) : undefined,
    claims: session?.startsWith('ey') ? await open(session) : undefined,
    sets: lines.flatMap(([, name, value]) => (name && value ? name : [])).toSorted(),
    clears: lines.flatMap(([, name, value]) => (name && !value ? name : [])).toSorted(),
  }
}

async function open(token: string): Promise<unknown> {
  return withoutMoment(await ours.decode({ token, secret: app.secret, salt: app.cookies.session }))
}

/** Expiry to the day, and nothing of the time of issue. */
function withoutMoment(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { iat: _iat, exp: _exp, jti: _jti, expires, ...lasting } = body as Record<string, unknown>
  const days =
    typeof expires !== 'string' ? undefined : Math.round((Date.parse(expires) - Date.now()) / 86_400_000)
  return { ...lasting, days }
}

function without(answered: Answered, cookie: string): Answered {
  return { ...answered, sets: answered.sets?.filter((name) => name !== cookie) }
}

/** All might fail alike: what the job is about has to have happened. */
function assertWork(job: Job, { status, body, claims, location }: Answered): void {
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
  assert.equal(user?.name, app.user.name, `${name} knows somebody else in "${job}"`)
}
