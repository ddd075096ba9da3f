import type { Kysely } from 'kysely'
import { restoreNames, type Row, type Tables } from './kysely-row.ts'
import { areKeys } from './storable-keys.ts'

/** A row of `sessions` and the row of its user. */
export interface SessionRows {
  readonly session: Row
  readonly user: Row
}

/**
 * Returns a function that reads a session with its user in one statement. The two tables may have columns of the same
 * name, including the site's own, so those of `sessions` get aliases. The names come from the first session found,
 * which takes one more statement. They are read again if the statement fails because a column was dropped.
 */
export function openSessionReader(db: Kysely<Tables>): (sessionToken: string) => Promise<SessionRows | null> {
  let columns: readonly string[] = []

  async function learnColumns(sessionToken: string): Promise<readonly string[]> {
    const select = db.selectFrom('sessions').selectAll()
    const row = await select.where('sessionToken', '=', sessionToken).executeTakeFirst()
    return Object.keys(restoreNames(row ?? {}, ['sessionToken', 'userId']))
  }

  async function read(sessionToken: string): Promise<SessionRows | null> {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .selectAll('users')
      .select(columns.map((name, n) => `sessions.${name} as ${aliasOf(n)}` as const))
      .where('sessions.sessionToken', '=', sessionToken)
      .executeTakeFirst()
    if (!row) return null
    const aliases = new Set(columns.map((_, n) => aliasOf(n)))
    const session = Object.fromEntries(columns.map((name, n) => [name, row[aliasOf(n)]]))
    return { session, user: Object.fromEntries(Object.entries(row).filter(([name]) => !aliases.has(name))) }
  }

  return async (sessionToken) => {
    if (!areKeys(sessionToken)) return null
    if (columns.length === 0) columns = await learnColumns(sessionToken)
    if (columns.length === 0) return null
    try {
      return await read(sessionToken)
    } catch (error) {
      const known = columns
      columns = await learnColumns(sessionToken)
      if (columns.length === 0) return null
      if (columns.join() === known.join()) throw error
      return read(sessionToken)
    }
  }
}

/** Numbered, because databases truncate long names. */
function aliasOf(n: number): string {
  return `session:${n}`
}
