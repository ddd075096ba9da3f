import {
  type AuthError,
  InvalidConfig,
  MissingAdapter,
  MissingAdapterMethods,
  UnsupportedStrategy,
} from '../errors/classes.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Needs, Option } from './option.ts'
import { options } from './options.ts'
import { describe, type Rule } from './rule.ts'
import type { Settings } from './settings.ts'

type Check = (path: string, value: unknown, option: Option) => AuthError | undefined

/** Checks the type of every option. Undefined and null count as not set. */
export function checkShape(config: AuthConfig): AuthError | undefined {
  return checkMembers(config, options, '', (path, value, { rule, each }) => {
    const fault = rule && judge(path, value, rule)
    if (fault || !each) return fault
    return findFirst(Object.entries(Object(value)), ([name, member]) =>
      judge(`${path}.${name}`, member, each),
    )
  })
}

/** Checks that the site has everything that its options need, such as an adapter. */
export function checkNeeds(config: AuthConfig, settings: Settings): AuthError | undefined {
  return checkMembers(config, options, '', (path, value, { needs }) =>
    needs && value !== false ? checkNeed(path, needs, settings) : undefined,
  )
}

function checkNeed(path: string, { strategy, adapter }: Needs, settings: Settings): AuthError | undefined {
  const { session, store } = settings
  if (strategy && session.strategy !== strategy)
    return new UnsupportedStrategy(`\`${path}\` needs the session strategy "${strategy}"`)
  if (!adapter) return undefined
  if (!store) return new MissingAdapter(`\`${path}\` needs an adapter. Set \`adapter\``)
  const missing = adapter(settings).filter((operation) => !store.has(operation))
  if (missing.length === 0) return undefined
  const names = missing.map((name) => `\`${name}\``).join(' and ')
  return new MissingAdapterMethods(`\`${path}\` needs an adapter with ${names}`)
}

/** Returns the first fault of the options that are set. A group is checked before its members. */
function checkMembers(
  group: unknown,
  members: Readonly<Record<string, Option>>,
  prefix: string,
  check: Check,
): AuthError | undefined {
  return findFirst(Object.entries(members), ([name, option]) => {
    const value: unknown = Reflect.get(Object(group), name)
    if (value === undefined || value === null) return undefined
    const path = prefix + name
    return check(path, value, option) ?? checkMembers(value, option.members ?? {}, `${path}.`, check)
  })
}

function findFirst<T>(list: readonly T[], check: (each: T) => AuthError | undefined): AuthError | undefined {
  for (const each of list) {
    const fault = check(each)
    if (fault) return fault
  }
  return undefined
}

function judge(path: string, value: unknown, rule: Rule): AuthError | undefined {
  if (value === undefined || value === null || rule.accepts(value)) return undefined
  return new InvalidConfig(`\`${path}\` must be ${rule.takes}, got ${(rule.describe ?? describe)(value)}`)
}
