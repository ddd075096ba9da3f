import module from 'node:module'
import { driveLibrary, type Ground } from '../targets/library.ts'
import type { LibraryPlace, Replacement } from '../targets/find-target.ts'
import type { Driver, LibraryTarget } from '../targets/target.ts'
import { prepareGround } from './ground.ts'
import { renewModules } from './renew-modules.ts'

/**
 * Prepares this thread, whose globals it takes over, for a library.
 * @returns what opens a driver: with modules of its own each time, where those of the library can be loaded anew
 */
export function prepareDriver(target: LibraryPlace): () => Promise<Driver> {
  const ground = prepareGround()
  if (target.mutant) spoilSource(target.mutant)
  if (target.renewable) {
    const renew = renewModules(target.renewable)
    return () => openDriver(target, renew(target.module), ground)
  }
  const driver = openDriver(target, target.module, ground)
  return () => driver
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
      if (each !== url || loaded.source === undefined || loaded.source === null) return loaded
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
