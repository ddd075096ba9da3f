import type { Scenario } from '../scenario.ts'
import { eventScenarios } from './events.ts'
import { linkingDecisionScenarios } from './linking-decisions.ts'
import { sessionCallbackScenarios } from './session-callbacks.ts'
import { sessionCookieScenarios } from './session-cookies.ts'
import { sessionFaultScenarios } from './session-faults.ts'
import { sessionRedeploymentScenarios } from './session-redeployments.ts'
import { sessionRenewalScenarios } from './session-renewal.ts'
import { sessionRowScenarios } from './session-row.ts'
import { sessionTokenScenarios } from './session-token.ts'
import { sessionUpdateScenarios } from './session-update.ts'
import { signInCallbackScenarios } from './sign-in-callbacks.ts'
import { signOutScenarios } from './sign-out.ts'

/** The scenarios of sessions: how they start, last and end. */
export const sessionScenarios: readonly Scenario[] = [
  ...sessionTokenScenarios,
  ...sessionRowScenarios,
  ...sessionUpdateScenarios,
  ...sessionCallbackScenarios,
  ...sessionFaultScenarios,
  ...signInCallbackScenarios,
  ...eventScenarios,
  ...signOutScenarios,
  ...sessionRenewalScenarios,
  ...linkingDecisionScenarios,
  ...sessionCookieScenarios,
  ...sessionRedeploymentScenarios,
]
