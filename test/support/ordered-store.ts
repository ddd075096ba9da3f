import type { Adapter } from '../../src/types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/** The n-th call of an operation, counted from 1: `linkAccount#2`. */
export type CallName = `${keyof Adapter}#${number}`

/**
 * A store in which some calls wait for others, which makes the outcome of a race certain.
 * @example orderedStore({ 'linkAccount#1': 'createUser#2' }) // the first link waits for the second user
 */
export function orderedStore(
  waits: Readonly<Partial<Record<CallName, CallName>>>,
): (adapter: Adapter) => Adapter {
  const counts = new Map<string, number>()
  const done = new Map<CallName, () => void>()
  const promises = new Map(
    Object.values(waits)
      .flatMap((name) => name ?? [])
      .map((name) => [name, new Promise<void>((resolve) => done.set(name, resolve))]),
  )
  const perform = async (name: string, operation: Operation, args: unknown[]) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const call = `${name}#${count}` as CallName
    const awaited = waits[call]
    if (awaited !== undefined) await promises.get(awaited)
    try {
      return await operation(...args)
    } finally {
      done.get(call)?.()
    }
  }
  return (adapter) =>
    Object.fromEntries(
      Object.entries(adapter).map(([name, operation]) => [
        name,
        (...args: unknown[]) => perform(name, operation as Operation, args),
      ]),
    )
}
