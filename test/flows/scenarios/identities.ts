import { expect } from 'vitest'
import MicrosoftEntraID from '../../../src/providers/microsoft-entra-id.ts'
import type { Profile, TokenSet, User } from '../../../src/types/records.ts'
import { sessionOf, signIn, type App, type AppOptions } from '../../support/app.ts'
import { scenario } from '../scenario.ts'
import { expectError, expectNotSignedIn } from '../expectations.ts'

const host = 'https://login.microsoftonline.com'
const tenants = {
  home: '11111111-2222-3333-4444-555555555555',
  other: '99999999-2222-3333-4444-555555555555',
}

/** Signs in at a multi-tenant issuer with a token of one tenant that claims another. */
async function signInAtTenant(
  open: (options: AppOptions) => App,
  issuedBy: string,
  claimed: unknown,
  admitted?: string[],
) {
  const issuer = `${host}/common/v2.0`
  const metadata = {
    issuer: `${host}/{tenantid}/v2.0`,
    authorization_response_iss_parameter_supported: false,
  }
  const users = [{ sub: 'ada', claims: { name: 'Ada', ...(claimed !== undefined && { tid: claimed }) } }]
  const app = open({
    strategy: 'database',
    idp: { issuer, metadata, users, tokenIssuer: () => `${host}/${issuedBy}/v2.0` },
    providers: [MicrosoftEntraID({ clientId: 'client', clientSecret: 'client-secret', tenants: admitted })],
  })
  await signIn(app, app.agent(), 'microsoft-entra-id')
  return app.ended() === 'signedIn' ? 'signedIn' : [app.ended(), app.hops.at(-1)?.event]
}

/** Which identity a provider response describes. */
export const identityScenarios = [
  scenario(
    'REC-020 CB-07 REC-017 REC-023 REC-025 REC-026 a new user has id, name, email and image',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      await signIn(app, app.agent())
      expect(app.rows.users()).toEqual([
        {
          id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
          name: 'Ada',
          email: 'ada@example.com',
          image: 'https://idp.test/ada.png',
          emailVerified: null,
        },
      ])
      app.idp.choose('bob')
      await signIn(app, app.agent())
      const [ada, bob] = app.rows.users()
      expect(bob).toEqual({
        id: expect.any(String),
        name: 'Bob',
        email: 'bob@example.com',
        emailVerified: null,
      })
      expect(bob?.id).not.toBe(ada?.id)
    },
  ),

  scenario(
    'PRV-017 REC-018 REC-019 the profile callback receives every claim and the tokens, and returns the user',
    async ({ open }) => {
      const claims = {
        name: null,
        email: null,
        picture: { href: 'x' },
        email_verified: true,
        updated_at: 1893456000,
        address: { country: 'GB' },
        'https://example.com/role': ['admin'],
      }
      const given: [Profile, TokenSet][] = []
      const profile = (received: Profile, tokens: TokenSet): User => {
        given.push([received, tokens])
        return { id: `x-${received.sub}`, name: 'Countess', role: 'admin' } as User
      }
      const app = open({
        strategy: 'database',
        provider: { profile },
        idp: { users: [{ sub: 'ada', claims }] },
      })
      await signIn(app, app.agent())
      expect(given).toHaveLength(1)
      expect(given[0]?.[0]).toMatchObject({ sub: 'ada', ...claims })
      expect(given[0]?.[1]).toMatchObject({ access_token: expect.any(String), token_type: 'bearer' })
      expect(app.rows.users()).toMatchObject([{ name: 'Countess', role: 'admin' }])
      expect(app.rows.accounts()).toMatchObject([{ providerAccountId: 'x-ada' }])
    },
  ),

  scenario(
    'REC-018 DEC-13e a profile with only an id creates a user without an address',
    async ({ open }) => {
      const app = open({ strategy: 'database', idp: { users: [{ sub: 'ada' }, { sub: 'bob' }] } })
      for (const sub of ['ada', 'bob']) {
        app.idp.choose(sub)
        await signIn(app, app.agent())
        expect(app.ended()).toBe('signedIn')
      }
      expect(app.rows.users()).toEqual([
        { id: expect.any(String), emailVerified: null },
        { id: expect.any(String), emailVerified: null },
      ])
      expect(app.errors).toEqual([])
    },
  ),

  scenario('DEC-13a OI-18 a profile without a usable id signs nobody in', async ({ open }) => {
    const ids = [
      undefined,
      null,
      '',
      ' ',
      'undefined',
      'null',
      'NaN',
      '[object Object]',
      'user-\ud800',
      'user-\0',
      Number.NaN,
      {},
      ['a'],
      true,
    ]
    for (const id of ids) {
      const app = open({
        strategy: 'database',
        provider: { profile: () => ({ id, name: 'Nobody' }) as User },
      })
      const agent = app.agent()
      expectError(await signIn(app, agent), 'Configuration')
      expect(app.hops.at(-1)).toMatchObject({ state: 'mappingProfile', event: 'profile.unusable' })
      expect(app.ended()).toBe('failed')
      expect(app.errors.at(-1)).toMatchObject({ type: 'OAuthProfileParseError' })
      await expectNotSignedIn(app, agent)
    }
  }),

  scenario(
    'FI-07 OI-18 a profile callback that throws, or returns no user, stops the sign-in',
    async ({ open }) => {
      const thrower = () => {
        throw new Error('no profile today')
      }
      const cases = [
        [thrower, 'hook.failed'],
        [() => null as never, 'profile.unusable'],
        [() => 'ada' as never, 'profile.unusable'],
        [() => Promise.reject(new Error('late')), 'hook.failed'],
      ] as const
      for (const [profile, event] of cases) {
        const app = open({ strategy: 'database', provider: { profile } })
        const agent = app.agent()
        expectError(await signIn(app, agent), 'Configuration')
        expect(app.hops.at(-1)?.event).toBe(event)
        expect(app.ended()).toBe('failed')
        await expectNotSignedIn(app, agent)
      }
    },
  ),

  scenario('DEC-13b a numeric id becomes a string', async ({ open }) => {
    const app = open({ strategy: 'database', provider: { profile: () => ({ id: 42 as never }) } })
    await signIn(app, app.agent())
    await signIn(app, app.agent())
    expect(app.rows.accounts()).toMatchObject([{ providerAccountId: '42' }])
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('DEC-13d an address is stored normalised, and an invalid one is dropped', async ({ open }) => {
    const addressOf = async (email: string) => {
      const app = open({ strategy: 'database', idp: { users: [{ sub: 'ada', claims: { email } }] } })
      await signIn(app, app.agent())
      expect(app.ended()).toBe('signedIn')
      return [app.rows.users()[0]?.email, app.errors.map((error) => (error as { type?: string }).type)]
    }
    expect(await addressOf('Ada@EXAMPLE.com')).toEqual(['ada@example.com', []])
    expect(await addressOf('ada@example.com,eve@evil.test')).toEqual([undefined, ['OAuthProfileParseError']])
    expect(await addressOf('not an address')).toEqual([undefined, ['OAuthProfileParseError']])
    const app = open({
      strategy: 'database',
      idp: { users: [{ sub: 'a', claims: { email: 'ADA@example.com' } }] },
    })
    await app.store.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
    await signIn(app, app.agent())
    expect(app.ended()).toBe('notLinked')
  }),

  scenario(
    'OI-17 AL-06 identity depends on the account id, and not on claims that can change',
    async ({ open }) => {
      const claims: Record<string, unknown> = { name: 'Ada', email: 'ada@example.com' }
      const app = open({
        strategy: 'database',
        idp: {
          users: [
            { sub: 'ada', claims },
            { sub: 'eve', claims: { email: 'eve@example.com' } },
          ],
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      app.idp.choose('eve')
      await signIn(app, app.agent())
      const owners = () =>
        app.rows.accounts().map(({ providerAccountId, userId }) => [providerAccountId, userId])
      const before = [app.rows.users(), owners()]
      app.idp.choose('ada')
      Object.assign(claims, { name: 'Eve', email: 'eve@example.com', preferred_username: 'eve' })
      const again = app.agent()
      await signIn(app, again)
      expect(app.ended()).toBe('signedIn')
      expect([app.rows.users(), owners()]).toEqual(before)
      expect(await sessionOf(again)).toMatchObject({ user: { email: 'ada@example.com' } })
    },
  ),

  scenario('OI-19 OI-17 account ids are compared exactly', async ({ open }) => {
    const app = open({
      strategy: 'database',
      idp: { users: [{ sub: 'ada' }, { sub: 'Ada' }, { sub: 'ada ' }] },
    })
    for (const sub of ['ada', 'Ada', 'ada ', 'Ada']) {
      app.idp.choose(sub)
      await signIn(app, app.agent())
      expect(app.ended()).toBe('signedIn')
    }
    expect(app.rows.accounts().map(({ providerAccountId }) => providerAccountId)).toEqual([
      'ada',
      'Ada',
      'ada ',
    ])
    expect(app.rows.users()).toHaveLength(3)
  }),

  scenario(
    'OI-21 DEC-09d DEC-09e a token must match the tenant it names, and that tenant must be allowed',
    async ({ open }) => {
      const { home, other } = tenants
      const invalid = ['failed', 'claims.invalid']
      expect(await signInAtTenant(open, home, home)).toBe('signedIn')
      expect(await signInAtTenant(open, other, home)).toEqual(invalid)
      expect(await signInAtTenant(open, `${home}/`, home)).toEqual(invalid)
      expect(await signInAtTenant(open, '{tenantid}', undefined)).toEqual(invalid)
      expect(await signInAtTenant(open, 'a/b', 'a/b')).toEqual(invalid)
      expect(await signInAtTenant(open, home, home, [home])).toBe('signedIn')
      expect(await signInAtTenant(open, other, other, [home])).toEqual(invalid)
    },
  ),
]
