import * as app from '../application.ts'
import type { Contestant } from '../contestants.ts'
import type { Handle } from '../browser.ts'
import { browse, openSite, signIns, type SignIn, type Site } from '../sign-ins.ts'
import { signUp } from '../own-flows.ts'
import { openBareFlows, openBareReads } from './bare.ts'
import { openProtectedFlows } from './protected.ts'

/** Opens the jobs that read a session, in which only the token needs protection. */
export function openReads(): Contestant['jobs'] {
  const { readSession, readNone, readStored, readCsrf, session } = openBareReads()
  const token = session.seal(app.claims)
  const held = `${app.heldCookies}; ${app.cookies.session}=${token}`
  const ask = (path: string, cookie: string) =>
    new Request(`${app.origin}/auth/${path}`, { headers: { cookie } })
  return {
    'session (JWT)': () => readSession(ask('session', held)),
    'session (none)': () => readNone(ask('session', app.heldCookies)),
    'session (database)': () =>
      readStored(ask('session', `${app.heldCookies}; ${app.cookies.session}=${'f'.repeat(64)}`)),
    csrf: () => readCsrf(ask('csrf', app.heldCookies)),
    encode: () => session.seal(app.claims),
    decode: () => session.open(token),
  }
}

const flowsOf = { 'bare floor': openBareFlows, 'protected floor': openProtectedFlows } as const
export type Floor = keyof typeof flowsOf

/** Opens the flows of a floor, for a site whose user has signed up. */
export async function openFloorFlows(floor: Floor): Promise<{
  readonly site: Site
  readonly handles: Readonly<Record<SignIn, Handle>>
}> {
  const site = openSite()
  await signUp(site)
  return { site, handles: flowsOf[floor](site) }
}

/** Opens a floor as a contestant. */
export async function openFloor(floor: Floor): Promise<Contestant> {
  const { site, handles } = await openFloorFlows(floor)
  const flows = signIns.map((name) => [name, () => browse[name](handles[name], site)] as const)
  return { name: floor, jobs: { ...(floor === 'bare floor' && openReads()), ...Object.fromEntries(flows) } }
}
