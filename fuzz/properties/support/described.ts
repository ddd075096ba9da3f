import type { Described } from '../../targets/target.ts'
import { Absent } from '../../world/breach.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { remotes } from './consent.ts'

/** Returns the description's functions. @throws {Absent} if the application has the routes of Auth.js */
export function describedBy({ described }: World): Described {
  if (!described) throw new Absent('the application has no description')
  return described
}

/** Returns one of the providers that the application uses. */
export function findRemote(world: World, n: number): RemoteName {
  const used = remotes.filter((name) => world.idOf(name) !== undefined)
  const name = used[n % used.length]
  if (name === undefined) throw new Absent('the application has no provider that redirects')
  return name
}
