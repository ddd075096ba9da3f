import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasFailed } from '../../src/oauth/failure.ts'
import { mapProfile } from '../../src/oauth/map-profile.ts'
import { fetchOf } from '../../src/providers/preset.ts'
import type { UserinfoEndpointHandler } from '../../src/types/provider.ts'
import type { TokenSet } from '../../src/types/records.ts'
import { spread } from '../support/spread.ts'
import { admitted, createPlatform, createStage, ending, issuer, resolve, signIn } from './stage.ts'

const oauth = { type: 'oauth', authorization: { params: { scope: 'email' } } }

describe('the userinfo', () => {
  it('PRV-030 is over the claims with idToken: false, and not asked for without', async () => {
    const stage = createStage({ provider: { idToken: false } })
    const { profile } = admitted(await signIn(stage))
    expect(profile).toMatchObject({ sub: 'ann', name: 'Ann', iss: issuer })
    expect(stage.idp.requestsTo('userinfo')[0]?.headers.get('authorization')).toMatch(/^Bearer ./)
    const plain = createStage()
    admitted(await signIn(plain))
    expect(plain.idp.requestsTo('userinfo')).toEqual([])
  })

  it.each(['userinfo-sub-wrong', 'userinfo-sub-missing'] as const)(
    'OI-12 is refused with %s',
    async (fault) => {
      const stage = createStage({ provider: { idToken: false }, idp: { misbehave: [fault] } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    },
  )

  it('OI-12 is refused from a hook that answers for somebody else', async () => {
    for (const answer of [{ sub: 'bob' }, {}]) {
      const stage = createStage({ provider: { idToken: false, userinfo: { request: () => answer } } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    }
  })

  it('PRV-007 may be configured apart from what is discovered', async () => {
    const metadata = { userinfo_endpoint: `${issuer}/elsewhere` }
    const stage = createStage({ idp: { metadata }, provider: { ...oauth, userinfo: `${issuer}/userinfo` } })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-10e is discovered where the configuration names the token endpoint alone', async () => {
    const stage = createStage({ provider: { ...oauth, token: `${issuer}/token` } })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-10a is what userinfo.request answers, which gets tokens, configuration and our fetch', async () => {
    const request: UserinfoEndpointHandler['request'] = async ({ tokens, provider }) => {
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const answer = await fetchOf(provider)(`${issuer}/userinfo`, { headers })
      return { ...((await answer.json()) as object), name: provider.name }
    }
    const stage = createStage({ provider: { ...oauth, userinfo: { request }, name: 'Own name' } })
    expect(admitted(await signIn(stage)).profile).toMatchObject({ sub: 'ann', name: 'Own name' })
    expect(stage.idp.requestsTo('userinfo')[0]?.headers.get('user-agent')).toBe('authmachine/1.2.3')
  })

  it('OI-13 is refused when userinfo.request answers no object, or throws', async () => {
    for (const answer of [undefined, null, 'ann', 7, ['ann']]) {
      const stage = createStage({ provider: { ...oauth, userinfo: { request: () => answer } } })
      expect(ending(await signIn(stage))).toBe('profile: userinfo-refused')
    }
    const cause = new Error('own')
    const stage = createStage({ provider: { ...oauth, userinfo: { request: () => Promise.reject(cause) } } })
    expect(await signIn(stage)).toMatchObject({ failed: { reason: 'userinfo-refused', cause } })
  })

  describe('as a signed JWT', () => {
    const client = { signsUserinfo: true }
    const signed = { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } }

    it('OI-07 DEC-09a is read where it is declared', async () => {
      expect(ending(await signIn(createStage({ client, provider: signed })))).toBe('admitted')
    })

    it('OI-13 is refused as plain JSON where it is declared', async () => {
      expect(ending(await signIn(createStage({ provider: signed })))).toBe('profile: userinfo-refused')
    })

    it('OI-06 is refused under an algorithm that nobody declares', async () => {
      const stage = createStage({ client, provider: { idToken: false } })
      expect(ending(await signIn(stage))).toBe('profile: userinfo-refused')
      const declared = createStage({
        client,
        provider: { ...signed, client: { userinfo_signed_response_alg: 'ES256' } },
      })
      expect(ending(await signIn(declared))).toBe('profile: userinfo-refused')
    })

    it('OI-07 is refused when the issuer did not sign it', async () => {
      const stage = createStage({ client, provider: signed })
      const asked = stage.idp.requestsTo
      const result = await signIn({
        ...stage,
        context: {
          ...stage.context,
          platform: {
            ...stage.context.platform,
            fetch: (input, init) => {
              // The id_token is good; only what comes after it is forged.
              if (asked('jwks').length > 0) stage.idp.misbehave('signature-foreign')
              return stage.idp.fetch(input, init)
            },
          },
        },
      })
      expect(ending(result)).toBe('profile: signature-invalid')
    })

    it('OI-12 is refused for another subject', async () => {
      const stage = createStage({ client, provider: signed, idp: { misbehave: ['userinfo-sub-wrong'] } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    })
  })
})

describe('a preset', () => {
  it('adds what the response says, and then what takes a request of its own', async () => {
    const order: string[] = []
    const stage = createStage({
      preset: {
        readResponse: (response, profile) => {
          order.push(response.has('code') ? 'response' : 'nothing')
          return { ...profile, nickname: 'from the response' }
        },
        complete: async (profile, tokens, send) => {
          order.push(tokens.access_token === undefined ? 'no token' : String(profile.nickname))
          return { ...profile, status: (await send(`${issuer}/elsewhere`)).status }
        },
      },
    })
    expect(admitted(await signIn(stage)).profile).toMatchObject({
      nickname: 'from the response',
      status: 404,
    })
    expect(order).toEqual(['response', 'from the response'])
  })

  it('that throws makes the profile unusable', async () => {
    const cause = new Error('preset')
    const complete = () => Promise.reject(cause)
    expect(await signIn(createStage({ preset: { complete } }))).toMatchObject({
      stop: 'profile',
      failed: { reason: 'profile-unusable', cause },
    })
  })
})

describe('the account and user of a profile', () => {
  const tokens: TokenSet = { access_token: 'a', token_type: 'bearer' }

  async function map(profile: (raw: object, tokens: TokenSet) => unknown, given: TokenSet = tokens) {
    const help = {
      platform: createPlatform(fetch),
      canonicaliseEmail: (raw: string) => (raw.includes('@') ? raw.toLowerCase() : undefined),
    }
    const mapped = await mapProfile(resolve({ profile }), { sub: 'raw' }, given, help)
    return hasFailed(mapped) ? mapped.failed : mapped
  }

  const unusable = [
    undefined,
    null,
    '',
    '   ',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    [],
    ['a'],
    true,
    () => 'a',
    Symbol('a'),
    String(undefined),
    String(null),
    String(Number.NaN),
    '[object Object]',
  ]

  it.each(unusable.map((id) => [typeof id, id] as const))(
    'OI-18 DEC-13a is refused with an id of type %s',
    async (_, id) => {
      expect(await map(() => ({ id, name: 'Ann' }))).toMatchObject({ reason: 'profile-unusable' })
    },
  )

  it('OI-18 DEC-13a is refused without id, without user, and when profile throws', async () => {
    expect(await map(() => ({ name: 'Ann' }))).toMatchObject({ reason: 'profile-unusable' })
    for (const answer of [undefined, null, 'ann'])
      expect(await map(() => answer)).toMatchObject({ reason: 'profile-unusable' })
    const cause = new Error('own')
    expect(await map(() => Promise.reject(cause))).toMatchObject({ reason: 'profile-unusable', cause })
  })

  it('DEC-13b OI-18 is of the id that profile gave, numbers as strings, one to one', async () => {
    const cases = spread('profile ids')
    const id = fc.oneof(
      fc.integer(),
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    )
    await fc.assert(
      fc.asyncProperty(id, async (given) => {
        fc.pre(!['undefined', 'null', 'NaN', '[object Object]'].includes(String(given)))
        expect(await map(() => ({ id: given }))).toMatchObject({
          account: { providerAccountId: String(given) },
        })
        cases.count(typeof given)
      }),
      { numRuns: 200 },
    )
    cases.report()
    cases.atLeast('number', 40)
    cases.atLeast('string', 40)
  })

  it('PRV-017 gets profile and tokens, and may answer any members, of which the undefined are left out', async () => {
    const mapped = await map((raw, given) => ({
      id: 1,
      raw,
      given,
      role: 'admin',
      name: null,
      image: undefined,
    }))
    expect(mapped).toMatchObject({
      candidate: { raw: { sub: 'raw' }, given: tokens, role: 'admin', name: null },
    })
    expect('candidate' in mapped && Object.keys(mapped.candidate)).toEqual([
      'raw',
      'given',
      'role',
      'name',
      'id',
    ])
  })

  it('OI-17 gives a new user a random id, whatever the profile’s', async () => {
    const ids = await Promise.all(
      [1, 1].map(async (id) => {
        const mapped = await map(() => ({ id }))
        return 'candidate' in mapped ? mapped.candidate.id : undefined
      }),
    )
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  it('DEC-13d EM-05 has the address in its one form, and one that has none is left out and told', async () => {
    const withEmail = (email: unknown) => map(() => ({ id: 1, email }))
    expect(await withEmail('Ann@Example.com')).toMatchObject({
      candidate: { email: 'ann@example.com' },
      emailRefused: false,
    })
    for (const email of ['no address', 7, ['ann@example.com'], {}]) {
      const mapped = await withEmail(email)
      expect(mapped).toMatchObject({ emailRefused: true })
      expect('candidate' in mapped && mapped.candidate).not.toHaveProperty('email')
    }
  })

  it('DEC-13e is stored without an address where the profile has none', async () => {
    for (const email of [undefined, null, '']) {
      const mapped = await map(() => ({ id: 1, email }))
      expect(mapped).toMatchObject({ emailRefused: false })
      expect('candidate' in mapped && mapped.candidate).not.toHaveProperty('email')
    }
  })

  it('WIR-040 REC-001 is the whole token set, of which nothing says whose it is', async () => {
    const given = {
      ...tokens,
      team: 1,
      provider: 'evil',
      type: 'email',
      providerAccountId: 'evil',
      userId: 'evil',
    }
    const mapped = await map(() => ({ id: 1 }), given)
    expect('account' in mapped && mapped.account).toEqual({
      ...tokens,
      team: 1,
      provider: 'idp',
      type: 'oidc',
      providerAccountId: '1',
    })
  })
})
