import { type MaybePromise, whenDone } from '../../async/maybe-promise.ts'
import type { Given } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** The events after which this run still stores the identity. */
const keepsIdentity: readonly string[] = [
  'earlier-access.ended',
  'factor.unneeded',
  'address.released',
  'user.created',
  'user.unconfirmed',
  'account.unconfirmed',
  'user.orphaned',
]

/** Releases the identity after a step, unless this run still stores it. */
export function thenRelease<F extends Given<never, 'releaseIdentity'>, R extends { readonly type: string }>(
  run: (facts: F, world: World) => MaybePromise<R>,
): (facts: F, world: World) => MaybePromise<R> {
  return (facts, world) =>
    whenDone(
      () => run(facts, world),
      (report) => {
        if (!keepsIdentity.includes(report.type)) facts.releaseIdentity?.()
        return report
      },
      (error) => {
        facts.releaseIdentity?.()
        throw error
      },
    )
}
