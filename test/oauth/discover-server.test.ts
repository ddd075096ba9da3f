import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { discoverServer, type Need, unknownIssuer } from '../../src/oauth/discover-server.ts'
import { hasFailed } from '../../src/oauth/failure.ts'
import { spread } from '../support/spread.ts'
import { keepBodies } from '../support/visitors/keep-bodies.ts'
import { createStage, issuer, resolve, type Stage } from './stage.ts'

async function discover({ provider, context }: Stage, need: Need = 'authorization') {
  const answer = await discoverServer(provider, need, context)
  return hasFailed(answer) ? answer.failed.reason : answer.server
}

const requests = ({ idp }: Stage) => idp.requestsTo('discovery').length
const authorization = 'https://idp.example/own/authorize'
const token = 'https://idp.example/own/token'
const userinfo = 'https://idp.example/own/userinfo'

describe('the source of the metadata', () => {
  it('PRV-010 is the discovery document of the issuer', async () => {
    expect(await discover(createStage())).toMatchObject({ issuer, token_endpoint: `${issuer}/token` })
  })

  it('CC-12 is a copy of the document that no Response keeps', async () => {
    const { bodies, restore } = keepBodies()
    onTestFinished(restore)
    const stage = createStage({ idp: { metadata: { scopes_supported: ['openid'] } } })
    const found = await discover(stage)
    for (const body of bodies as { token_endpoint?: string; scopes_supported?: string[] }[]) {
      body.token_endpoint = 'https://evil.example/token'
      body.scopes_supported?.push('evil')
    }
    expect(bodies.length).toBeGreaterThan(0)
    expect(await discover(stage)).toEqual(found)
    expect(found).toMatchObject({ token_endpoint: `${issuer}/token`, scopes_supported: ['openid'] })
    expect(requests(stage)).toBe(1)
  })

  it('DEC-10e PRV-005 PRV-006 PRV-007 is only the configuration for an endpoint that it contains', async () => {
    const stage = createStage({ provider: { authorization, token, userinfo } })
    expect(await discover(stage, 'authorization')).toMatchObject({ authorization_endpoint: authorization })
    expect(await discover(stage, 'token')).toMatchObject({ issuer, token_endpoint: token })
    expect(await discover(stage, 'userinfo')).toMatchObject({ userinfo_endpoint: userinfo })
    expect(requests(stage)).toBe(0)
  })

  it('DEC-10e is the document for an endpoint that the configuration lacks', async () => {
    const stage = createStage({ provider: { token } })
    await discover(stage, 'token')
    expect(requests(stage)).toBe(0)
    expect(await discover(stage, 'authorization')).toMatchObject({
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: token,
    })
    expect(requests(stage)).toBe(1)
  })

  it('DEC-10a PRV-008 is the document at wellKnown, which suffices without an issuer', async () => {
    const wellKnown = `${issuer}/.well-known/openid-configuration`
    const stage = createStage({ provider: { issuer: undefined, wellKnown } })
    expect(await discover(stage)).toMatchObject({ issuer, authorization_endpoint: `${issuer}/authorize` })
    const elsewhere = createStage({ provider: { wellKnown: `${issuer}/elsewhere` } })
    expect(await discover(elsewhere)).toBe('discovery-refused')
    expect(elsewhere.idp.log.map(({ url }) => url)).toEqual([`${issuer}/elsewhere`])
  })

  it('PRV-009 is the configured endpoint rather than the one discovered at wellKnown', async () => {
    const wellKnown = `${issuer}/.well-known/openid-configuration`
    const stage = createStage({ provider: { wellKnown, token, jwks_endpoint: `${issuer}/own/jwks` } })
    expect(await discover(stage)).toMatchObject({ token_endpoint: token, jwks_uri: `${issuer}/own/jwks` })
  })

  it('LM-17 has no members of another type than the standard says', async () => {
    const metadata = {
      jwks_uri: -1,
      end_session_endpoint: ['https://idp.example/logout'],
      code_challenge_methods_supported: { S256: true },
    }
    const server = await discover(createStage({ idp: { metadata } }))
    expect(server).toMatchObject({ authorization_endpoint: `${issuer}/authorize` })
    const kept = Object.keys(JSON.parse(JSON.stringify(server)) as object)
    expect(Object.keys(metadata).filter((name) => kept.includes(name))).toEqual([])
  })

  it('PRV-005 includes the parameters of endpoints in their URLs', async () => {
    const stage = createStage({
      provider: {
        authorization: { params: { audience: 'api one' } },
        token: { url: token, params: { v: 2 } },
      },
    })
    expect(await discover(stage)).toMatchObject({
      authorization_endpoint: `${issuer}/authorize?audience=api+one`,
      token_endpoint: `${token}?v=2`,
    })
  })

  it('DEC-10a needs no endpoint that a request hook replaces', async () => {
    const request = () => Promise.resolve({})
    const provider = {
      issuer: undefined,
      type: 'oauth',
      authorization,
      token: { request },
      userinfo: { request },
    }
    const stage = createStage({ provider })
    expect(await discover(stage, 'token')).toMatchObject({ issuer: unknownIssuer })
    expect(await discover(stage, 'userinfo')).toMatchObject({ issuer: unknownIssuer })
    expect(requests(stage)).toBe(0)
  })

  it('DEC-10e fails for a missing endpoint only when it is used', async () => {
    const stage = createStage({ idp: { metadata: { userinfo_endpoint: undefined } } })
    expect(await discover(stage, 'token')).toMatchObject({ issuer })
    expect(await discover(stage, 'userinfo')).toBe('misconfigured')
  })
})

describe('the discovery document', () => {
  it.each([
    'discovery-issuer-wrong',
    'discovery-issuer-with-slash',
    'discovery-issuer-missing',
    'discovery-issuer-number',
  ] as const)('OI-15 is rejected with %s', async (fault) => {
    expect(await discover(createStage({ idp: { misbehave: [fault] } }))).toBe('discovery-refused')
  })

  it('OI-15 reports the expected and the actual issuer', async () => {
    const { provider, context } = createStage({ idp: { misbehave: ['discovery-issuer-wrong'] } })
    const answer = await discoverServer(provider, 'token', context)
    expect(hasFailed(answer) && answer.failed.error.message).toContain(
      `expected the issuer "${issuer}", got "https://evil.example"`,
    )
  })

  it('OI-15 must have a URL as issuer if none is configured', async () => {
    const wellKnown = `${issuer}/.well-known/openid-configuration`
    for (const named of ['not a url', 7, undefined]) {
      const stage = createStage({
        provider: { issuer: undefined, wellKnown },
        idp: { metadata: { issuer: named } },
      })
      expect(await discover(stage)).toBe('discovery-refused')
    }
  })

  it('OI-16 is rejected with an endpoint without https', async () => {
    const metadata = { authorization_endpoint: 'http://idp.example/authorize' }
    expect(await discover(createStage({ idp: { metadata } }))).toBe('insecure-url')
    const provider = { allowInsecureRequests: true }
    expect(await discover(createStage({ idp: { metadata }, provider }))).toMatchObject(metadata)
  })

  it('OI-16 DEC-11a is not requested over plain http, except from a loopback host', async () => {
    const insecure = createStage({ idp: { issuer: 'http://idp.example' } })
    expect(await discover(insecure)).toBe('insecure-url')
    expect(insecure.idp.log).toEqual([])
    expect(await discover(createStage({ idp: { issuer: 'http://localhost:9000' } }))).toMatchObject({
      issuer: 'http://localhost:9000',
    })
  })

  it('OI-16 does not bypass the check of an issuer without https', async () => {
    expect(await discover(createStage({ provider: { issuer: 'http://idp.example', authorization } }))).toBe(
      'insecure-url',
    )
  })
})

describe('the cache', () => {
  const hour = 60 * 60 * 1000

  it('DEC-10d LM-06 DEC-33e requests a document once an hour, whatever the number of configurations', async () => {
    const stage = createStage()
    for (let i = 0; i < 10; i++)
      await discover({ ...stage, provider: resolve({}) }, i % 2 ? 'token' : 'authorization')
    expect(requests(stage)).toBe(1)
    stage.context.platform.advance(hour - 1)
    await discover(stage)
    expect(requests(stage)).toBe(1)
    stage.context.platform.advance(1)
    await discover(stage)
    expect(requests(stage)).toBe(2)
  })

  it('LM-06 shares one request among concurrent callers', async () => {
    const stage = createStage()
    const answers = await Promise.all(Array.from({ length: 20 }, () => discover(stage)))
    expect(answers.every((answer) => typeof answer === 'object')).toBe(true)
    expect(requests(stage)).toBe(1)
  })

  it('LM-06 waits at most ten seconds for a shared request', async () => {
    const stage = createStage({ idp: { misbehave: ['discovery:hang'] }, provider: { timeout: 60_000 } })
    void discover(stage)
    stage.context.platform.advance(9_999)
    void discover(stage)
    expect(requests(stage)).toBe(1)
    stage.context.platform.advance(1)
    stage.idp.misbehave()
    expect(await discover(stage)).toMatchObject({ issuer })
    expect(requests(stage)).toBe(2)
  })

  it.each(['discovery:500', 'discovery-issuer-wrong', 'discovery:html'] as const)(
    'DEC-10g LM-06 does not repeat a request for five seconds after a failure: %s',
    async (fault) => {
      const stage = createStage({ idp: { misbehave: [fault] } })
      for (let signIn = 0; signIn < 50; signIn++) expect(await discover(stage)).toBe('discovery-refused')
      expect(requests(stage)).toBe(1)
      stage.idp.misbehave()
      stage.context.platform.advance(4999)
      expect(await discover(stage)).toBe('discovery-refused')
      stage.context.platform.advance(1)
      expect(await discover(stage)).toMatchObject({ issuer })
      expect(requests(stage)).toBe(2)
    },
  )

  it('DEC-10g starts the five seconds when the request failed', async () => {
    const stage = createStage({ idp: { misbehave: ['discovery:hang'] }, provider: { timeout: 8000 } })
    const waiting = discover(stage)
    stage.context.platform.advance(8000)
    expect(await waiting).toBe('timed-out')
    stage.context.platform.advance(4000)
    expect(await discover(stage)).toBe('timed-out')
    expect(requests(stage)).toBe(1)
  })

  it('DEC-10g repeats a failed request if the clock was set back', async () => {
    const stage = createStage({ idp: { misbehave: ['discovery:500'] } })
    await discover(stage)
    stage.context.platform.advance(-60_000)
    await discover(stage)
    expect(requests(stage)).toBe(2)
  })

  it.each([
    ['authorization', 'authorization_endpoint', 'http://localhost:8080/authorize'],
    ['token', 'token_endpoint', 'http://127.0.0.1:2375/token'],
    ['token', 'token_endpoint', 'https://127.0.0.1/token'],
    ['userinfo', 'userinfo_endpoint', 'http://[::1]/userinfo'],
    ['jwks', 'jwks_uri', 'http://keys.localhost/jwks'],
    ['token', 'token_endpoint', 'https://localhost./token'],
    ['token', 'token_endpoint', 'https://0.0.0.0/token'],
    ['token', 'token_endpoint', 'https://[::]/token'],
    ['token', 'token_endpoint', 'https://[::127.0.0.1]/token'],
    ['token', 'token_endpoint', 'https://[::ffff:127.0.0.1]/token'],
    ['token', 'token_endpoint', 'https://[::ffff:0.0.0.0]/token'],
  ] as const)(
    'DEC-11f OI-16 rejects a discovered %s endpoint on this machine: %s %s',
    async (need, member, url) => {
      const metadata = { [member]: url }
      const reading = { idToken: false }
      expect(await discover(createStage({ idp: { metadata }, provider: reading }), need)).toBe('insecure-url')
      // The same flow may use it later.
      expect(await discover(createStage({ idp: { metadata }, provider: reading }), 'authorization')).toBe(
        'insecure-url',
      )
      const allowed = createStage({ idp: { metadata }, provider: { allowInsecureRequests: true } })
      expect(await discover(allowed, need)).toMatchObject(metadata)
      if (need === 'jwks') return
      const configured = createStage({ idp: { metadata }, provider: { [need]: url } })
      expect(await discover(configured, need)).toMatchObject(metadata)
    },
  )

  it('DEC-11f accepts a discovered userinfo endpoint on this machine if the id_token has the profile', async () => {
    const metadata = { userinfo_endpoint: 'http://localhost:8080/userinfo' }
    expect(await discover(createStage({ idp: { metadata } }), 'authorization')).toMatchObject(metadata)
  })

  it.each(['0.0.0.0.example', '[::ffff:7.240.0.1]', '[::2:7f00:1]', '[2001:db8::1]', '10.0.0.0'])(
    'DEC-11f accepts a discovered endpoint on another machine: %s',
    async (host) => {
      const metadata = { token_endpoint: `https://${host}/token` }
      expect(await discover(createStage({ idp: { metadata } }))).toMatchObject(metadata)
    },
  )

  it('DEC-10d requests a document again if the clock was set back', async () => {
    const stage = createStage()
    await discover(stage)
    stage.context.platform.advance(-1)
    await discover(stage)
    expect(requests(stage)).toBe(2)
  })

  it('CC-11 CC-07 caches results separately per fetch, hook, issuer and rule', async () => {
    const stage = createStage()
    const hook = (inner: typeof fetch) => inner
    const wellKnown = `${issuer}/.well-known/openid-configuration`
    const others = [
      stage,
      { ...stage, provider: resolve({}, { fetch: hook }) },
      { ...stage, provider: resolve({ wellKnown }) },
      { ...stage, provider: resolve({ issuer: undefined, wellKnown }) },
      { ...stage, provider: resolve({ allowInsecureRequests: true }) },
      {
        ...stage,
        context: {
          ...stage.context,
          platform: { ...stage.context.platform, fetch: (...a) => stage.idp.fetch(...a) },
        },
      },
    ] satisfies Stage[]
    for (const [i, other] of others.entries()) {
      await discover(other)
      expect(requests(stage)).toBe(i + 1)
      await discover(other)
      expect(requests(stage)).toBe(i + 1)
    }
    expect(await discover({ ...stage, provider: resolve({ wellKnown, issuer: `${issuer}/` }) })).toBe(
      'discovery-refused',
    )
  })

  it('LM-06 DEC-33e holds a hundred documents, and evicts the oldest', async () => {
    const cases = spread('tenants that sign in through one fetch')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 90, max: 110 }), async (tenants) => {
        const stage = createStage()
        const at = (tenant: number) => ({
          ...stage,
          provider: resolve({ wellKnown: `${issuer}/.well-known/openid-configuration?tenant=${tenant}` }),
        })
        for (let tenant = 0; tenant < tenants; tenant++) await discover(at(tenant))
        const before = requests(stage)
        await discover(at(tenants - 1))
        expect(requests(stage)).toBe(before)
        await discover(at(0))
        expect(requests(stage)).toBe(tenants > 100 ? before + 1 : before)
        cases.count(tenants > 100 ? 'more than it holds' : 'as many as it holds, or fewer')
      }),
      { numRuns: 20 },
    )
    cases.report()
    cases.atLeast('more than it holds', 3)
    cases.atLeast('as many as it holds, or fewer', 3)
  })
})

describe('a multi-tenant issuer', () => {
  const template = 'https://idp.example/{tenantid}'
  const users = [
    { sub: 'ann', claims: { tid: 'tenant-x' } },
    { sub: 'bob', claims: { tid: 'tenant-y' } },
    { sub: 'cy', claims: { tid: '../tenant-x' } },
    { sub: 'dee', claims: {} },
  ]
  const common = { issuer: `${issuer}/common` }

  it('DEC-09d OI-15 is accepted from the document only in the spelling of the preset', async () => {
    for (const [named, expected] of [
      [template, { issuer: template }],
      [`${template}/`, 'discovery-refused'],
      ['https://evil.example/{tenantid}', 'discovery-refused'],
      [`${issuer}/tenant-x`, 'discovery-refused'],
    ] as const) {
      const stage = createStage({
        idp: { ...common, metadata: { issuer: named } },
        preset: { issuerTemplate: template },
      })
      const answer = await discover(stage)
      if (typeof expected === 'string') expect(answer).toBe(expected)
      else expect(answer).toMatchObject(expected)
    }
  })

  it('DEC-09d OI-15 is rejected without a preset that knows it', async () => {
    expect(await discover(createStage({ idp: { ...common, metadata: { issuer: template } } }))).toBe(
      'discovery-refused',
    )
  })

  it('DEC-09d is discovered even if the endpoints are configured, since nothing else contains the issuer', async () => {
    const stage = createStage({
      idp: { ...common, users, metadata: { issuer: template } },
      preset: { issuerTemplate: template },
      provider: { token },
    })
    expect(await discover(stage, 'token')).toMatchObject({ issuer: template, token_endpoint: token })
  })
})
