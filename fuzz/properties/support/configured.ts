import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'

/** What every property over configurations needs. */
export const needs = ['setup', 'hooks'] as const

/** The simplest application there is. */
export const simple = { strategy: 'jwt', providers: ['alpha', 'plain'] } as const satisfies Setup

/** An application of this configuration; or how it was refused when it was made. */
export async function open(base: World, setup: Setup): Promise<World | Error> {
  try {
    return await base.another(setup, 'own')
  } catch (error) {
    base.demand(error instanceof Error && error.name !== 'Unreached', 'there is no second application')
    return error instanceof Error ? error : new Error(String(error))
  }
}
