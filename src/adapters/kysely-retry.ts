import type { Adapter } from '../types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/**
 * The error codes of a transaction that the database rolled back because of a concurrent one: a serialization failure
 * (also the SQLSTATE of a deadlock in MariaDB and MySQL), a deadlock in PostgreSQL, and a row that changed after the
 * snapshot of the transaction. MariaDB 11.6 and newer report the last by default (`innodb_snapshot_isolation`).
 */
const conflicts: readonly unknown[] = ['40001', '40P01', 'ER_CHECKREAD']

/** The waits take about two seconds in total. */
const attempts = 20
const longestWait = 200

/** Wraps an adapter whose operations are transactions, so that it retries operations that lose a conflict. */
export function retryConflicts(adapter: Required<Adapter>): Required<Adapter> {
  const retrying = Object.entries(adapter).map(([name, operation]: [string, unknown]) => [
    name,
    (...args: unknown[]) => retryConflict(async () => (operation as Operation)(...args)),
  ])
  return Object.fromEntries(retrying) as Required<Adapter>
}

/** Runs a transaction again if the database rolled it back because of another one. */
export async function retryConflict<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    // Random, so that the same transactions do not conflict again.
    await wait(Math.random() * Math.min(2 ** attempt, longestWait))
  }
  return transact()
}

/** `pg` reports the SQLSTATE in `code`. `mysql2` reports it in `sqlState`, and a name in `code`. */
function isConflict(error: unknown): boolean {
  const { code, sqlState } = (error ?? {}) as { readonly code?: unknown; readonly sqlState?: unknown }
  return conflicts.includes(code) || conflicts.includes(sqlState)
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
