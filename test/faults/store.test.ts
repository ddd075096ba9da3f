import { expect, it, vi } from 'vitest'
import { garbage, hanging, losing, muting, rejecting, throwing } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { succeeds, userOf } from './acts.ts'
import { expectFailure, expectRepaired, runPlans, type Faulty } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

it('FI-01 FI-02 FI-08 FI-12 FI-13 signs nobody in and loses nothing when a store call fails', async () => {
  const cases = spread('calls of a store that fail')
  await runPlans('store', [throwing, rejecting], cases, async (faulty) => {
    if (isForTheTimeOnly(faulty)) await expectClosed(faulty)
    else await expectFailure(faulty)
    if (faulty.act.kind === 'reads') expect(faulty.response.status, faulty.what).toBe(503)
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('throws', 60)
})

it('FI-02 lets the user sign in after a store call that completed without a response', async () => {
  const cases = spread('store calls that complete and never return')
  await runPlans('store', [muting], cases, async (faulty) => {
    if (succeeds(faulty.act, faulty.response)) cases.count('done all the same')
    await expectRepaired(faulty)
  })
  cases.report()
})

it('DEC-34 FI-01 FI-02 FI-12 responds and signs nobody in when a store call hangs', async () => {
  const cases = spread('store calls that hang')
  await runPlans('store', [hanging], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

it('FI-02 AL-11 keeps rows consistent and lets the user sign in when a store result is lost', async () => {
  const cases = spread('lost store results')
  await runPlans('store', [losing], cases, async (faulty) => {
    if (succeeds(faulty.act, faulty.response)) cases.count('done all the same')
    // The existing session may be revoked already if the lost result is that of the revocation.
    else if (faulty.call !== 'store.deleteSession') await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

it('FI-03 FI-12 signs in only the user, whatever a store returns', async () => {
  const cases = spread('invalid store results')
  await runPlans('store', garbage, cases, async (faulty) => {
    await expectClosed(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
  for (const { name } of garbage) cases.atLeast(name, 60)
})

/**
 * For an unknown address, these calls only take as long as for a known one (IL-10). A database with numeric ids rejects
 * their random id.
 */
function isForTheTimeOnly({ act, call }: Faulty): boolean {
  const isTyped = act.name === 'requesting a link' || act.name === 'following a first link'
  return isTyped && call.startsWith('store.list')
}

/** Checks that either the request failed, or every result belongs to the user. */
async function expectClosed({ act, staged, response, what }: Faulty): Promise<void> {
  const text = await response.clone().text()
  expect(text, what).not.toMatch(/Invalid Date|NaN/)
  const owner = await userOf(staged.agent)
  const users = ['ada@example.com', ...(act.besides ? [act.besides] : [])]
  expect([null, ...users], what).toContain(owner)
  if (act.kind === 'admits' && succeeds(act, response)) expect(users, what).toContain(owner)
}
