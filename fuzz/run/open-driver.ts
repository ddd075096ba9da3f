import module from 'node:module'
import { once } from '../../src/crypto/once.ts'
import { driveLibrary, type Ground } from '../targets/library.ts'
import type { LibraryPlace, Replacement } from '../targets/find-target.ts'
import type { Driver, LibraryTarget } from '../targets/target.ts'
import { prepareGround } from './ground.ts'
import { renewModules } from './renew-modules.ts'

/** Drivers of one library in this thread. */
export interface Drivers {
  /** The one whose modules all share that ask for it. */
  readonly share: () => Promise<Driver>
  /** One with modules of its own, where those of the library can be loaded anew; else the shared one. */
  readonly renew: () => Promise<Driver>
}

/** Prepares this thread, whose globals it takes over, for a library. */
export function prepareDrivers(target: LibraryPlace): Drivers {
  const ground = prepareGround()
  if (target.mutant) spoilSource(target.mutant)
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

/** From now on one source file is loaded with a fault in it. */
function spoilSource({ file, find, replace }: Replacement): void {
  const url = new URL(`../../${file}`, import.meta.url).href
  module.registerHooks({
    load(each, context, next) {
      const loaded = next(each, context)
      if (each.split('?', 1)[0] !== url || loaded.source === undefined || loaded.source === null)
        return loaded
      const source =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString()
      const parts = source.split(find)
      if (parts.length !== 2)
        throw new Error(`${file}: the text to replace is there ${parts.length - 1} times`)
      return { ...loaded, source: parts.join(replace) }
    },
  })
}
