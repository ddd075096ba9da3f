import { existsSync } from 'node:fs'
import module from 'node:module'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Application } from './url.ts'

/** The location of a target: a module, or a running application. */
export type Target = LibraryPlace | ApplicationPlace

/** A module whose default export is a `LibraryTarget`. */
export interface LibraryPlace {
  readonly kind: 'library'
  readonly name: string
  /** The URL of the module. */
  readonly module: string
  /** The folders, as URLs, of the ES modules with all its state. A thread can reload these. */
  readonly renewable?: readonly string[] | undefined
}

/** A running application. */
export interface ApplicationPlace extends Application {
  readonly kind: 'url'
  readonly name: string
}

/** The names of the targets that test this library. */
export const ownTargets: readonly string[] = ['ours', 'ours-everything', 'ours-gated']

/**
 * Finds the target that a command-line argument names: `ours`, an installed published implementation
 * (`auth-core@0.41.3`), the URL of the routes of a running application, or the path of a module.
 *
 * @throws {Error} if there is no such target
 */
export function findTarget(word: string): Target {
  if (/^https?:\/\//.test(word)) return { kind: 'url', name: word, url: word.replace(/\/$/, '') }
  const here = new URL(import.meta.url)
  if (ownTargets.includes(word)) {
    const file = new URL(`./${word}.${here.pathname.endsWith('.ts') ? 'ts' : 'js'}`, here)
    const { resolve: find } = module.createRequire(here)
    const library = ['authmachine', 'authmachine/machines'].map((name) => pathToFileURL(find(name)))
    const folders = [here, ...library].map((url) => new URL('.', url).href)
    return {
      kind: 'library',
      name: word,
      module: file.href,
      // Reloading modules needs Node.js 22.15.
      renewable: 'registerHooks' in module ? folders : undefined,
    }
  }
  const peer = new URL(`../peers/core/${word.replace('@', '-')}.js`, here)
  if (/^[\w-]+@[\d.]+$/.test(word)) {
    if (!existsSync(peer)) throw new Error(`Expected the name of a published target, got "${word}"`)
    if (!existsSync(new URL('../peers/core/node_modules', here)))
      throw new Error(`${word} is not installed. Run: npm ci --prefix fuzz/peers/core`)
    return { kind: 'library', name: word, module: peer.href }
  }
  const path = isAbsolute(word) ? word : resolve(word)
  if (existsSync(path)) return { kind: 'library', name: word, module: pathToFileURL(path).href }
  throw new Error(`Expected "ours", a published target, a URL or the path of a module, got "${word}"`)
}
