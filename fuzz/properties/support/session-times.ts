import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** The expiry that a session shows, in milliseconds since 1970. */
export const shownEnd = (json: unknown) => Date.parse(String(member(json, 'expires')))

/** Advances the clock to a moment in the future. */
export function goTo(world: World, moment: number): void {
  world.assume(moment >= world.clock.now(), 'the moment is in the past')
  world.advance((moment - world.clock.now()) / 1000)
}
