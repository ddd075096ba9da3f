import { expect } from 'vitest'
import WebAuthn from '../../../src/providers/webauthn.ts'
import { issuer, secret, signIn } from '../../support/app.ts'
import { scenario } from '../scenario.ts'
import { expectError } from '../expectations.ts'

const client = { issuer, clientId: 'client', clientSecret: 'client-secret' }
const mail = { sendVerificationRequest: () => {} }

/** A provider's options, and the data that it exposes. */
export const providerOptionScenarios = [
  scenario(
    'PRV-001 PRV-002 PRV-004 ATN-001 every type of provider is listed with its URLs',
    async ({ open }) => {
      const app = open({
        strategy: 'jwt-stored',
        config: { experimental: { enableWebAuthn: true } },
        providers: [
          { id: 'one', name: 'One', type: 'oidc', ...client },
          { id: 'two', name: 'Two', type: 'oauth', ...client },
          { id: 'three', name: 'Three', type: 'email', ...mail },
          { id: 'four', name: 'Four', type: 'credentials', credentials: {}, authorize: () => null },
          WebAuthn({ id: 'five', name: 'Five' }),
        ],
      })
      const received = await (await app.agent().send('/auth/providers')).json()
      const entry = (id: string, name: string, type: string) => ({
        id,
        name,
        type,
        signinUrl: `https://app.test/auth/signin/${id}`,
        callbackUrl: `https://app.test/auth/callback/${id}`,
      })
      expect(received).toEqual({
        one: entry('one', 'One', 'oidc'),
        two: entry('two', 'Two', 'oauth'),
        three: entry('three', 'Three', 'email'),
        four: entry('four', 'Four', 'credentials'),
        five: entry('five', 'Five', 'webauthn'),
      })
      const sixth = open({ providers: [{ id: 'six', name: 'Six', type: 'saml' as never, ...client }] })
      expect((await sixth.agent().send('/auth/providers')).status).toBe(500)
    },
  ),

  scenario('PRV-002 duplicate and invalid provider ids are rejected', async ({ open }) => {
    const one = { id: 'one', name: 'One', type: 'oidc', ...client } as const
    for (const providers of [[one, { ...one, name: 'Two' }], [{ ...one, id: 'a/b' }], [{ ...one, id: '' }]]) {
      const response = await open({ providers }).agent().send('/auth/providers')
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({
        message: expect.stringContaining('server configuration'),
      })
    }
    const apart = open({ providers: [one, { ...one, id: 'two' }] })
    await signIn(apart, apart.agent(), 'two')
    expect(apart.ended()).toBe('signedIn')
    expect(new URL(apart.idp.requestsTo('authorize')[0]?.url ?? '').searchParams.get('redirect_uri')).toBe(
      'https://app.test/auth/callback/two',
    )
  }),

  scenario("PRV-003 PRV-023 a provider's button shows its name, colour and logo", async ({ open }) => {
    const logo = 'data:image/svg+xml,%3Csvg/%3E'
    const app = open({ provider: { name: 'The House', style: { brandColor: '#123456', logo } } })
    const page = await (await app.agent().send('/auth/signin')).text()
    expect(page).toMatch(/<button[^>]*>(?:(?!<\/button>).)*The House/s)
    expect(page).toContain('#123456')
    expect(page).toContain(`src="${logo}"`)
  }),

  scenario("PRV-025 the user's options override those of the preset", async ({ open }) => {
    const app = open({
      providers: [
        {
          id: 'preset',
          name: 'Preset',
          type: 'oidc',
          issuer: 'https://nowhere.test',
          clientId: 'nobody',
          authorization: { params: { scope: 'openid', prompt: 'consent' } },
          options: { ...client, id: 'idp', name: 'Mine', authorization: { params: { prompt: 'login' } } },
        },
      ],
    })
    await signIn(app, app.agent(), 'idp')
    expect(app.ended()).toBe('signedIn')
    const { searchParams } = new URL(app.idp.requestsTo('authorize')[0]?.url ?? '')
    expect(searchParams.get('client_id')).toBe('client')
    expect(searchParams.get('scope')).toBe('openid')
    expect(searchParams.get('prompt')).toBe('login')
    expect(await (await app.agent().send('/auth/providers')).json()).toMatchObject({ idp: { name: 'Mine' } })
  }),

  scenario(
    'PRV-019 PRV-020 AL-01 an address links an account only if the provider allows it',
    async ({ open }) => {
      const signInBeside = async (allowDangerousEmailAccountLinking?: boolean) => {
        const app = open({ strategy: 'database', provider: { allowDangerousEmailAccountLinking } })
        await app.store.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
        const agent = app.agent()
        const response = await signIn(app, agent)
        expect(app.warnings.includes('dangerous-linking')).toBe(allowDangerousEmailAccountLinking === true)
        return { app, response }
      }
      for (const option of [undefined, false]) {
        const { app, response } = await signInBeside(option)
        expectError(response, 'OAuthAccountNotLinked', '/auth/signin')
        expect(app.ended()).toBe('notLinked')
        expect(app.rows.accounts()).toEqual([])
      }
      const { app } = await signInBeside(true)
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.accounts()).toMatchObject([{ userId: 'u1', provider: 'idp', providerAccountId: 'ada' }])
      expect(app.rows.sessions()).toMatchObject([{ userId: 'u1' }])
    },
  ),

  scenario(
    'PRV-012 ATN-012 without a secret a sign-in fails before any request to the provider',
    async ({ open }) => {
      const app = open({ config: { secret: ' ' } })
      const response = await app.agent().send('/auth/signin/idp', { form: { csrfToken: secret } })
      expect(response.status).toBe(500)
      expect(app.idp.log).toEqual([])
    },
  ),
]
