import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { moveTo } from './sessions.ts'

/** How many do it at once. */
export const count = fc.integer({ min: 2, max: 3 })

/** The last member wherever it is used: of a record, fast-check loses what comes after one that has to be cloned. */
export const scheduler = fc.scheduler()

/** As many tabs of one browser as it says, as it is now. */
export function tabsOf(world: World, browser: Browser, many: number): Browser[] {
  return Array.from({ length: many }, () => moveTo(world, browser, world.people.ada))
}
