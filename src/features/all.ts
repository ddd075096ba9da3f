/** The optional features of the library. No other module names them, except for the other lists in this folder. */
import type { AuthConfig } from '../types/config.ts'
import type { Feature } from '../types/feature.ts'
import { emailChange } from './email-change/feature.ts'
import { emailChangeOption } from './email-change/options.ts'

/** The options that turn features on. */
export const featureOptions = { emailChange: emailChangeOption } as const

const heads: readonly ((config: AuthConfig) => Feature | undefined)[] = [emailChange]

/** Returns the features that the options of a configuration turn on. */
export function listOptional(config: AuthConfig): readonly Feature[] {
  return heads.flatMap((head) => head(config) ?? [])
}
