import { type AuthError, InvalidConfig } from '../errors/classes.ts'
import { describeIgnoredCeremonies } from '../features/options.ts'
import type { Option } from './option.ts'
import { options } from './options.ts'
import { readElsewhere } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Settings } from './settings.ts'

/** Returns how many letters to insert, remove, replace or swap with a neighbour to turn one word into the other. */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = []
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 0; row <= from.length; row++) {
    const current: number[] = []
    rows.push(current)
    for (let column = 0; column <= to.length; column++) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const areSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = areSwapped ? at(row - 2, column - 2) + 1 : Infinity
      const nearest = Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1)
      current.push(row + column === 0 ? 0 : nearest)
    }
  }
  return at(from.length, to.length)
}

interface UnknownName {
  readonly path: string
  /** Whether the value is or contains a function, which may be an access rule. */
  readonly isHook: boolean
  /** The known name closest to it. */
  readonly nearest?: string
  /** Whether the closest name differs by one letter, or only in case. */
  readonly isClose: boolean
  /** The fix, if only integrations that are not in use read this name or a similar one. */
  readonly instead: string | undefined
}

/**
 * Finds a function that would never be called, because its name is misspelt or only an integration that is not in use
 * reads it. It may be an access rule (decisions 44 and 55).
 */
export function checkNames(config: AuthConfig): AuthError | undefined {
  const found = findUnknown(config).find(isFault)
  if (!found) return undefined
  const { path, nearest, instead } = found
  return new InvalidConfig(
    instead === undefined
      ? `\`${path}\` is not an option, so it would never be called. Rename it to \`${nearest}\``
      : `\`${path}\` is an option of other integrations, and has no effect here. ${instead}`,
  )
}

/** Describes the other unknown options of a configuration, each with the closest known name. */
export function describeUnknown(config: AuthConfig): readonly string[] {
  return findUnknown(config)
    .filter((unknown) => !isFault(unknown))
    .map(({ path, nearest }) =>
      nearest === undefined
        ? `\`${path}\` is not an option and has no effect`
        : `\`${path}\` is not an option and has no effect. Did you mean \`${nearest}\`?`,
    )
}

/** Describes the options that have no effect, each with the option to use instead. */
export function describeIgnored(
  { jwt }: AuthConfig,
  strategy: string,
  providers: Settings['providers'],
): string[] {
  const ended = 'Sessions in a database end when they are deleted'
  return [
    ...(jwt?.revocations && strategy === 'database'
      ? [`\`jwt.revocations\` has no effect with the session strategy "database". ${ended}`]
      : []),
    ...[...providers.values()].flatMap((provider) => describeIgnoredCeremonies(provider)),
  ]
}

function isFault({ isHook, isClose, instead }: UnknownName): boolean {
  return instead !== undefined || (isHook && isClose)
}

function findUnknown(config: AuthConfig): readonly UnknownName[] {
  return [
    ...findUnknownIn(config, options, '', listForeign('', config)),
    ...Object.entries<Option>(options).flatMap(([group, { members, isOpen }]) => {
      if (!members || isOpen) return []
      const prefix = `${group}.`
      const given: unknown = Reflect.get(config, group)
      return findUnknownIn(given, members, prefix, listForeign(prefix, config))
    }),
  ]
}

function findUnknownIn(
  given: unknown,
  names: object,
  prefix: string,
  foreign: ReturnType<typeof listForeign>,
): readonly UnknownName[] {
  if (typeof given !== 'object' || given === null) return []
  const unread = foreign.filter(({ instead }) => instead !== undefined)
  const known = [
    ...Object.keys(names),
    ...foreign.filter((each) => !unread.includes(each)).map(({ name }) => name),
  ]
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && value !== null && !known.includes(name))
    .map(([name, value]) => {
      const { nearest, distance } = findNearest(name, known)
      const isNear = distance <= Math.max(1, Math.floor(name.length / 3))
      const isHook = prefix === 'callbacks.' || prefix === 'events.' || holdsFunction(value)
      const reach = isHook ? 1 : 0
      return {
        path: `${prefix}${name}`,
        isHook,
        isClose: distance <= 1,
        ...(isNear && { nearest: `${prefix}${nearest}` }),
        instead: unread.find((each) => measure(name, each.name) <= reach)?.instead,
      }
    })
}

function holdsFunction(value: unknown): boolean {
  const members = typeof value === 'object' && value !== null ? Object.values(value) : []
  return [value, ...members].some((member) => typeof member === 'function')
}

function findNearest(name: string, known: readonly string[]) {
  return known
    .map((nearest) => ({ nearest, distance: measure(name, nearest) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best))
}

/** The edit distance, ignoring case. */
function measure(name: string, other: string): number {
  return editDistance(name.toLowerCase(), other.toLowerCase())
}

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
  /** The replacement, if nothing reads the name. */
  readonly instead: string | undefined
}

/** Lists the foreign names of a group, without their prefix. */
function listForeign(
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
