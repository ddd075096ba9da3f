import type { Kysely, RawBuilder } from 'kysely'
import { databaseOf } from './kysely-database.ts'
import { loadKysely } from './load-kysely.ts'

/** The parts of a table's definition in which the databases differ. */
export interface Columns {
  /** Text of at most this many characters that identifies a row. */
  readonly key: (length: number) => 'text' | `varchar(${number})`
  readonly date: 'timestamptz' | 'varchar(27)'
  /** The default of an id. */
  readonly anyId: RawBuilder<unknown>
  /** The end of the statement, after the columns. */
  readonly options?: RawBuilder<unknown>
}

/** Returns the types of columns for a database. */
export async function describeColumns<DB>(db: Kysely<DB>): Promise<Columns> {
  const { sql } = await loadKysely()
  const database = databaseOf(db)
  if (database !== 'mysql') {
    const anyId = database === 'postgres' ? sql`gen_random_uuid()` : sql`(lower(hex(randomblob(16))))`
    return { key: () => 'text', date: 'timestamptz', anyId }
  }
  // MariaDB and MySQL index at most 3072 bytes, and a character may have 4. Dates are ISO 8601 text.
  const collation = sql.raw(await findCollation(db))
  return {
    key: (length) => `varchar(${length})`,
    date: 'varchar(27)',
    anyId: sql`(uuid())`,
    options: sql`engine=InnoDB default character set utf8mb4 collate ${collation}`,
  }
}

/**
 * The collation that compares text exactly. The default ignores case and accents, and `utf8mb4_bin` ignores spaces at the
 * end. MariaDB and MySQL (8.0.17) have different names for it.
 */
async function findCollation<DB>(db: Kysely<DB>): Promise<string> {
  const { sql } = await loadKysely()
  const exact = 'utf8mb4_nopad_bin'
  const found = await sql<{ readonly name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${exact}, 'utf8mb4_0900_bin')`.execute(db)
  return found.rows[0]?.name ?? exact
}
