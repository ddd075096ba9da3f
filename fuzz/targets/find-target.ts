import { existsSync } from 'node:fs'
import module from 'node:module'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Application } from './url.ts'

/** Where a target is: a module, or a running application. */
export type Target = LibraryPlace | ApplicationPlace

/** A module whose default export is a `LibraryTarget`. */
export interface LibraryPlace {
  readonly kind: 'library'
  readonly name: string
  /** URL of the module. */
  readonly module: string
  /** Folders, as URLs, whose modules keep all its state, and are ES modules: they can be loaded anew within a thread. */
  readonly renewable?: readonly string[] | undefined
}

/** A running application. */
export interface ApplicationPlace extends Application {
  readonly kind: 'url'
  readonly name: string
}

/**
 * What a word of the command line names: `ours`, a published implementation that is installed (`auth-core@0.41.3`), the
 * URL of the routes of a running application, or the path of a module.
 *
 * @throws {Error} that says what was expected, when it names nothing
 */
export function findTarget(word: string): Target {
  if (/^https?:\/\//.test(word)) return { kind: 'url', name: word, url: word.replace(/\/$/, '') }
  const here = new URL(import.meta.url)
  if (word === 'ours') {
    const file = new URL(here.pathname.endsWith('.ts') ? './ours.ts' : './ours.js', here)
    const { resolve: find } = module.createRequire(here)
    const library = ['authmachine', 'authmachine/machines'].map((name) => pathToFileURL(find(name)))
    const folders = [here, ...library].map((url) => new URL('.', url).href)
    return {
      kind: 'library',
      name: word,
      module: file.href,
      // Node.js has what loads modules anew from 22.15 on.
      renewable: 'registerHooks' in module ? folders : undefined,
    }
  }
  const peer = new URL(`../peers/core/${word.replace('@', '-')}.js`, here)
  if (/^[\w-]+@[\d.]+$/.test(word)) {
    if (!existsSync(peer)) throw new Error(`Expected the name of a published target, got "${word}"`)
    if (!existsSync(new URL('../peers/core/node_modules', here)))
      throw new Error(`${word} is not installed: npm run peers`)
    return { kind: 'library', name: word, module: peer.href }
  }
  const path = isAbsolute(word) ? word : resolve(word)
  if (existsSync(path)) return { kind: 'library', name: word, module: pathToFileURL(path).href }
  throw new Error(`Expected "ours", a published target, a URL or the path of a module, got "${word}"`)
}
