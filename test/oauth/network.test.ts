import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OAuthFailureReason } from '../../src/oauth/failure.ts'
import {
  type Endpoint,
  endpoints,
  type TransportFault,
  transportFaults,
} from '../../fuzz/world/idp/faults.ts'
import { mswHandlers, refuseOthers } from '../../fuzz/world/idp/msw.ts'
import { expectNoSecrets } from './expect-no-secrets.ts'
import { createStage, ending, type SignIn, type Stage, type Stop, signIn } from './stage.ts'

/** Requests to no provider of the test. */
const strays: string[] = []
const server = setupServer(...refuseOthers((url) => void strays.push(url)))

beforeAll(() => server.listen())
beforeEach(() => void (strays.length = 0))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** A provider that the process's own fetch can reach. */
function createNetStage(provider: Record<string, unknown> = {}): Stage {
  // Each stage has its own fetch, so that none gets what another has cached.
  const stage = createStage({ provider, fetch: () => (input, init) => fetch(input, init) })
  server.use(...mswHandlers(stage.idp))
  return stage
}

/**
 * Responses that are cancelled half-way are injected: undici fails an assertion outside any test when a body on a
 * mocked socket is cancelled.
 */
const givenUp: readonly TransportFault[] = ['hang', 'slow', 'oversize']

/** Fires the deadline of the request to an endpoint once it was sent, until the sign-in ends. */
async function signInUntilDeadline(stage: Stage, endpoint: Endpoint): Promise<SignIn> {
  const { platform } = stage.context
  const bell = setInterval(() => {
    if (stage.idp.requestsTo(endpoint).length > 0 && platform.timers().length > 0) platform.advance(10_000)
  }, 2)
  return signIn(stage).finally(() => clearInterval(bell))
}

const stops: Readonly<Record<Endpoint, Stop>> = {
  discovery: 'discovery',
  jwks: 'signature',
  token: 'exchange',
  userinfo: 'profile',
}
const refusals: Readonly<Record<Endpoint, OAuthFailureReason>> = {
  discovery: 'discovery-refused',
  jwks: 'keys-refused',
  token: 'tokens.malformed',
  userinfo: 'userinfo-refused',
}
const ofNetwork: Readonly<Partial<Record<TransportFault, OAuthFailureReason>>> = {
  'network-error': 'unreachable',
  hang: 'timed-out',
  slow: 'timed-out',
  oversize: 'oversize',
}

function expected(endpoint: Endpoint, fault: TransportFault): string {
  const isOAuthError = fault.startsWith('400') || fault === '503-json'
  const isCodeError = endpoint === 'token' && isOAuthError
  return `${stops[endpoint]}: ${ofNetwork[fault] ?? (isCodeError ? 'code.refused' : refusals[endpoint])}`
}

const cases = endpoints.flatMap((endpoint) => transportFaults.map((fault) => [endpoint, fault] as const))

describe('a provider over the network', () => {
  it('PRV-010 signs a user in', async () => {
    const stage = createNetStage({ idToken: false })
    expect(ending(await signIn(stage))).toBe('admitted')
    expect(stage.idp.log.map(({ endpoint }) => endpoint)).toEqual([
      'discovery',
      'authorize',
      'token',
      'jwks',
      'userinfo',
    ])
  })

  it('DEC-03d receives this library’s name', async () => {
    const stage = createNetStage({ idToken: false })
    await signIn(stage)
    const asked = stage.idp.log.filter(({ endpoint }) => endpoint !== 'authorize')
    expect(asked.map(({ headers }) => headers.get('user-agent'))).toEqual(
      asked.map(() => 'authmachine/1.2.3'),
    )
  })

  it.each(cases)('OI-13 FI-05 FI-06 DEC-11b DEC-11e at %s: %s signs nobody in', async (endpoint, fault) => {
    // Only the userinfo identifies a user of an oauth provider.
    const oauth = { type: 'oauth', authorization: { params: { scope: 'email' } } }
    const provider = endpoint === 'userinfo' ? oauth : {}
    const stage = givenUp.includes(fault) ? createStage({ provider }) : createNetStage(provider)
    stage.idp.misbehave(`${endpoint}:${fault}`)
    const isHanging = fault === 'hang' || fault === 'slow'
    const result = isHanging ? await signInUntilDeadline(stage, endpoint) : await signIn(stage)
    expect(ending(result)).toBe(expected(endpoint, fault))
    expectNoSecrets(stage, result)
    expect(stage.context.platform.timers()).toEqual([])
    expect(stage.idp.requestsTo(endpoint).length).toBe(1)
    expect(stage.idp.requestsTo('unknown')).toEqual([])
    expect(strays).toEqual([])
  })

  it('DEC-11e rejects userinfo with an error status, even if it matches the user', async () => {
    const stage = createNetStage({ idToken: false })
    stage.idp.misbehave('userinfo:500-json')
    expect(ending(await signIn(stage))).toBe('profile: userinfo-refused')
  })

  it('DEC-11c times out after its own timeout', async () => {
    const stage = createStage({ provider: { timeout: 20_000 } })
    stage.idp.misbehave('token:hang')
    const result = await signInUntilDeadline(stage, 'token')
    expect(result.stop === undefined ? '' : result.failed.error.message).toContain('within 20000 ms')
  })
})

describe('the network of the tests', () => {
  it('rejects requests without a handler', async () => {
    await expect(fetch('https://elsewhere.example/x')).rejects.toThrow()
    expect(strays).toEqual(['https://elsewhere.example/x'])
  })
})
