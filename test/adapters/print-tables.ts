import {
  type Dialect,
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { schemas } from '../../src/adapters/kysely-schema.ts'
import { formatStatement } from '../../src/tools/cli/migrate/format-statement.ts'

const dialects = {
  mariadb: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
} satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects

/** Prints the SQL statements that create the tables. */
export async function printTables(dialect: DialectName): Promise<string> {
  const db = new Kysely<unknown>({ dialect: dialects[dialect] })
  const lists = await Promise.all(Object.values(schemas).map(({ list }) => list(db)))
  return `${lists
    .flat()
    .map((statement) => formatStatement(statement.compile().sql))
    .join('\n')}\n`
}
