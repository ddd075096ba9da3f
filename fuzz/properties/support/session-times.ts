import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** When a session ends, by what was shown: milliseconds since 1970. */
export const shownEnd = (json: unknown) => Date.parse(String(member(json, 'expires')))

/** Goes to a moment; clocks do not go back. */
export function goTo(world: World, moment: number): void {
  world.demand(moment >= world.clock.now(), 'that was before now')
  world.pass((moment - world.clock.now()) / 1000)
}
