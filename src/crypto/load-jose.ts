import type * as jose from 'jose'
import { once } from './once.ts'

/** jose, loaded when something has to be verified, or sealed without `node:crypto`: most requests need none of it. */
export const loadJose: () => Promise<typeof jose> = once(() => import('jose'))
