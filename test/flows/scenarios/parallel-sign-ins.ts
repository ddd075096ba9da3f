import { expect } from 'vitest'
import { csrfOf, sessionOf, visitProvider, type App } from '../../support/app.ts'
import { scenario } from '../scenario.ts'
import { expectError } from '../expectations.ts'

const config = { parallelSignIns: true }
const checks = /^__Secure-authjs\.(state|pkce\.code_verifier|nonce)/
type Agent = ReturnType<App['agent']>

const held = (agent: Agent) => Object.keys(agent.cookies()).filter((name) => checks.test(name))
const finish = (agent: Agent, parameters: URLSearchParams) => agent.send(`/auth/callback/idp?${parameters}`)

/** Parallel sign-ins in one browser. */
export const parallelSignInScenarios = [
  scenario('OPT-009 TX-16 each tab completes its own sign-in, in any order', async ({ open }) => {
    const app = open({ provider: { checks: ['pkce', 'nonce'] }, config })
    const agent = app.agent()
    const tabs = []
    for (let n = 0; n < 3; n++) tabs.push(await visitProvider(app, agent))
    expect(held(agent)).toHaveLength(9)
    // The guide states how much a sign-in adds to every request.
    const bytes = held(agent).map((name) => `${name}=${agent.cookies()[name]}; `.length)
    expect(Math.round(bytes.reduce((sum, each) => sum + each) / 3 / 100)).toBe(22)
    for (const [left, { parameters }] of [...tabs.entries()].toReversed()) {
      const { status, headers } = await finish(agent, parameters)
      expect([status, headers.get('location')]).toEqual([302, 'https://app.test'])
      expect(app.ended()).toBe('signedIn')
      expect(held(agent)).toHaveLength(3 * left)
    }
    expect(await sessionOf(agent)).not.toBeNull()
  }),

  scenario('OPT-009 TX-01 a response uses only the checks stored under its state', async ({ open }) => {
    const app = open({ config })
    const agent = app.agent()
    const mine = await visitProvider(app, agent)
    const { parameters } = await visitProvider(app, app.agent())
    expectError(await finish(agent, parameters), 'InvalidCheck')
    expect(app.hops.at(-1)?.event).toBe('check.missing')
    const without = new URLSearchParams(mine.parameters)
    without.delete('state')
    expectError(await finish(agent, without), 'InvalidCheck')
    expect(app.ended()).toBe('refused')
    expect(await sessionOf(agent)).toBeNull()
    await finish(agent, mine.parameters)
    expect(app.ended()).toBe('signedIn')
    expectError(await finish(agent, mine.parameters), 'InvalidCheck')
  }),

  scenario('LM-11 hundreds of check cookies are cleared a few at a time', async ({ open }) => {
    const app = open({ config })
    const agent = app.agent()
    for (let n = 0; n < 400; n++)
      agent.set(`__Secure-authjs.state.t${n.toString(16).padStart(16, '0')}=x; Path=/; Secure`)
    const csrfToken = await csrfOf(agent)
    const { status, headers } = await agent.send('/auth/signin/idp', { form: { csrfToken } })
    expect(status).toBe(302)
    expect(headers.getSetCookie().length).toBeLessThan(20)
    expect(held(agent).length).toBeLessThan(400)
  }),

  scenario('OPT-009 a browser keeps the checks of four sign-ins, and no more', async ({ open }) => {
    const app = open({ config })
    const agent = app.agent()
    const tabs = []
    for (let n = 0; n < 6; n++) tabs.push(await visitProvider(app, agent))
    const outcomes = []
    for (const { parameters } of tabs) {
      await finish(agent, parameters)
      outcomes.push(app.ended())
    }
    const [gone, kept] = ['refused', 'signedIn']
    expect(outcomes).toEqual([gone, gone, kept, kept, kept, kept])
    expect(held(agent)).toEqual([])
  }),
]
