import type { openApp } from '../support/app.ts'

/** The argument of a scenario: opens an application on the library's flows, or on mutated ones. */
export interface Stage {
  readonly open: typeof openApp
}

/** A scenario of real Requests that passes on the library's flows, and fails on mutated ones. */
export interface Scenario {
  /** Starts with the ids of the requirements that it proves. */
  readonly name: string
  readonly run: (stage: Stage) => Promise<void>
}

export function scenario(name: string, run: (stage: Stage) => Promise<void>): Scenario {
  return { name, run }
}
