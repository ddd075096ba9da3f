import { once } from '../async/once.ts'

/** Loads jose to verify signatures, or to encrypt without `node:crypto`. Most requests do not need it. */
export const loadJose = once(() => import('./jose.ts'))
