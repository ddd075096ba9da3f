import type { Described } from '../../targets/target.ts'
import { Absent } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'

/** Returns the description's functions. @throws {Absent} if the application has the routes of Auth.js */
export function describedBy({ described }: World): Described {
  if (!described) throw new Absent('the application has no description')
  return described
}
