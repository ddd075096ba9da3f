import { expect, it, vi } from 'vitest'
import { locationOf } from '../flows/expectations.ts'
import { hanging, muting, rejecting, throwing, throwingObject } from '../../fuzz/world/fault-plan.ts'
import { spread } from '../support/spread.ts'
import { succeeds, userOf } from './acts.ts'
import { expectFailure, expectRepaired, runPlans, type Faulty } from './run-plans.ts'

vi.setConfig({ testTimeout: 120_000 })

/** The error that a throwing callback shows. Session callbacks show none, but a 503. */
const shown: Readonly<Record<string, string>> = {
  'callback.signIn': 'AccessDenied',
  'callback.jwt': 'Configuration',
  'callback.profile': 'Configuration',
  'prompt.account': 'Configuration',
  'callback.authorize': 'Configuration',
}

function expectDocumented({ act, call, response, what }: Faulty): void {
  if (act.kind === 'reads') return expect(response.status, what).toBe(503)
  expect(locationOf(response).pathname, what).toBe('/auth/error')
  expect(locationOf(response).searchParams.get('error'), what).toBe(shown[call])
}

/** Without the result of the redirect callback, the redirect goes to the site itself. */
function expectOrigin({ act, response, stage, what }: Faulty): void {
  expect(succeeds(act, response), what).toBe(true)
  expect(
    stage.app.errors.map(({ name }) => name),
    what,
  ).toContain('CallbackRouteError')
  if (act.kind !== 'prepares') expect(locationOf(response).href, what).toBe('https://app.test/')
}

it('FI-07 FI-01 FI-02 FI-08 FI-12 returns the documented response and loses nothing when a callback throws', async () => {
  const cases = spread('callbacks that throw')
  const check = async (faulty: Faulty) => {
    cases.count(faulty.call)
    if (faulty.call === 'callback.redirect') expectOrigin(faulty)
    else {
      expectDocumented(faulty)
      await expectFailure(faulty)
    }
    await expectRepaired(faulty)
  }
  await runPlans('callback', [throwing, rejecting, throwingObject], cases, check)
  await runPlans('prompt', [throwing], cases, check)
  cases.report()
  for (const callback of Object.keys(shown)) cases.atLeast(callback, 2)
  cases.atLeast('callback.session', 2)
  cases.atLeast('callback.redirect', 2)
})

it('DEC-34 FI-01 FI-02 FI-12 responds and signs nobody in when a callback hangs', async () => {
  const cases = spread('callbacks that hang')
  await runPlans('callback', [hanging], cases, async (faulty) => {
    await expectFailure(faulty)
    await expectRepaired(faulty)
  })
  cases.report()
})

it('FI-07 FI-12 an event that throws, rejects or hangs changes nothing', async () => {
  const cases = spread('events that fail')
  await runPlans('event', [throwing, rejecting, throwingObject, hanging, muting], cases, async (faulty) => {
    const { act, staged, response, stage, what } = faulty
    expect(succeeds(act, response), what).toBe(true)
    if (act.kind !== 'leaves') expect(await userOf(staged.agent), what).toBe('ada@example.com')
    expect(
      stage.app.errors.map(({ name }) => name),
      what,
    ).toContain('EventError')
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('throws', 20)
})

it('FI-07 FI-12 a logger that throws changes nothing', async () => {
  const cases = spread('loggers that throw')
  await runPlans('logger', [throwing], cases, async (faulty) => {
    expect(succeeds(faulty.act, faulty.response), faulty.what).toBe(true)
  })
  cases.report()
  cases.atLeast('throws', 50)
})

it('FI-01 FI-02 FI-12 reports a mail that fails or hangs, and the next one signs in', async () => {
  const cases = spread('mails that fail')
  await runPlans('mail', [throwing, rejecting, hanging], cases, async (faulty) => {
    await expectFailure(faulty)
    expect(locationOf(faulty.response).searchParams.get('error'), faulty.what).not.toBeNull()
    await expectRepaired(faulty)
  })
  cases.report()
  cases.atLeast('throws', 2)
})
