import type { Scenario } from '../scenario.ts'
import { signInScenarios } from './sign-in.ts'

/** All stories, for the test run and for the mutants. */
export const scenarios: readonly Scenario[] = [...signInScenarios]
