import { settingsOf } from '../config/derive-settings.ts'
import type { Observe } from '../flows/engine/run.ts'
import { findFlow, type FindFlow } from '../flows/flows.ts'
import { visitSession } from '../http/parse-visit.ts'
import type { RequestParts } from '../http/parts.ts'
import { writeCookies } from '../http/respond.ts'
import type { AuthConfig } from '../types/config.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { Session } from '../types/records.ts'
import { createWorld, runFlow } from './create-handler.ts'
import { fireEvents } from './finish.ts'

/**
 * Creates the function that reads the session of a request to the application. Custom flows are used by the mutation
 * tests only.
 * @param observe called for each hop of each run
 */
export function createSessionReader(find: FindFlow = findFlow, observe?: Observe) {
  return async (request: RequestParts, config: AuthConfig): Promise<FoundSession> => {
    const settings = settingsOf(config)
    if (settings.fault) throw settings.fault
    const visit = visitSession(request, settings)
    if ('refused' in visit) return { session: null, cookies: [] }
    const world = createWorld(settings)
    const {
      status,
      body,
      logs,
      announces,
      cookies = [],
    } = await runFlow(await find('session'), visit, undefined, world, observe)
    if (status !== 200) throw logs ?? new Error(`The session flow ended with status ${status}`)
    await fireEvents([...world.out.announcements, ...(announces ?? [])], settings)
    // The session flow serialises the session, so that a value without a JSON form fails there. In raw mode it returns
    // the object.
    const session: unknown = typeof body === 'string' ? JSON.parse(body) : body
    return {
      session: isSession(session) ? session : null,
      cookies: writeCookies([...world.out.cookies, ...cookies]),
    }
  }
}

/** Clients of the ecosystem read an empty object as no session. */
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
