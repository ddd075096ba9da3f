import type { Settings } from '../config/settings.ts'
import type { AuthError } from '../errors/classes.ts'

/** What every site loads of an optional feature. The rest is loaded if the feature is on. */
export interface OptionalFeature {
  readonly name: string
  readonly isOn: (settings: Settings) => boolean
  /** Returns a fault of the configuration that the record of an option cannot express, or undefined. */
  readonly check?: (settings: Settings) => AuthError | undefined
}
