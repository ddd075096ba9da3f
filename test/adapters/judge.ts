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
  /** Why it is so, as far as it shows from outside. */
  readonly reason: string
}

type Outcome = 'kept' | 'differs'

/**
 * Runs the contract against an adapter, and compares the outcome with the committed record, from which the table in
 * docs/guides/adapters.md is made. Rules with a finding have to be broken just so: one that is kept by now, or broken in
 * another way, fails. `vitest -u` writes the record anew.
 */
export function judge(slug: string, subject: AdapterSubject, findings: readonly Finding[] = []): void {
  describe(`the contract of adapters: ${subject.name}`, () => {
    const rules: Record<string, Outcome> = {}
    const tests = adapterContract(subject)

    for (const test of tests) {
      const found = findings.filter(({ rule }) => rule === test.name)
      it(`${test.id} ${test.name}`, async () => {
        rules[test.name] = found.length > 0 ? 'differs' : 'kept'
        if (found.length === 0) return test.run()
        const message = await breachOf(test)
        for (const { came } of found)
          expect(message, 'the finding is no longer one: take it out').toContain(came)
      })
    }

    it('has findings of rules that there are', () => {
      const names = new Set(tests.map(({ name }) => name))
      expect(findings.filter(({ rule }) => !names.has(rule))).toEqual([])
    })

    it('did what the record says', async () => {
      const record = { adapter: subject.name, without: subject.without ?? [], rules }
      await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(`./records/${slug}.json`)
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
