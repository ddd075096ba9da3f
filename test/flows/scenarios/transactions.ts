import { expect } from 'vitest'
import { customFetch } from '../../../src/types/symbols.ts'
import { issuer, signIn, sessionOf, startSignIn, visitProvider, type App } from '../../support/app.ts'
import { createIdp } from '../../../fuzz/world/idp/idp.ts'
import { seal } from '../../support/sealed.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, expectError, expectNotSignedIn } from '../expectations.ts'

const allChecks = { checks: ['pkce', 'nonce', 'state'] } as const
const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const
const provider = { ...client, id: 'idp', name: 'Idp', checks: ['pkce', 'nonce', 'state'] } as const

function twin(id: string) {
  return { ...provider, id, checks: [...provider.checks] }
}

/** Provider responses in a browser that did not request them, or that has lost its check cookies. */
export const transactionScenarios = [
  scenario(
    'TX-01 WIR-036 a response without the check cookies of its browser is rejected',
    async ({ open }) => {
      const app = open({ strategy: 'database', provider: { checks: [...allChecks.checks] } })
      const { parameters } = await visitProvider(app, app.agent())
      const victim = app.agent()
      const asked = app.idp.log.length
      const response = await victim.send(`/auth/callback/idp?${parameters}`)
      expectError(response, 'InvalidCheck')
      expect(app.ended()).toBe('refused')
      expect(app.hops.at(-1)?.event).toBe('check.missing')
      expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidCheck', message: 'state value is missing' })
      expect(app.idp.log).toHaveLength(asked)
      await expectNotSignedIn(app, victim)
    },
  ),

  scenario('TX-01 ATN-004 each of the checks is required', async ({ open }) => {
    for (const [check, name] of Object.entries(checkCookies)) {
      const app = open({ strategy: 'database', provider: { checks: [...allChecks.checks] } })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      agent.forget(name)
      expectError(await agent.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
      expect(app.ended(), check).toBe('refused')
      expect(app.hops.at(-1)?.event, check).toBe('check.missing')
      expect(app.idp.requestsTo('token'), check).toEqual([])
      await expectNotSignedIn(app, agent)
    }
  }),

  scenario('DEC-06b TX-01 a check that was added is required as well', async ({ open }) => {
    const app = open({ strategy: 'database', idp: { metadata: { code_challenge_methods_supported: [] } } })
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent)
    agent.forget(checkCookies.state)
    await agent.send(`/auth/callback/idp?${parameters}`)
    expect(app.ended()).toBe('refused')
    expect(app.hops.at(-1)?.event).toBe('check.missing')
    await expectNotSignedIn(app, agent)
  }),

  scenario('TX-01 TX-09 a provider without any check is protected by a state', async ({ open }) => {
    const app = open({ strategy: 'database', provider: { checks: [] } })
    const { parameters } = await visitProvider(app, app.agent())
    const victim = app.agent()
    expectError(await victim.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
    expect(app.ended()).toBe('refused')
    await expectNotSignedIn(app, victim)
    await signIn(app, victim)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'TX-01 WIR-036 a check that was modified, or sealed for another purpose, is rejected',
    async ({ open }) => {
      for (const [check, name] of Object.entries(checkCookies)) {
        const app = open({ strategy: 'database', provider: { checks: [...allChecks.checks] } })
        const held = { value: 'v'.repeat(43), provider: 'idp', checks: allChecks.checks }
        const forgeries = [
          'garbage',
          await seal(app, held, 'authjs.state'),
          await seal(app, { ...held, value: '' }, name),
          await seal(app, { ...held, value: 7 }, name),
          await seal(app, { value: held.value }, name),
        ]
        for (const forgery of forgeries) {
          const agent = app.agent()
          const { parameters } = await visitProvider(app, agent)
          agent.set(`${name}=${forgery}; Path=/; Secure`)
          const response = await agent.send(`/auth/callback/idp?${parameters}`)
          expectError(response, 'InvalidCheck')
          expect(app.ended(), check).toBe('refused')
          expect(app.hops.at(-1)?.event, check).toBe('check.invalid')
          expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidCheck' })
          expect(app.idp.requestsTo('token')).toEqual([])
          await expectNotSignedIn(app, agent)
        }
      }
    },
  ),

  scenario('TX-02 a state that differs in any character from the one sent is rejected', async ({ open }) => {
    const app = open({ strategy: 'database', provider: { checks: ['state'] } })
    const wrong: ((state: string) => string | undefined)[] = [
      (state) => state.slice(0, -1),
      (state) => `${state}A`,
      (state) => state.toUpperCase(),
      (state) => `${state.slice(0, 30)}${state[30] === 'A' ? 'B' : 'A'}${state.slice(31)}`,
      (state) => encodeURIComponent(`${state}+`),
      (state) => `%${state.charCodeAt(0).toString(16)}${state.slice(1)}`,
      () => '',
      () => undefined,
    ]
    for (const change of wrong) {
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      const state = change(parameters.get('state') ?? '')
      if (state === undefined) parameters.delete('state')
      else parameters.set('state', state)
      expectError(await agent.send(`/auth/callback/idp?${parameters}`), 'InvalidCheck')
      expect(app.ended()).toBe('refused')
      expect(app.hops.at(-1)?.event).toBe('state.mismatched')
      expect(app.idp.requestsTo('token')).toEqual([])
      await expectNotSignedIn(app, agent)
    }
  }),

  scenario('TX-04 the checks are valid for 900 seconds, and no longer', async ({ open }) => {
    const after = async (seconds: number) => {
      const app = open({ provider: { checks: [...allChecks.checks] } })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      app.clock.advance(seconds)
      await agent.send(`/auth/callback/idp?${parameters}`)
      const end = app.ended()
      return { end, in: (await sessionOf(agent)) !== null, asked: app.idp.requestsTo('token').length }
    }
    expect(await after(899)).toEqual({ end: 'signedIn', in: true, asked: 1 })
    expect(await after(900)).toEqual({ end: 'refused', in: false, asked: 0 })
    expect(await after(901)).toEqual({ end: 'refused', in: false, asked: 0 })
  }),

  scenario('TX-05 WIR-024 checks of one provider are not accepted for another', async ({ open }) => {
    const app = open({ strategy: 'database', providers: [twin('idp'), twin('other')] })
    const agent = app.agent()
    const { parameters } = await visitProvider(app, agent, 'idp')
    expectError(await agent.send(`/auth/callback/other?${parameters}`), 'InvalidCheck')
    expect(app.ended()).toBe('refused')
    expect(app.hops.at(-1)?.event).toBe('check.invalid')
    expect(app.idp.requestsTo('token')).toEqual([])
    await expectNotSignedIn(app, agent)
  }),

  scenario(
    'TX-05 an abandoned sign-in at one provider does not affect another provider',
    async ({ open }) => {
      const app = open({ providers: [twin('idp'), { ...twin('other'), checks: ['pkce', 'nonce'] }] })
      const agent = app.agent()
      await startSignIn(agent, 'idp')
      await signIn(app, agent, 'other')
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),

  scenario(
    'TX-06 a response with the wrong issuer, or without a required one, is rejected',
    async ({ open }) => {
      const endOf = async (app: App) => {
        const agent = app.agent()
        await signIn(app, agent)
        return [
          app.ended(),
          app.hops.at(-1)?.event,
          app.idp.requestsTo('token').length,
          await sessionOf(agent),
        ]
      }
      const refused = ['refused', 'issuer.mismatched', 0, null]
      expect(await endOf(open({ idp: { misbehave: ['iss-missing'] } }))).toEqual(refused)
      expect(await endOf(open({ idp: { misbehave: ['iss-wrong'] } }))).toEqual(refused)
      expect(await endOf(open({ idp: { misbehave: ['iss-empty'] } }))).toEqual(refused)
      const metadata = { authorization_response_iss_parameter_supported: undefined }
      expect(await endOf(open({ idp: { metadata, misbehave: ['iss-wrong'] } }))).toEqual(refused)
      const silent = open({ idp: { metadata, misbehave: ['iss-missing'] } })
      expect((await endOf(silent)).slice(0, 3)).toEqual(['signedIn', 'user.admitted', 1])
    },
  ),

  scenario(
    'TX-07 code, credentials and verifier go only to the issuer that was requested',
    async ({ open }) => {
      const second = 'https://second.test'
      const evil = createIdp({ issuer: second, clients: [{ id: 'client' }], users: [{ sub: 'eve' }] })
      const other = { ...twin('other'), issuer: second, [customFetch]: evil.fetch }
      const app = open({ strategy: 'database', providers: [twin('idp'), other] })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent, 'idp')
      await startSignIn(agent, 'other')
      await agent.send(`/auth/callback/other?${parameters}`)
      expect(app.ended()).toBe('refused')
      expect(evil.requestsTo('token')).toEqual([])
      expect(evil.requestsTo('userinfo')).toEqual([])
      const again = app.agent()
      await signIn(app, again, 'idp')
      expect(app.ended()).toBe('signedIn')
      expect(evil.requestsTo('token')).toEqual([])
      expect(app.idp.requestsTo('token').map(({ url }) => url)).toEqual(['https://idp.test/token'])
    },
  ),

  scenario(
    'TX-10 a code of another sign-in does not sign in, whether or not the provider checks PKCE',
    async ({ open }) => {
      for (const enforcesPkce of [true, false]) {
        const app = open({ strategy: 'database', idp: { enforcesPkce } })
        const stolen = await visitProvider(app, app.agent())
        const victim = app.agent()
        const { parameters } = await visitProvider(app, victim)
        parameters.set('code', stolen.parameters.get('code') ?? '')
        expectError(await victim.send(`/auth/callback/idp?${parameters}`), 'Configuration')
        expect(app.ended()).toBe('failed')
        expect(app.hops.at(-1)?.event).toBe(enforcesPkce ? 'code.refused' : 'claims.invalid')
        await expectNotSignedIn(app, victim)
      }
    },
  ),
]
