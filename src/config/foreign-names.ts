import { readElsewhere } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'

/**
 * Names that only published integrations read from the configuration (next-auth, auth-astro, authey,
 * `@auth/solid-start`), and what to use instead if no such integration is in use.
 */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ['prefix', 'Set `basePath` instead'],
  ['injectEndpoints', 'Remove it'],
  ['configFile', 'Remove it'],
  ['conform', 'Remove it'],
  [
    'callbacks.authorized',
    'Decide in `createProxy` of `authmachine/next`, or call `requireSession` where the rule applies',
  ],
])

interface ForeignName {
  readonly name: string
  /** What to use instead if nothing reads the name. */
  readonly instead: string | undefined
}

/** Lists the foreign names of a group, without their prefix. */
export function listForeign(
  prefix: string,
  { [readElsewhere]: read }: Pick<AuthConfig, typeof readElsewhere>,
): readonly ForeignName[] {
  return [...foreignNames]
    .map(([path, instead]) => ({ path, name: path.slice(prefix.length), instead }))
    .filter(({ path, name }) => path === prefix + name && !name.includes('.'))
    .map(({ path, name, instead }) => ({
      name,
      instead: read && !read.includes(path) ? instead : undefined,
    }))
}
