import { expect, it, vi } from 'vitest'
import { garbage, hanging, losing, muting, rejecting, throwing } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { succeeds, userOf } from './acts.ts'
import { expectFailure, expectRepaired, runPlans, type Faulty } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

it('FI-01 FI-02 FI-08 FI-12 FI-13 whichever call of a store fails, nobody comes in, and nothing is lost', async () => {
  const cases = spread('calls of a store that fail')
  await runPlans('store', [throwing, rejecting], cases, async (faulty) => {
    await expectFailure(faulty)
    if (faulty.act.kind === 'reads') expect(faulty.response.status, faulty.what).toBe(503)
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('throws', 60)
})

it('FI-02 whichever call of a store is done and never answers, the user can sign in', async () => {
  const cases = spread('calls of a store that are done and never answer')
  await runPlans('store', [muting], cases, async (faulty) => {
    if (succeeds(faulty.act, faulty.response)) cases.count('done all the same')
    await expectRepaired(faulty)
  })
  cases.report()
})

it('DEC-34 FI-01 FI-02 FI-12 whichever call of a store hangs, the answer comes, and nobody comes in', async () => {
  const cases = spread('calls of a store that hang')
  await runPlans('store', [hanging], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

it('FI-02 AL-11 whichever answer of a store gets lost, rows go together and the user can sign in', async () => {
  const cases = spread('answers of a store that get lost')
  await runPlans('store', [losing], cases, async (faulty) => {
    if (succeeds(faulty.act, faulty.response)) cases.count('done all the same')
    // The session that was held may be revoked already, when the answer to that is what got lost.
    else if (faulty.call !== 'store.deleteSession') await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

it('FI-03 FI-12 whatever a store answers, nobody comes in but the user', async () => {
  const cases = spread('answers of a store that are none')
  await runPlans('store', garbage, cases, async (faulty) => {
    await expectClosed(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
  for (const { name } of garbage) cases.atLeast(name, 60)
})

/** Either it failed, or all that came of it is the user's. */
async function expectClosed({ act, staged, response, what }: Faulty): Promise<void> {
  const text = await response.clone().text()
  expect(text, what).not.toMatch(/Invalid Date|NaN/)
  const owner = await userOf(staged.agent)
  const users = ['ada@example.com', ...(act.besides ? [act.besides] : [])]
  expect([null, ...users], what).toContain(owner)
  if (act.kind === 'admits' && succeeds(act, response)) expect(users, what).toContain(owner)
}
