import { randomUUID } from 'node:crypto'
import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'

/** The features that properties of configurations need. */
export const needs = ['setup', 'hooks'] as const

/** A minimal application. */
export const simple = { strategy: 'jwt', providers: ['alpha', 'plain'] } as const satisfies Setup

/**
 * Creates a provider that no other application has and nobody signs in with. A process may log each warning only once
 * for each provider.
 */
export function makeProvider() {
  return {
    id: `only-${randomUUID()}`,
    name: 'Another',
    type: 'oauth',
    clientId: 'client',
    clientSecret: 'a secret of this client only',
    authorization: 'https://other.example/authorize',
    token: 'https://other.example/token',
    userinfo: 'https://other.example/userinfo',
  }
}

/** Opens an application with this configuration, or returns its startup error. */
export async function open(base: World, setup: Setup): Promise<World | Error> {
  try {
    return await base.another(setup, 'own')
  } catch (error) {
    base.assume(
      error instanceof Error && error.name !== 'Unreached',
      'the target cannot open a second application',
    )
    return error instanceof Error ? error : new Error(String(error))
  }
}
