import type { Adapter } from '../types/adapter.ts'
import type { Rule } from './rule.ts'
import type { Settings } from './settings.ts'

/**
 * An option. The reference takes its description from the comment of its type, which editors also show. The checks of a
 * configuration, the defaults of the settings and the table in the guide follow from the record and the comment.
 */
export interface Option {
  /** Without a rule, any value is accepted here, and another check follows. */
  readonly rule?: Rule
  /** The default, unless it depends on other options. */
  readonly default?: unknown
  readonly needs?: Needs
  /** The options that it groups. */
  readonly members?: Readonly<Record<string, Option>>
  /** The rule of each member, whether its name is known or not. */
  readonly each?: Rule
  /** Whether members of other names have an effect, such as the levels of a logger. */
  readonly isOpen?: boolean
  /** Whether it turns on a change that needs a recent sign-in, so that sessions record when their users signed in. */
  readonly needsRecentSignIn?: boolean
}

/** The other settings that a site needs if it sets an option. */
export interface Needs {
  readonly strategy?: 'jwt' | 'database'
  /** Operations of the adapter. An empty list still needs an adapter. */
  readonly adapter?: (settings: Settings) => readonly (keyof Adapter)[]
}

/** One option for each member of a type. The compiler reports missing and unknown names. */
export type Members<T> = { readonly [Name in keyof T & string]-?: Option }
