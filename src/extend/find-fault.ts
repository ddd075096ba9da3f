import { describe } from '../config/rule.ts'
import { type AuthError, InvalidConfig, MissingAdapter, MissingAdapterMethods } from '../errors/classes.ts'
import { optionalActions, routes } from '../routes.ts'
import type { Feature, FeatureDefinition } from '../types/feature.ts'
import type { findFault } from '../types/symbols.ts'

const ownActions: ReadonlySet<string> = new Set([...routes.map(({ action }) => action), ...optionalActions])

type Site = Parameters<Feature[typeof findFault]>[0]

/** The cookie of held sign-ins is called `sign-in`. */
const reserved = /^sign(-|$)/

/** Returns the fault of a feature in a configuration, or undefined (FT-05). */
export function findFeatureFault(
  feature: FeatureDefinition,
  { features, providers, store }: Site,
): AuthError | undefined {
  const { name } = feature
  const fault =
    findFaultOfName(name) ??
    feature.check?.(feature.options) ??
    findFaultOfRoutes(feature) ??
    findFaultOfProviders(feature, providers) ??
    findFaultOfWay(feature) ??
    findSameMethod(feature, features) ??
    findFaultOfFunctions(feature) ??
    undefined
  if (fault !== undefined) return new InvalidConfig(`The feature "${String(name)}": ${fault}`)
  const similar = features.filter((other) => isSimilar(other.name, name)).map((other) => other.name)
  if (similar.length > 1)
    return new InvalidConfig(
      `Two features need names that differ more: ${similar.map((each) => `"${each}"`).join(' and ')}`,
    )
  return findMissing(feature, store)
}

/** Similar names would share states, routes, cookies or records. */
function isSimilar(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].toSorted((a, b) => a.length - b.length)
  return long.startsWith(`${short}-`) || one.replaceAll('-', '') === other.replaceAll('-', '')
}

function findFaultOfName(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name))
    return `\`name\` must be lower-case letters, digits and hyphens, got ${describe(name)}`
  return reserved.test(name) || ownActions.has(name) ? 'the library uses this name' : undefined
}

function findFaultOfRoutes({ name, routes: own = {} }: FeatureDefinition): string | undefined {
  const isOwn = (action: string) => action === name || action.startsWith(`${name}-`)
  const foreign = Object.keys(own).find((action) => ownActions.has(action) || !isOwn(action))
  if (foreign !== undefined)
    return `its routes are "${name}" and those that begin with "${name}-", got "${foreign}"`
  return undefined
}

function findFaultOfProviders(
  { name, routes: own = {}, gate, signIn }: FeatureDefinition,
  providers: Site['providers'],
): string | undefined {
  for (const [action, { providers: ids }] of Object.entries(own)) {
    if (ids === undefined) continue
    if (!isListOfIds(ids))
      return `\`providers\` of the route "${action}" must be a list of at least one id, got ${describeList(ids)}`
    const unknown = ids.find((id) => !providers.has(id))
    if (unknown !== undefined)
      return `the route "${action}" names the provider "${String(unknown)}", which the site does not have`
    if (action === name && (gate ?? signIn))
      return `its gate and its form lead to the route "${name}", which therefore cannot have \`providers\``
  }
  return undefined
}

function isListOfIds(ids: unknown): boolean {
  return Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')
}

function describeList(ids: unknown): string {
  if (!Array.isArray(ids)) return describe(ids)
  return ids.length === 0 ? 'an empty list' : 'a list with other values'
}

function findFaultOfWay({ signIn }: FeatureDefinition): string | undefined {
  if (!signIn) return undefined
  const { amr, provenBy }: Record<'amr' | 'provenBy', unknown> = { provenBy: undefined, ...signIn }
  if (typeof amr !== 'string' || amr.trim() === '')
    return `\`signIn.amr\` must be a value of RFC 8176, got ${describe(amr)}`
  if (provenBy === undefined || provenBy === 'session') return undefined
  return `\`signIn.provenBy\` must be "session" or undefined, got ${describe(provenBy)}`
}

/** The session of an account that only a session proves is told from others by `amr` (FT-32). */
function findSameMethod({ name, signIn }: FeatureDefinition, features: Site['features']): string | undefined {
  if (signIn?.provenBy !== 'session') return undefined
  const other = features.find((each) => each.name !== name && each.signIn?.amr === signIn.amr)
  if (!other) return undefined
  return `with \`signIn.provenBy\`, \`signIn.amr\` must differ from that of other features, and "${other.name}" has "${signIn.amr}", too`
}

function findFaultOfFunctions({ methods, ends }: FeatureDefinition): string | undefined {
  for (const [member, functions] of Object.entries({ methods, ends }))
    for (const [name, given] of Object.entries(functions ?? {}))
      if (typeof given !== 'function')
        return `\`${member}.${name}\` must be a function, got ${describe(given)}`
  const unknown = Object.keys(ends ?? {}).find((name) => name !== 'session' && name !== 'credential')
  return unknown && `\`ends\` has the classes \`session\` and \`credential\`, got \`${unknown}\``
}

function findMissing({ name, needs }: FeatureDefinition, store: Site['store']): AuthError | undefined {
  if (!needs) return undefined
  if (!store) return new MissingAdapter(`The feature "${name}" needs an adapter. Set \`adapter\``)
  const missing = needs.filter((operation) => !store.has(operation)).map((each) => `\`${each}\``)
  if (missing.length === 0) return undefined
  return new MissingAdapterMethods(`The feature "${name}" needs an adapter with ${missing.join(' and ')}`)
}
