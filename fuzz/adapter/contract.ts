import type { Adapter } from 'authmachine/adapters'
import type { Awaitable } from 'authmachine/types'
import { ContractBreach } from './expect.ts'
import type { Operation } from './rule.ts'
import { rules } from './rules.ts'
import { show } from './show.ts'

/** A store that is open, and how to close it. */
export interface OpenStore {
  readonly adapter: Adapter
  /** Called when the rule is done with it. */
  readonly close: () => Awaitable<unknown>
}

/** The adapter to be judged. */
export interface AdapterSubject {
  readonly name: string
  /** Opens the store with nothing in it; called once for each rule, one after the other. */
  readonly open: () => Awaitable<OpenStore>
  /**
   * Operations that the adapter does not have on purpose. Rules that use one are left out, and having it after all is a
   * breach.
   * @default []
   */
  readonly without?: readonly Operation[]
}

/** One rule, to be run against one adapter. */
export interface ContractTest {
  /** The requirements that it is about, separated by a space. */
  readonly id: string
  /** Unique in the list. */
  readonly name: string
  /** Could somebody use a breach of it against a site that runs on this adapter? Then report it to its authors alone. */
  readonly guards: boolean
  /** Rejects with what was expected and what came, where the adapter breaks the rule. */
  readonly run: () => Promise<void>
}

/** Every operation of the contract; all are needed for all that the library can do. */
const operations: readonly Operation[] = [...new Set(rules.flatMap(({ uses }) => uses))]

/**
 * The contract of an adapter as a list of tests for any runner: what each operation answers, what it answers when
 * there is nothing, when it throws, what is unique, what goes with what, and what holds when many come at once.
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
      name: 'the adapter has each operation, but those that it is said to lack',
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
  const came = typeof adapter[name]
  if (came !== kind) throw new ContractBreach(name, kind, `got ${came}`)
}

/** The operations of an adapter, each naming itself when it throws. They begin at once, as when they are called bare. */
function watch(adapter: Adapter, uses: readonly Operation[]): Required<Adapter> {
  const watched = uses.map((name): readonly [string, unknown] => {
    demandKind(adapter, name, 'function')
    const operation = adapter[name] as (...args: unknown[]) => unknown
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await operation.apply(adapter, args)
      } catch (error) {
        throw new ContractBreach(name, 'an answer', `it threw ${show(error)}`, { cause: error })
      }
    }
    return [name, call]
  })
  return Object.fromEntries(watched) as unknown as Required<Adapter>
}
