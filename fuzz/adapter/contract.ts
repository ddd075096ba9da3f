import type { Adapter } from 'authmachine/adapters'
import type { Awaitable } from 'authmachine/types'
import { ContractBreach } from './expect.ts'
import type { Operation } from './rule.ts'
import { rules } from './rules.ts'
import { show } from './show.ts'

/** An open store, and how to close it. */
export interface OpenStore {
  readonly adapter: Adapter
  /** Called when the rule has finished. */
  readonly close: () => Awaitable<unknown>
}

/** The adapter to test. */
export interface AdapterSubject {
  readonly name: string
  /** Opens an empty store; called once per rule, sequentially. */
  readonly open: () => Awaitable<OpenStore>
  /**
   * Methods that the adapter deliberately lacks. Rules that use such a method are skipped. It is a violation if the
   * adapter has the method.
   * @default []
   */
  readonly without?: readonly Operation[]
}

/** One rule as a test of one adapter. */
export interface ContractTest {
  /** The requirements that it tests, separated by spaces. */
  readonly id: string
  /** Unique in the list. */
  readonly name: string
  /** Whether a violation is a vulnerability of sites with this adapter. Report such a violation privately to its authors. */
  readonly guards: boolean
  /** Rejects with the expected and the actual result if the adapter breaks the rule. */
  readonly run: () => Promise<void>
}

/** Every method of the contract; the library uses all of them for its full range of features. */
const operations: readonly Operation[] = [...new Set(rules.flatMap(({ uses }) => uses))]

/**
 * Returns the contract of an adapter as a list of tests for any runner: return values, missing rows, exceptions,
 * uniqueness, cascades and concurrent calls.
 *
 * @throws nothing; each test's `run` rejects with a ContractBreach
 * @example for (const { id, name, run } of adapterContract(subject)) test(`${id} ${name}`, run)
 */
export function adapterContract(subject: AdapterSubject): readonly ContractTest[] {
  const without = new Set(subject.without)
  const judged = rules.filter(({ uses }) => !uses.some((operation) => without.has(operation)))
  return [
    {
      id: 'CB-08',
      name: 'the adapter has each operation, except those declared missing',
      guards: false,
      run: () =>
        withStore(subject, (adapter) => {
          for (const name of operations)
            demandKind(adapter, name, without.has(name) ? 'undefined' : 'function')
        }),
    },
    ...judged.map(({ proves, name, guards = false, uses, run }) => ({
      id: proves.join(' '),
      name,
      guards,
      run: () => withStore(subject, (adapter) => run(watch(adapter, uses), adapter)),
    })),
  ]
}

/**
 * Declares the tests with a runner's own function: `it` of vitest, Jest or Mocha, `test` of node:test.
 *
 * @example
 * import { test } from 'node:test'
 * declareContract(subject, test)
 */
export function declareContract(
  subject: AdapterSubject,
  test: (name: string, run: () => Promise<void>) => unknown,
): void {
  for (const { id, name, run } of adapterContract(subject)) void test(`${id} ${name}`, run)
}

async function withStore(
  subject: AdapterSubject,
  judge: (adapter: Adapter) => Awaitable<void>,
): Promise<void> {
  const { adapter, close } = await subject.open()
  try {
    await judge(adapter)
  } finally {
    await close()
  }
}

function demandKind(adapter: Adapter, name: Operation, kind: 'function' | 'undefined'): void {
  const actual = typeof adapter[name]
  if (actual !== kind) throw new ContractBreach(name, kind, `got ${actual}`)
}

/** Wraps the methods of an adapter so that exceptions name the method. Calls start synchronously, as without the wrapper. */
function watch(adapter: Adapter, uses: readonly Operation[]): Required<Adapter> {
  const watched = uses.map((name): readonly [string, unknown] => {
    demandKind(adapter, name, 'function')
    const operation = adapter[name] as (...args: unknown[]) => unknown
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await operation.apply(adapter, args)
      } catch (error) {
        throw new ContractBreach(name, 'a result', `it threw ${show(error)}`, { cause: error })
      }
    }
    return [name, call]
  })
  const operations: object = Object.fromEntries(watched)
  return operations as Required<Adapter>
}
