import { once } from '../async/once.ts'

/** Loads Kysely, which only migrations need. The adapter gets queries from the database of the application. */
export const loadKysely = once(() => import('kysely'))
