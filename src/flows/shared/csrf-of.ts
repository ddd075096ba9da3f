import { type CsrfToken, provideCsrf } from '../../http/csrf.ts'
import type { Visit } from '../../http/visit.ts'
import type { World } from '../engine/world.ts'

const provided = new WeakMap<World['out'], Promise<CsrfToken>>()

/** Returns the CSRF token of the browser. If it has none, everything in this request gets the same new one. */
export async function csrfOf(visit: Visit, { settings, out }: World): Promise<CsrfToken> {
  const known = provided.get(out) ?? Promise.resolve(provideCsrf(visit, settings))
  provided.set(out, known)
  return known
}
