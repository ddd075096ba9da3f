import type { Setup } from '../../targets/setup.ts'
import type { Action } from '../action.ts'

/** A few features and people: few enough to try every sequence. */
export interface Configuration {
  readonly name: string
  readonly setup: Setup
  readonly browsers: readonly string[]
  /** The actions before the search. */
  readonly begin: readonly Action[]
  readonly actions: readonly Action[]
  /** The capabilities that the configuration tests. */
  readonly needs: readonly string[]
}
