import { expect, it, vi } from 'vitest'
import { returning, hanging, losing, muting, rejecting, throwing } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { expectFailure, expectRepaired, runPlans } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Seconds that a request to a provider may take (decision 11). */
const timeout = 10

it('FI-05 FI-01 FI-12 responds in time and signs nobody in when a request to a provider hangs', async () => {
  const cases = spread('requests to a provider that hang')
  await runPlans('fetch', [hanging, muting], cases, async (faulty) => {
    await expectFailure(faulty)
    expect(faulty.seconds, faulty.what).toBeLessThanOrEqual(timeout + 1)
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('hangs', 8)
})

it('FI-01 FI-02 FI-12 FI-13 signs nobody in and loses nothing when a request to a provider fails', async () => {
  const cases = spread('requests to a provider that fail')
  await runPlans('fetch', [throwing, rejecting, losing], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

const answers = [
  returning('nothing', () => undefined),
  returning('an object', () => ({})),
  returning('a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })),
  returning('204', () => new Response(null, { status: 204 })),
  returning('a redirect', () => Response.redirect('https://idp.test/elsewhere')),
  returning('500', () => new Response('{}', { status: 500 })),
  returning('an empty object', () => Response.json({})),
  returning('null as JSON', () => Response.json(null)),
]

it('FI-06 FI-12 signs nobody in, whatever an invalid provider response contains', async () => {
  const cases = spread('invalid provider responses')
  await runPlans('fetch', answers, cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})
