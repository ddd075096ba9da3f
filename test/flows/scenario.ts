import type { openApp } from '../support/app.ts'

/** What a scenario gets: an application opened on the library's flows, or on broken ones. */
export interface Stage {
  readonly open: typeof openApp
}

/** A story told with real Requests, that holds for the flows as they are drawn and not for broken ones. */
export interface Scenario {
  /** Begins with the ids of the requirements that it witnesses. */
  readonly name: string
  readonly run: (stage: Stage) => Promise<void>
}

export function scenario(name: string, run: (stage: Stage) => Promise<void>): Scenario {
  return { name, run }
}
