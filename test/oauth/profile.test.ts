import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultProfile } from '../../src/config/default-callbacks.ts'
import { hasFailed } from '../../src/oauth/failure.ts'
import { deriveUser } from '../../src/oauth/read-profile.ts'
import { fetchOf } from '../../src/provider-base/preset.ts'
import type { UserinfoEndpointHandler } from '../../src/types/provider.ts'
import type { TokenSet } from '../../src/types/records.ts'
import { spread } from '../support/spread.ts'
import { admitted, createPlatform, createStage, ending, issuer, resolve, signIn } from './stage.ts'

const oauth = { type: 'oauth', authorization: { params: { scope: 'email' } } }

describe('the userinfo', () => {
  it('PRV-030 overrides the claims with idToken: false, and is otherwise not requested', async () => {
    const stage = createStage({ provider: { idToken: false } })
    const { profile } = admitted(await signIn(stage))
    expect(profile).toMatchObject({ sub: 'ann', name: 'Ann', iss: issuer })
    expect(stage.idp.requestsTo('userinfo')[0]?.headers.get('authorization')).toMatch(/^Bearer ./)
    const plain = createStage()
    admitted(await signIn(plain))
    expect(plain.idp.requestsTo('userinfo')).toEqual([])
  })

  it.each([
    [{ email: 'eve@example.com' }, true],
    [{ name: 'Eve' }, true],
    [{ email: 'eve@example.com', email_verified: false }, false],
    [{ email: 'victim@example.com' }, undefined],
    [{ email: 'victim@example.com', email_verified: true }, true],
    [{ email: null }, undefined],
  ])('AL-09 with %j replaces the verdict of the claims on the address', async (answer, verified) => {
    await expectVerdict(true, answer, verified)
  })

  it('AL-13 keeps the verdict of the claims that an address is not verified', async () => {
    await expectVerdict(false, { email: 'Eve@example.com' }, false)
    await expectVerdict(false, { email: 'Eve@example.com', email_verified: true }, true)
  })

  async function expectVerdict(claimed: boolean, answer: object, verified?: boolean) {
    const users = [{ sub: 'eve', claims: { email: 'eve@example.com', email_verified: claimed } }]
    const userinfo = { request: () => ({ sub: 'eve', ...answer }) }
    const stage = createStage({ idp: { users }, provider: { idToken: false, userinfo } })
    stage.idp.choose('eve')
    const { profile } = admitted(await signIn(stage))
    expect([profile.email_verified, 'email_verified' in profile]).toEqual([verified, verified !== undefined])
  }

  it.each(['userinfo-sub-wrong', 'userinfo-sub-missing'] as const)(
    'OI-12 is rejected with %s',
    async (fault) => {
      const stage = createStage({ provider: { idToken: false }, idp: { misbehave: [fault] } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    },
  )

  it('OI-12 is rejected if a hook returns another user', async () => {
    for (const answer of [{ sub: 'bob' }, {}]) {
      const stage = createStage({ provider: { idToken: false, userinfo: { request: () => answer } } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    }
  })

  it('PRV-007 may use an endpoint that differs from the discovered one', async () => {
    const metadata = { userinfo_endpoint: `${issuer}/elsewhere` }
    const stage = createStage({ idp: { metadata }, provider: { ...oauth, userinfo: `${issuer}/userinfo` } })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-10e is discovered if the configuration has only the token endpoint', async () => {
    const stage = createStage({ provider: { ...oauth, token: `${issuer}/token` } })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-10a is the result of userinfo.request, which receives tokens, configuration and fetch', async () => {
    const request: UserinfoEndpointHandler['request'] = async ({ tokens, provider }) => {
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const answer = await fetchOf(provider)(`${issuer}/userinfo`, { headers })
      return { ...((await answer.json()) as object), name: provider.name }
    }
    const stage = createStage({ provider: { ...oauth, userinfo: { request }, name: 'Own name' } })
    expect(admitted(await signIn(stage)).profile).toMatchObject({ sub: 'ann', name: 'Own name' })
    expect(stage.idp.requestsTo('userinfo')[0]?.headers.get('user-agent')).toBe('authmachine/1.2.3')
  })

  it('OI-13 is rejected if userinfo.request throws, or returns no object', async () => {
    for (const answer of [undefined, null, 'ann', 7, ['ann']]) {
      const stage = createStage({ provider: { ...oauth, userinfo: { request: () => answer } } })
      expect(ending(await signIn(stage))).toBe('profile: userinfo-refused')
    }
    const cause = new Error('own')
    const stage = createStage({ provider: { ...oauth, userinfo: { request: () => Promise.reject(cause) } } })
    expect(await signIn(stage)).toMatchObject({ failed: { reason: 'hook-failed', error: { cause } } })
  })

  describe('userinfo as a signed JWT', () => {
    const client = { signsUserinfo: true }
    const signed = { idToken: false, client: { userinfo_signed_response_alg: 'RS256' } }

    it('OI-07 DEC-09a is accepted if it is declared', async () => {
      expect(ending(await signIn(createStage({ client, provider: signed })))).toBe('admitted')
    })

    it('OI-13 is rejected as plain JSON if it is declared', async () => {
      expect(ending(await signIn(createStage({ provider: signed })))).toBe('profile: userinfo-refused')
    })

    it('OI-06 is rejected with an undeclared algorithm', async () => {
      const stage = createStage({ client, provider: { idToken: false } })
      expect(ending(await signIn(stage))).toBe('profile: userinfo-refused')
      const declared = createStage({
        client,
        provider: { ...signed, client: { userinfo_signed_response_alg: 'ES256' } },
      })
      expect(ending(await signIn(declared))).toBe('profile: userinfo-refused')
    })

    it('OI-07 is rejected if the issuer did not sign it', async () => {
      const stage = createStage({ client, provider: signed })
      const asked = stage.idp.requestsTo
      const result = await signIn({
        ...stage,
        context: {
          ...stage.context,
          platform: {
            ...stage.context.platform,
            fetch: (input, init) => {
              // The id_token is valid. Only the later responses are forged.
              if (asked('jwks').length > 0) stage.idp.misbehave('signature-foreign')
              return stage.idp.fetch(input, init)
            },
          },
        },
      })
      expect(ending(result)).toBe('profile: signature-invalid')
    })

    it('OI-12 is rejected for another subject', async () => {
      const stage = createStage({ client, provider: signed, idp: { misbehave: ['userinfo-sub-wrong'] } })
      expect(ending(await signIn(stage))).toBe('profile: subject-mismatched')
    })
  })
})

describe('a preset', () => {
  it('adds members of the response first, and then the results of the requests it makes', async () => {
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

  it('makes the profile unusable if it throws', async () => {
    const cause = new Error('preset')
    const complete = () => Promise.reject(cause)
    expect(await signIn(createStage({ preset: { complete } }))).toMatchObject({
      stop: 'profile',
      failed: { reason: 'profile.unusable', error: { cause } },
    })
  })
})

describe('the account and user of a profile', () => {
  const tokens: TokenSet = { access_token: 'a', token_type: 'bearer' }

  const help = {
    platform: createPlatform(fetch),
    canonicaliseEmail: (raw: string) => (raw.includes('@') ? raw.toLowerCase() : undefined),
  }

  async function map(profile: (raw: object, tokens: TokenSet) => unknown, given: TokenSet = tokens) {
    const mapped = await deriveUser(resolve({ profile }), { sub: 'raw' }, given, help)
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
    'x'.repeat(256),
  ]

  it.each(unusable.map((id) => [typeof id, id] as const))(
    'OI-18 DEC-13a is rejected with an id of type %s',
    async (_, id) => {
      expect(await map(() => ({ id, name: 'Ann' }))).toMatchObject({ reason: 'profile.unusable' })
    },
  )

  it('OI-18 DEC-13a is refused without id, without user, and when profile throws', async () => {
    expect(await map(() => ({ name: 'Ann' }))).toMatchObject({ reason: 'profile.unusable' })
    for (const answer of [undefined, null, 'ann'])
      expect(await map(() => answer)).toMatchObject({ reason: 'profile.unusable' })
    const cause = new Error('own')
    expect(await map(() => Promise.reject(cause))).toMatchObject({ reason: 'hook-failed', error: { cause } })
  })

  it('OI-18 DEC-13a is rejected with an id from a number that JSON rounded', async () => {
    const near = [JSON.parse('1755555555555555329'), JSON.parse('1755555555555555330')] as const
    expect(near[0]).toBe(near[1])
    const makers = [
      (id: number) => id,
      String,
      (id: number) => BigInt(id).toString(),
      (id: number) => `x-${id}`,
      (id: number) => `1:-${id}.0`,
    ]
    for (const make of makers) {
      const profile = (raw: unknown) => ({ id: make((raw as { user: { id: number } }).user.id) as string })
      const mapped = await deriveUser(resolve({ profile }), { user: { id: near[0] } }, {}, help)
      expect(mapped).toMatchObject({ failed: { reason: 'profile.unusable' } })
      const ofTokens = await deriveUser(
        resolve({
          profile: (_: object, given: TokenSet) => ({ id: make(given.user_id as number) as string }),
        }),
        {},
        { user_id: near[0] },
        help,
      )
      expect(ofTokens).toMatchObject({ failed: { reason: 'profile.unusable' } })
    }
    const powers: Record<string, unknown> = { id: 2 ** 80 }
    for (const make of makers) {
      const mapped = await deriveUser(
        resolve({ profile: () => ({ id: make(2 ** 80) as string }) }),
        powers,
        {},
        help,
      )
      expect(mapped).toMatchObject({ failed: { reason: 'profile.unusable' } })
    }
    expect(await map(() => ({ id: Number('1755555555555555329') }))).toMatchObject({
      reason: 'profile.unusable',
    })
    for (const tooLarge of [JSON.parse('1e999'), JSON.parse('-1e999')] as const)
      for (const id of [tooLarge, String(tooLarge)])
        expect(await map(() => ({ id }))).toMatchObject({ reason: 'profile.unusable' })
    const chosen: Record<string, unknown> = {
      id: near[0],
      name: String(near[0]),
      bio: { about: BigInt(near[0]).toString() },
    }
    for (const make of makers) {
      const profile = () => ({ id: make(near[0]) as string })
      const mapped = await deriveUser(resolve({ profile }), chosen, {}, help)
      expect(mapped).toMatchObject({ failed: { reason: 'profile.unusable' } })
    }
    // The string next to the number is exact. Some services have ids of this length.
    const raw: Record<string, unknown> = { id: near[0], id_str: '1755555555555555328', limit: 2 ** 60 }
    raw.self = raw
    const exact = await deriveUser(
      resolve({ profile: (given: Record<string, unknown>) => ({ id: given.id_str as string }) }),
      raw,
      {},
      help,
    )
    expect(exact).toMatchObject({ account: { providerAccountId: '1755555555555555328' } })
  })

  it('REC-026 has a name that is text, by default', () => {
    const nameOf = (claims: object) => defaultProfile({ sub: 'ann', ...claims }).name
    expect(nameOf({ name: '', nickname: 'ann' })).toBe('')
    expect(nameOf({ name: null, nickname: 'ann' })).toBe('ann')
    expect(nameOf({ preferred_username: 'ann' })).toBe('ann')
    for (const name of [{ toString: 1 }, ['Ann'], 7, true]) {
      expect(nameOf({ name })).toBeUndefined()
      expect(nameOf({ name, nickname: { ...Object(name) }, preferred_username: 'ann' })).toBe('ann')
    }
  })

  it('DEC-13b OI-18 has the id that profile returned, with numbers converted to strings one to one', async () => {
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

  it('PRV-017 receives profile and tokens, and may return any members; undefined ones are dropped', async () => {
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
    expect('candidate' in mapped && Object.keys(mapped.candidate).toSorted()).toEqual([
      'given',
      'id',
      'name',
      'raw',
      'role',
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

  it('DEC-13d EM-05 normalises the address, and drops and logs an invalid one', async () => {
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

  it('DEC-13e is stored without an address if the profile has none', async () => {
    for (const email of [undefined, null, '']) {
      const mapped = await map(() => ({ id: 1, email }))
      expect(mapped).toMatchObject({ emailRefused: false })
      expect('candidate' in mapped && mapped.candidate).not.toHaveProperty('email')
    }
  })

  it('WIR-040 REC-001 is the whole token set, and nothing in it can change the owner', async () => {
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
