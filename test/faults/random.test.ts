import { it, vi } from 'vitest'
import { throwing } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { expectFailure, expectRepaired, runPlans } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

it('FI-11 FI-01 FI-12 without randomness signs nobody in, and issues no guessable secret', async () => {
  const cases = spread('randomness that fails')
  await runPlans('random', [throwing], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('throws', 20)
})
