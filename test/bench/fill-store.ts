import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { migrate } from '../../src/adapters/kysely.ts'

/** One hour after the last extension: not due for another one, and within the lifetime of a session. */
const expires = new Date(Date.now() + (30 * 86_400 - 3600) * 1000).toISOString()

/**
 * Inserts rows, each a session with its own user. The database generates them, since sending them would take minutes.
 */
export const fill = {
  sqlite: (from: number, to: number) => [
    sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)} - 1)
        insert into users (id, email) select 'u' || i, 'u' || i || '@example.com' from n`,
    sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)} - 1)
        insert into sessions ("userId", expires, "sessionToken") select 'u' || i, ${expires}, 't' || i from n`,
  ],
  postgres: (from: number, to: number) => [
    sql`insert into users (id, email) select 'u' || i, 'u' || i || '@example.com' from generate_series(${sql.lit(from)}::int, ${sql.lit(to)}::int - 1) i`,
    sql`insert into sessions ("userId", expires, "sessionToken") select 'u' || i, ${expires}::timestamptz, 't' || i from generate_series(${sql.lit(from)}::int, ${sql.lit(to)}::int - 1) i`,
    sql`analyze`,
  ],
}

/** Creates the tables in PostgreSQL, and sessions with the tokens `t0`, `t1` and so on. */
export async function fillPostgres(url: string, sessions: number): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
  })
  await migrate(db)
  for (const statement of fill.postgres(0, sessions)) await statement.execute(db)
  await db.destroy()
}
