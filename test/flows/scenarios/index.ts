import type { Scenario } from '../scenario.ts'
import { authorizationRequestScenarios } from './authorization-request.ts'
import { signInScenarios } from './sign-in.ts'
import { transactionScenarios } from './transactions.ts'

/** All stories, for the test run and for the mutants. */
export const scenarios: readonly Scenario[] = [
  ...authorizationRequestScenarios,
  ...signInScenarios,
  ...transactionScenarios,
]
