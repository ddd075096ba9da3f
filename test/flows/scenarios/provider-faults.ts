import { expect } from 'vitest'
import { issuer, sessionOf, signIn, startSignIn, visitProvider, type App } from '../../support/app.ts'
import type { Fault } from '../../../fuzz/world/idp/faults.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { expectError, expectNotSignedIn } from '../expectations.ts'

type Options = Parameters<Stage['open']>[0]

/** A sign-in at a misbehaving provider ends at the error page by this event, and signs nobody in. */
async function expectFailure(open: Stage['open'], misbehave: Fault, event: string, options: Options = {}) {
  const app = open({ strategy: 'database', ...options, idp: { ...options.idp, misbehave: [misbehave] } })
  const agent = app.agent()
  expectError(await signIn(app, agent), 'Configuration')
  expect(app.hops.at(-1)?.event, misbehave).toBe(event)
  if (event === 'profile.unusable') expect(app.hops.at(-1)?.state, misbehave).toBe('readingProfile')
  expect(app.ended(), misbehave).toBe('failed')
  expect(JSON.stringify(app.errors.map(String))).not.toMatch(/canary(?!-description)/)
  await expectNotSignedIn(app, agent)
}

const byUserinfo = { provider: { idToken: false } } as const
const oauth = {
  provider: {
    type: 'oauth',
    issuer: undefined,
    authorization: `${issuer}/authorize?scope=profile`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
  },
  idp: { metadata: { authorization_response_iss_parameter_supported: false } },
} as const

/** Waits until the provider receives the request, which is signed and sent in the background. */
async function untilAsked(app: App, endpoint: 'discovery' | 'token' | 'userinfo' | 'jwks'): Promise<void> {
  while (app.idp.requestsTo(endpoint).length === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** Untrustworthy provider responses. */
export const providerFaultScenarios = [
  scenario(
    'OI-01 OI-02 OI-03 OI-04 OI-05 an id_token with a wrong claim signs nobody in',
    async ({ open }) => {
      const faults = [
        ...(['issuer-wrong', 'issuer-with-slash', 'issuer-in-capitals', 'issuer-prefix'] as const),
        ...(['audience-wrong', 'audience-extra', 'audience-extra-azp-wrong', 'azp-wrong'] as const),
        ...(['expired', 'exp-missing', 'nbf-future', 'iat-future', 'iat-missing'] as const),
        ...(['nonce-wrong', 'nonce-missing'] as const),
        ...(['sub-missing', 'sub-empty', 'sub-long', 'sub-number', 'sub-not-ascii'] as const),
      ]
      for (const fault of faults) await expectFailure(open, fault, 'claims.invalid')
    },
  ),

  scenario('OI-04 an id_token of an earlier sign-in signs nobody in', async ({ open }) => {
    const kept: string[] = []
    const conform = async (response: Response) => {
      const body = (await response.json()) as { id_token: string }
      kept.push(body.id_token)
      return Response.json({ ...body, id_token: kept[0] })
    }
    const app = open({ strategy: 'database', provider: { token: { conform } } })
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    const other = app.agent()
    expectError(await signIn(app, other), 'Configuration')
    expect(app.hops.at(-1)?.event).toBe('claims.invalid')
    expect(app.ended()).toBe('failed')
    expect(await sessionOf(other)).toBeNull()
  }),

  scenario(
    'OI-06 OI-07 OI-09 OI-10 DEC-09a DEC-09c an id_token that the issuer did not sign signs nobody in',
    async ({ open }) => {
      const unsigned = [
        ...(['signature-flipped', 'signature-foreign', 'alg-swapped', 'alg-hs256-public-key'] as const),
        ...(['alg-hs256-secret', 'kid-unknown', 'jwk-header', 'jku-header', 'x5c-header'] as const),
      ]
      for (const fault of unsigned) {
        const app = open({ strategy: 'database', idp: { misbehave: [fault] } })
        const agent = app.agent()
        expectError(await signIn(app, agent), 'Configuration')
        expect(['claims.invalid', 'id-token.invalid'], fault).toContain(app.hops.at(-1)?.event)
        expect(app.ended(), fault).toBe('failed')
        expect(app.idp.requestsTo('userinfo')).toEqual([])
        await expectNotSignedIn(app, agent)
      }
      await expectFailure(open, 'signature-flipped', 'id-token.invalid')
      await expectFailure(open, 'crit-header', 'claims.invalid')
      await expectFailure(open, 'alg-none', 'claims.invalid')
    },
  ),

  scenario('OI-08 an id_token for another access token or code signs nobody in', async ({ open }) => {
    await expectFailure(open, 'at-hash-wrong', 'claims.invalid')
    await expectFailure(open, 'c-hash-wrong', 'claims.invalid')
  }),

  scenario('OI-12 PRV-030 another user’s userinfo signs nobody in', async ({ open }) => {
    await expectFailure(open, 'userinfo-sub-wrong', 'profile.unusable', byUserinfo)
    await expectFailure(open, 'userinfo-sub-missing', 'profile.unusable', byUserinfo)
  }),

  scenario('PRV-031 an oidc sign-in without an id_token fails, even with userinfo', async ({ open }) => {
    await expectFailure(open, 'id-token-missing', 'tokens.malformed', byUserinfo)
    await expectFailure(open, 'id-token-missing', 'tokens.malformed')
  }),

  scenario('OI-13 DEC-11b DEC-11d DEC-11e FI-06 invalid responses yield no identity', async ({ open }) => {
    for (const fault of ['html', '204', '302', '500-json', 'oversize', 'truncated', 'null'] as const) {
      await expectFailure(open, `userinfo:${fault}`, 'profile.unusable', byUserinfo)
      await expectFailure(open, `token:${fault}`, 'tokens.malformed')
    }
    await expectFailure(open, 'userinfo:500-json', 'profile.unusable', oauth)
    await expectFailure(open, 'userinfo:307', 'profile.unusable', oauth)
    await expectFailure(open, 'jwks:html', 'keys.unusable')
    await expectFailure(open, 'jwks:302', 'keys.unusable')
    await expectFailure(open, 'jwks:oversize', 'keys.unusable')
    await expectFailure(open, 'token:network-error', 'provider.unreachable')
    await expectFailure(open, 'token:400', 'code.refused')
  }),

  scenario('OI-13 OI-15 FI-05 a sign-in does not start if discovery fails', async ({ open }) => {
    const transport = ['html', '302', '500', 'oversize', 'truncated', 'network-error', 'null'] as const
    const faults = [
      ...transport.map((fault): Fault => `discovery:${fault}`),
      ...(['discovery-issuer-wrong', 'discovery-issuer-with-slash', 'discovery-issuer-missing'] as const),
    ]
    for (const fault of faults) {
      const app = open({ strategy: 'database', idp: { misbehave: [fault] } })
      const agent = app.agent()
      expectError(await startSignIn(agent), 'Configuration')
      const event = fault === 'discovery:network-error' ? 'provider.unreachable' : 'server.unusable'
      expect(app.hops.at(-1)?.event, fault).toBe(event)
      expect(app.ended()).toBe('failed')
      expect(app.errors.at(-1)).toMatchObject({ type: 'InvalidEndpoints' })
      expect(app.idp.requestsTo('authorize')).toEqual([])
      await expectNotSignedIn(app, agent)
    }
  }),

  scenario(
    'OI-15 a provider that changed its discovery document in the meantime signs nobody in',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const agent = app.agent()
      await startSignIn(agent)
      app.clock.advance(3600 - 10)
      const { parameters } = await visitProvider(app, agent)
      app.clock.advance(11)
      app.idp.misbehave('discovery-issuer-wrong')
      expectError(await agent.send(`/auth/callback/idp?${parameters}`), 'Configuration')
      expect(app.hops.at(-1)).toMatchObject({ state: 'discoveringServer', event: 'server.unusable' })
      expect(app.ended()).toBe('failed')
      expect(app.idp.requestsTo('token')).toEqual([])
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario('OI-14 invalid tokens, or tokens of another type, sign nobody in', async ({ open }) => {
    await expectFailure(open, 'error-with-200', 'code.refused')
    await expectFailure(open, 'error-beside-tokens', 'code.refused')
    await expectFailure(open, 'access-token-missing', 'tokens.malformed')
    await expectFailure(open, 'access-token-empty', 'tokens.malformed')
    await expectFailure(open, 'token-type-missing', 'tokens.malformed')
    await expectFailure(open, 'token-type-mac', 'tokens.malformed')
    await expectFailure(open, 'token-type-dpop', 'tokens.malformed')
  }),

  scenario('DEC-11c FI-05 a provider that does not respond times out after ten seconds', async ({ open }) => {
    for (const [timeout, seconds] of [
      [undefined, 10],
      [2500, 2.5],
    ] as const) {
      const app = open({ strategy: 'database', provider: { timeout }, idp: { misbehave: ['token:hang'] } })
      const agent = app.agent()
      const pending = signIn(app, agent)
      await untilAsked(app, 'token')
      app.clock.advance(seconds - 0.001)
      const early = await Promise.race([
        pending,
        new Promise((resolve) => setImmediate(() => resolve('waiting'))),
      ])
      expect(early).toBe('waiting')
      app.clock.advance(0.001)
      expectError(await pending, 'Configuration')
      expect(app.hops.at(-1)?.event).toBe('provider.unreachable')
      expect(app.ended()).toBe('failed')
      await expectNotSignedIn(app, agent)
    }
  }),

  scenario('FI-06 DEC-11c a response that never ends times out', async ({ open }) => {
    const app = open({ strategy: 'database', ...byUserinfo, idp: { misbehave: ['userinfo:slow'] } })
    const agent = app.agent()
    const pending = signIn(app, agent)
    await untilAsked(app, 'userinfo')
    app.clock.advance(10)
    expectError(await pending, 'Configuration')
    expect(app.hops.at(-1)?.event).toBe('provider.unreachable')
    expect(app.ended()).toBe('failed')
    await expectNotSignedIn(app, agent)
  }),

  scenario('OI-11 DEC-09b LM-06 keys are fetched once, and again for an unknown key', async ({ open }) => {
    const app = open({ strategy: 'database' })
    for (let times = 0; times < 3; times++) await signIn(app, app.agent())
    expect(app.idp.requestsTo('jwks')).toHaveLength(1)
    app.idp.rotate()
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    expect(app.idp.requestsTo('jwks')).toHaveLength(2)
  }),
]
