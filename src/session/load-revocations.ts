import { once } from '../async/once.ts'

/** Loads the revocation of JWT sessions, which only a site with `jwt.revocations` needs. */
export const loadRevocations = once(() => import('./revocations.ts'))
