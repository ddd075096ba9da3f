import { copyOfError } from '../copies/copy-handed-out.ts'
import { settingsOf } from '../config/derive-settings.ts'
import type { Observe } from '../flows/engine/run.ts'
import { type ReplaceFlow, sameFlow } from '../flows/engine/flow.ts'
import { sessionFlow } from '../flows/session/flow.ts'
import { visitSession } from '../http/parse-visit.ts'
import type { RequestParts } from '../http/parts.ts'
import { writeCookies } from '../http/respond.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import type { AuthConfig } from '../types/config.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { Session } from '../types/records.ts'
import type { Authentication } from '../types/authentication.ts'
import { createWorld, runFlow } from './run-flow.ts'
import { fireEvents } from './fire-events.ts'

/** A session, and, if sessions record it, how its user authenticated. */
interface ReadSession extends FoundSession {
  readonly authentication?: Authentication
}

/**
 * Creates the function that reads the session of a request to the application. The reader throws or rejects on failure.
 * @param replace used by tests only
 * @param observe called for each hop of each run
 */
export function createSessionReader(replace: ReplaceFlow = sameFlow, observe?: Observe) {
  const flow = replace(sessionFlow)
  return (request: RequestParts, config: AuthConfig, sendsCookies: boolean): MaybePromise<ReadSession> => {
    const settings = settingsOf(config)
    if (settings.fault) throw copyOfError(settings.fault)
    const visit = visitSession(request, settings, sendsCookies)
    if ('refused' in visit) return { session: null, cookies: [] }
    const world = createWorld(settings)
    const result = runFlow(flow, visit, undefined, world, { observe })
    return whenReady(result, (read) => {
      const { status, announces = [], logs, cookies = [], authentication } = read
      if (status !== 200) throw logs ?? new Error(`The session flow ended with status ${status}`)
      const fired = fireEvents([...world.out.announcements, ...announces], settings)
      return whenReady(fired, () => ({
        session: isSession(read.body) ? read.body : null,
        cookies: sendsCookies ? writeCookies([...world.out.cookies, ...cookies]) : [],
        ...(authentication && { authentication }),
      }))
    })
  }
}

/** Clients of the ecosystem read an empty object as no session. */
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
