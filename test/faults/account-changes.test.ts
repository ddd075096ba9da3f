import { describe, expect, it, vi } from 'vitest'
import { createPlan, losing, throwing } from '../../fuzz/world/fault-plan.ts'
import { type FailingCall, judgeFault, storingRows } from '../support/account-policy/judge-fault.ts'
import type { Row } from '../support/account-policy/judge-row.ts'
import { openSite } from '../support/account-policy/site.ts'
import { openApp } from '../support/app.ts'
import { sample } from '../support/thorough.ts'

vi.setConfig({ testTimeout: 120_000 })

async function run(row: Row, failing?: FailingCall) {
  const plan = createPlan()
  const site = await openSite(openApp, row.strategy, row.user, (store) => plan.watch('store', store))
  return judgeFault(row, site, plan, failing)
}

describe('a store that fails once during a change', () => {
  for (const row of sample(storingRows, 3))
    it(`POL-03 PW-10 STM-02 leaves no change without its ends: ${row.name}`, async () => {
      const { calls, isStored } = await run(row)
      expect(isStored).toBe(true)
      let stored = 0
      for (const at of calls.keys())
        for (const fault of [throwing, losing]) {
          // A call that only reads has no effect.
          if (fault === losing && /\.(get|list|find)/.test(calls[at] ?? '')) continue
          if ((await run(row, { at, fault })).isStored) stored++
        }
      expect(stored, 'how often the change was stored all the same').toBeGreaterThan(0)
    })
})
