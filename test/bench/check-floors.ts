import assert from 'node:assert/strict'
import * as app from './application.ts'
import type { Handle } from './browser.ts'
import { type Job, openContestant, ours } from './contestants.ts'
import { type Floor, openFloorFlows, openReads } from './floors/open.ts'
import { openHandles, signUp } from './own-flows.ts'
import { browse, openSite, signIns, type SignIn, type Site } from './sign-ins.ts'

/** An implementation of the flows, and its site. */
export interface Opened {
  readonly site: Site
  readonly handles: Readonly<Record<SignIn, Handle>>
}

/** Opens this library's flows, for a site whose user has signed up. */
export async function openOurs(): Promise<Opened> {
  const site = openSite()
  await signUp(site)
  return { site, handles: openHandles(site) }
}

/** A response without the values that differ from run to run: tokens, times and random values. */
interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly claims: readonly (readonly [name: string, claims: unknown])[]
  readonly body: string
}

async function show(response: Response): Promise<Shown> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'))
  const { location } = headers
  const cookies = lastOfEachName(response.headers.getSetCookie()).toSorted()
  return {
    status: response.status,
    headers: { ...headers, ...(location && { location: hide(location) }) },
    cookies: cookies.map((line) =>
      line.replace(/^([^=]+)=[^;]+/, '$1=…').replace(/Expires=[^;]+/, 'Expires=…'),
    ),
    claims: await Promise.all(cookies.map(readClaims)),
    body: hide(await response.clone().text()),
  }
}

/** The floors clear no variants of a cookie, which an earlier configuration may have set. */
function lastOfEachName(lines: readonly string[]): string[] {
  return [...new Map(lines.map((line) => [line.split('=', 1)[0], line])).values()]
}

/** Hides random values, which have at least 40 characters, and times. */
function hide(text: string): string {
  return text.replace(/[\w-]{40,}(\.[\w.-]*)?|\d{4}(-\d\d){2}T[\d:.]+Z/g, '…')
}

/** The names of the sealed claims, and the values of claims that depend neither on the time nor on chance. */
async function readClaims(line: string): Promise<readonly [string, unknown]> {
  const [, name = '', token = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (!token.startsWith('ey')) return [name, undefined]
  const claims: unknown = await ours.decode({ token, secret: app.secret, salt: name })
  const { iat, exp, jti: _jti, sub, ...others } = claims as Record<string, unknown>
  const shown = JSON.parse(hide(JSON.stringify(others)), (key, value: unknown) =>
    key === 'expires' ? '…' : value,
  )
  const isRandom = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(sub))
  return [name, { ...shown, lifetime: Number(exp) - Number(iat), sub: isRandom ? '…' : sub }]
}

/** Performs a flow and returns all responses. */
async function record(name: SignIn, { site, handles }: Opened): Promise<readonly Shown[]> {
  const responses: Response[] = []
  await browse[name](async (request) => {
    const response = await handles[name](request)
    responses.push(response.clone())
    return response
  }, site)
  return Promise.all(responses.map(show))
}

/**
 * Removes the parts that the bare floor omits: the new CSRF token, two headers, and the lifetimes of cookies for one
 * flow.
 */
function asBare({ status, headers, cookies, claims, body }: Shown): unknown {
  const isBare = ([name]: readonly [string, unknown]) => name === app.cookies.session
  return {
    status,
    location: headers['location'],
    cookies: cookies.flatMap((line) =>
      line.startsWith(app.cookies.csrf) ? [] : line.slice(0, line.indexOf(';')),
    ),
    claims: claims.filter(isBare),
    body,
  }
}

const reads = ['session (JWT)', 'session (none)', 'session (database)', 'csrf'] as const satisfies Job[]

/** Compares the responses of the jobs that only read, for which the bare floor omits nothing. */
async function checkReads(): Promise<void> {
  const mine = (await openContestant(ours)).jobs
  const floor = openReads()
  for (const job of reads) {
    const [expected, found] = [await mine[job]?.(), await floor[job]?.()]
    assert.ok(expected instanceof Response && found instanceof Response)
    assert.deepEqual(
      await show(found),
      await show(expected),
      `The bare floor responds differently to "${job}"`,
    )
  }
}

/**
 * Compares each response of the floors' flows with that of this library: status, headers, cookies with their
 * attributes, claims and body. The bare floor may omit the parts that {@link asBare} drops.
 *
 * @throws AssertionError when a response differs
 */
export async function checkFloors(): Promise<void> {
  await checkReads()
  const mine = await openOurs()
  for (const floor of ['bare floor', 'protected floor'] satisfies Floor[]) {
    const opened = await openFloorFlows(floor)
    for (const name of signIns) {
      const settle = floor === 'bare floor' ? asBare : (shown: Shown) => shown
      const [expected, found] = [await record(name, mine), await record(name, opened)]
      assert.deepEqual(
        found.map(settle),
        expected.map(settle),
        `The ${floor} responds differently to "${name}"`,
      )
    }
  }
}
