import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { migrations } from '../../src/adapters/kysely.ts'

const dialects = {
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

/** Prints the SQL statements of all migrations. */
export async function printTables(dialect: DialectName): Promise<string> {
  const statements: string[] = []
  const log = ({ query }: { readonly query: { readonly sql: string } }) => void statements.push(query.sql)
  const db = new Kysely<unknown>({ dialect: dialects[dialect], log })
  for (const migration of Object.values(migrations)) await migration.up(db)
  return `${statements.map(breakLines).join('\n')}\n`
}

/** Puts each column of a table on its own line. */
function breakLines(statement: string): string {
  const found = /^(create table .*?) \((.*)\)$/.exec(statement)
  if (found?.[1] === undefined || found[2] === undefined) return `${statement};`
  const lines: string[] = ['']
  let depth = 0
  for (const sign of found[2]) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) lines.push('')
    else lines.push(`${lines.pop()}${sign}`)
  }
  return `${found[1]} (\n${lines.map((line) => `  ${line.trim()}`).join(',\n')}\n);`
}
