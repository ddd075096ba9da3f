import { once } from 'authmachine/instrumented'
import { driveLibrary, type Ground } from '../targets/library.ts'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Driver, LibraryTarget } from '../targets/target.ts'
import { prepareGround } from './ground.ts'
import { renewModules } from './renew-modules.ts'

/** Drivers of one library in this thread. */
export interface Drivers {
  /** Returns the shared driver, which loads the library's modules once. */
  readonly share: () => Promise<Driver>
  /** Returns a driver with fresh modules if the library can be reloaded; otherwise the shared one. */
  readonly renew: () => Promise<Driver>
}

/**
 * Prepares this thread for a library, and replaces its globals.
 *
 * @param note receives the values that are drawn from the random generator
 */
export function prepareDrivers(target: LibraryPlace, note?: (drawn: Uint8Array | string) => void): Drivers {
  const ground = prepareGround(note)
  const rename = target.renewable && renewModules(target.renewable)
  const open = () => openDriver(target, rename ? rename(target.module) : target.module, ground)
  const share = once(open)
  return { share, renew: rename ? open : share }
}

async function openDriver(target: LibraryPlace, url: string, ground: Ground): Promise<Driver> {
  const loaded: { readonly default?: LibraryTarget } = await import(url)
  if (typeof loaded.default?.open !== 'function')
    throw new Error(
      `${target.name}: expected a default export with a function "open", got ${typeof loaded.default}`,
    )
  return driveLibrary({ ...loaded.default, name: target.name }, ground)
}
