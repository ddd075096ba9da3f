import type { World } from '../engine/world.ts'
import { type CsrfToken, provideCsrf } from '../../http/csrf.ts'
import type { Visit } from '../../http/visit.ts'
import type { MaybePromise } from '../../async/maybe-promise.ts'

const provided = new WeakMap<World['out'], MaybePromise<CsrfToken>>()

/** Returns the CSRF token of the browser. If it has none, everything in this request gets the same new one. */
export function csrfOf(visit: Visit, { settings, out }: World): MaybePromise<CsrfToken> {
  const known = provided.get(out) ?? provideCsrf(visit, settings)
  provided.set(out, known)
  return known
}
