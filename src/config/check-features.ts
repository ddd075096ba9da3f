import { type AuthError, InvalidConfig, MissingAdapter, MissingAdapterMethods } from '../errors/classes.ts'
import { routes } from '../routes.ts'
import type { AuthConfig } from '../types/config.ts'
import type { AnyFeature } from '../types/feature.ts'
import { describe } from './rule.ts'
import type { Settings } from './settings.ts'

const ownActions: ReadonlySet<string> = new Set(routes.map(({ action }) => action))

/** The name of the cookie of held sign-ins. */
const reserved: ReadonlySet<string> = new Set(['sign-in'])

/** Returns the first fault of the features, or undefined (FT-05). */
export function checkFeatures({ features }: AuthConfig, { store }: Settings): AuthError | undefined {
  const seen = new Set<string>()
  for (const feature of features ?? []) {
    const fault = checkFeature(feature, seen) ?? checkNeeds(feature, store)
    if (fault) return fault
    seen.add(feature.name)
  }
  return undefined
}

function checkFeature(feature: AnyFeature, seen: ReadonlySet<string>): AuthError | undefined {
  const { name } = Object(feature) as Partial<AnyFeature>
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name))
    return new InvalidConfig(
      `Each of \`features\` needs a \`name\` of lower-case letters, digits and hyphens, got ${describe(name)}`,
    )
  if (seen.has(name)) return new InvalidConfig(`Two features have the name "${name}"`)
  if (reserved.has(name) || ownActions.has(name))
    return new InvalidConfig(`A feature cannot have the name "${name}", which the library uses`)
  const fault = feature.check?.(feature.options)
  if (fault !== undefined) return new InvalidConfig(`The feature "${name}": ${fault}`)
  return checkRoutes(feature)
}

function checkRoutes({ name, routes: own = {}, gate }: AnyFeature): AuthError | undefined {
  const foreign = Object.keys(own).find(
    (action) => ownActions.has(action) || (action !== name && !action.startsWith(`${name}-`)),
  )
  if (foreign !== undefined)
    return new InvalidConfig(
      `The feature "${name}" cannot have the route "${foreign}". Its routes are "${name}" and those that begin with "${name}-"`,
    )
  const methods = own[name]?.methods ?? []
  if (gate && !(methods.includes('GET') && methods.includes('POST')))
    return new InvalidConfig(
      `The feature "${name}" has a gate, and needs the route "${name}" for GET and POST, to which held sign-ins go`,
    )
  return undefined
}

function checkNeeds({ name, needs }: AnyFeature, store: Settings['store']): AuthError | undefined {
  if (!needs) return undefined
  if (!store) return new MissingAdapter(`The feature "${name}" needs an adapter. Set \`adapter\``)
  const missing = needs.filter((operation) => !store.has(operation)).map((each) => `\`${each}\``)
  if (missing.length === 0) return undefined
  return new MissingAdapterMethods(`The feature "${name}" needs an adapter with ${missing.join(' and ')}`)
}
