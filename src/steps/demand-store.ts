import type { Store } from '../config/settings.ts'
import { MissingAdapter } from '../errors.ts'
import type { World } from './world.ts'

/** The store. @throws MissingAdapter when there is none, which the check of the configuration rules out */
export function demandStore({ store }: World): Store {
  if (store) return store
  throw new MissingAdapter('This flow needs an adapter')
}
