import type { World } from '../../flows/engine/world.ts'
import { emailChangeOption } from './options.ts'
import type { EmailChange } from './types.ts'

/** Returns the value of the option, which the check of the configuration has accepted. */
export function chosenOptions({ feature }: World): Required<EmailChange> {
  return { maxAge: emailChangeOption.members.maxAge.default, ...(feature?.options as EmailChange) }
}
