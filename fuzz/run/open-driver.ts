import module from 'node:module'
import { driveLibrary } from '../targets/library.ts'
import type { LibraryPlace, Replacement } from '../targets/find-target.ts'
import type { Driver, LibraryTarget } from '../targets/target.ts'
import { prepareGround } from './ground.ts'

/** Loads a library into this thread, whose globals it takes over. */
export async function openDriver(target: LibraryPlace): Promise<Driver> {
  const ground = prepareGround()
  if (target.mutant) spoilSource(target.mutant)
  const loaded: { readonly default?: LibraryTarget } = await import(target.module)
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
