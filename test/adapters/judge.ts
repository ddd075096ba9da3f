import { describe, expect, it } from 'vitest'
import {
  adapterContract,
  type AdapterSubject,
  ContractBreach,
  type ContractTest,
} from '../../fuzz/adapter/index.ts'

/** A known deviation of a published adapter from the contract. */
export interface Finding {
  /** Name of the rule. */
  readonly rule: string
  /** A substring of the failure that the kit reports. */
  readonly failure: string
  /** Description of the deviation for the guide. */
  readonly reason: string
}

/** The recorded results of an adapter. */
export interface AdapterRecord {
  readonly adapter: string
  /** `kept`, or the reason of the finding. Rules that were not run are absent. */
  readonly rules: Readonly<Record<string, string>>
}

/**
 * Declares the contract's tests for an adapter, and a test that compares the results with the committed record, the
 * source of the table in docs/guides/adapters.md. A rule with a finding must fail exactly as recorded: passing, or
 * failing in another way, is an error. `vitest -u` rewrites the record.
 */
export function judge(
  subject: AdapterSubject,
  tests: readonly ContractTest[] = adapterContract(subject),
  findings: readonly Finding[] = [],
): void {
  describe(`the adapter contract: ${subject.name}`, { timeout: 30_000 }, () => {
    const rules: Record<string, string> = {}

    for (const test of tests) {
      const found = findings.find(({ rule }) => rule === test.name)
      it(`${test.id} ${test.name}`, async () => {
        rules[test.name] = found?.reason ?? 'kept'
        if (!found) return test.run()
        expect(await breachOf(test), 'the rule passes now, so remove the finding').toContain(found.failure)
      })
    }

    it('lists findings only for rules that it runs', () => {
      const names = new Set(tests.map(({ name }) => name))
      expect(findings.filter(({ rule }) => !names.has(rule))).toEqual([])
    })

    it('matches the committed record', async () => {
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
