import type { Scenario } from '../scenario.ts'
import { sessionCallbackScenarios } from './session-callbacks.ts'
import { sessionFaultScenarios } from './session-faults.ts'
import { sessionRowScenarios } from './session-row.ts'
import { sessionTokenScenarios } from './session-token.ts'
import { sessionUpdateScenarios } from './session-update.ts'

/** The stories of sessions: how they begin, live and end. */
export const sessionScenarios: readonly Scenario[] = [
  ...sessionTokenScenarios,
  ...sessionRowScenarios,
  ...sessionUpdateScenarios,
  ...sessionCallbackScenarios,
  ...sessionFaultScenarios,
]
