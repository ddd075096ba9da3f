import { describe, expect, it } from 'vitest'
import {
  adapterContract,
  type AdapterSubject,
  ContractBreach,
  type ContractTest,
} from '../../fuzz/adapter/index.ts'

/** What a published adapter does that the contract does not say, known and listed. */
export interface Finding {
  /** The rule, by its name. */
  readonly rule: string
  /** A part of what the kit says of it. */
  readonly came: string
  /** What this is, in the words of the guide. */
  readonly reason: string
}

/** How an adapter stood, as it is recorded. */
export interface AdapterRecord {
  readonly adapter: string
  /** `kept`, or the reason of the finding; rules that were not judged are not there. */
  readonly rules: Readonly<Record<string, string>>
}

/**
 * Declares the contract's tests for an adapter, and one that compares how it stood with the committed record, from which
 * the table in docs/guides/adapters.md is made. Rules with a finding have to be broken just so: one that is kept by now,
 * or broken in another way, fails. `vitest -u` writes the record anew.
 */
export function judge(
  subject: AdapterSubject,
  tests: readonly ContractTest[] = adapterContract(subject),
  findings: readonly Finding[] = [],
): void {
  describe(`the contract of adapters: ${subject.name}`, { timeout: 30_000 }, () => {
    const rules: Record<string, string> = {}

    for (const test of tests) {
      const found = findings.find(({ rule }) => rule === test.name)
      it(`${test.id} ${test.name}`, async () => {
        rules[test.name] = found?.reason ?? 'kept'
        if (!found) return test.run()
        expect(await breachOf(test), 'the finding is no longer one: take it out').toContain(found.came)
      })
    }

    it('has findings of rules that are judged', () => {
      const names = new Set(tests.map(({ name }) => name))
      expect(findings.filter(({ rule }) => !names.has(rule))).toEqual([])
    })

    it('stands as the record says', async () => {
      const record: AdapterRecord = { adapter: subject.name, rules }
      const file = `./records/${subject.name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replace(/^-/, '')}.json`
      await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(file)
    })
  })
}

async function breachOf(test: ContractTest): Promise<string> {
  try {
    await test.run()
  } catch (error) {
    if (error instanceof ContractBreach) return error.message
    throw error
  }
  return 'kept'
}
