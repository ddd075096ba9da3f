import ours from './ours.ts'
import { createRevocationList } from './revocation-list.ts'
import type { LibraryTarget } from './target.ts'

interface Loose {
  readonly [name: string]: unknown
  readonly jwt?: object
  readonly providers?: unknown
}

/**
 * Turns on the features that a configuration leaves off, except for those that change the default behaviour: limits on
 * attempts, an audience and an absolute lifetime refuse requests that are otherwise accepted, and back-channel logout
 * adds a route and marks the ids of database sessions. Properties turn these on themselves.
 */
function turnOnRest({ jwt, providers, ...config }: Loose): Record<string, unknown> {
  return {
    ...config,
    jwt: { revocations: createRevocationList(), ...jwt },
    providers: Array.isArray(providers) ? providers.map(supersede) : providers,
  }
}

function supersede(provider: unknown): unknown {
  const isMail = typeof provider === 'object' && provider && 'type' in provider && provider.type === 'email'
  return isMail ? { supersedeLinks: true, ...provider } : provider
}

/** The complete configuration of each application, so that its handler and its operations share one list. */
const complete = new WeakMap<object, Record<string, unknown>>()

function completeOnce(config: Record<string, unknown>): Record<string, unknown> {
  const made = complete.get(config) ?? turnOnRest(config)
  complete.set(config, made)
  return made
}

const { open, operate, turnOn: { 'jwt-revocation': _, 'supersede-links': __, ...turnOn } = {} } = ours

/** This library, with all optional capabilities in every application. */
const target: LibraryTarget = {
  ...ours,
  name: 'ours-everything',
  // Without a function, a capability is always on.
  turnOn,
  open: (config) => open(completeOnce(config)),
  operate: (config) => operate?.(completeOnce(config)) ?? {},
}

export default target
