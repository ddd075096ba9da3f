import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { moveTo } from './sessions.ts'

/** The number of concurrent requests. */
export const count = fc.integer({ min: 2, max: 3 })

/** Put it last in a record: fast-check drops the members after one that it has to clone. */
export const scheduler = fc.scheduler()

/** Opens this many tabs of a browser with its current cookies. */
export function tabsOf(world: World, browser: Browser, many: number): Browser[] {
  return Array.from({ length: many }, () => moveTo(world, browser, world.people.ada))
}
