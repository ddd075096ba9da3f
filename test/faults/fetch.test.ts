import { expect, it, vi } from 'vitest'
import { answering, hanging, losing, muting, rejecting, throwing } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { expectFailure, expectRepaired, runPlans } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Seconds that a request to a provider may take (decision 11). */
const timeout = 10

it('FI-05 FI-01 FI-12 whichever request to a provider hangs, the answer comes in time, and nobody comes in', async () => {
  const cases = spread('requests to a provider that hang')
  await runPlans('fetch', [hanging, muting], cases, async (faulty) => {
    await expectFailure(faulty)
    expect(faulty.seconds, faulty.what).toBeLessThanOrEqual(timeout + 1)
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('hangs', 8)
})

it('FI-01 FI-02 FI-12 FI-13 whichever request to a provider fails, nobody comes in, and nothing is lost', async () => {
  const cases = spread('requests to a provider that fail')
  await runPlans('fetch', [throwing, rejecting, losing], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

const answers = [
  answering('nothing', () => undefined),
  answering('an object', () => ({})),
  answering('a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })),
  answering('204', () => new Response(null, { status: 204 })),
  answering('a redirect', () => Response.redirect('https://idp.test/elsewhere')),
  answering('500', () => new Response('{}', { status: 500 })),
  answering('an empty object', () => Response.json({})),
  answering('null as JSON', () => Response.json(null)),
]

it('FI-06 FI-12 whatever a provider answers, nobody comes in', async () => {
  const cases = spread('answers of a provider that are none')
  await runPlans('fetch', answers, cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})
