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
import { listStatements } from '../../src/adapters/kysely-schema.ts'

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
  const statements = await listStatements(new Kysely<unknown>({ dialect: dialects[dialect] }))
  return `${statements.map((statement) => breakLines(statement.compile().sql)).join('\n')}\n`
}

/** Puts each column of a table on its own line. */
function breakLines(statement: string): string {
  const found = /^(create table .*?) \((.*)\)( engine=.*)?$/.exec(statement)
  if (found?.[1] === undefined || found[2] === undefined) return `${statement};`
  const lines: string[] = ['']
  let depth = 0
  for (const sign of found[2]) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) lines.push('')
    else lines.push(`${lines.pop()}${sign}`)
  }
  return `${found[1]} (\n${lines.map((line) => `  ${line.trim()}`).join(',\n')}\n)${found[3] ?? ''};`
}
