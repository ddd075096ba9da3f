import type { Situation } from '../situation.ts'
import { callbackSituations, linkSituations } from './callback.ts'
import { configurationSituations } from './configuration.ts'
import { passkeySituations } from './passkeys.ts'
import { proxySituations } from './proxy.ts'
import { sessionSituations } from './session.ts'
import { formSituations, mailSituations, signInSituations } from './sign-in.ts'

/** All situations, in the order of the table. */
export const situations: readonly Situation[] = [
  ...configurationSituations,
  ...signInSituations,
  ...mailSituations,
  ...formSituations,
  ...callbackSituations,
  ...linkSituations,
  ...passkeySituations,
  ...sessionSituations,
  ...proxySituations,
]
