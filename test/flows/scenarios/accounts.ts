import { expect } from 'vitest'
import { signIn, type App, type AppOptions } from '../../support/app.ts'
import type { Account, TokenSet } from '../../../src/types/records.ts'
import { scenario } from '../scenario.ts'

/** Adds members to the response of the token endpoint. */
function answering(more: object) {
  const conform = async (response: Response) =>
    Response.json({ ...((await response.json()) as object), ...more })
  return { token: { conform } }
}

const generous = {
  refresh_token: 'refresh',
  session_state: 'abc',
  authorization_details: [{ type: 'payment', amount: 7 }],
  custom: { nested: [1, null] },
}

/** Signs in. @returns the account that the signIn callback received */
async function accountOf(open: (options: AppOptions) => App, more: object = {}): Promise<Account> {
  let shown: Account | null = null
  const signInCallback = ({ account }: { account: Account | null }) => {
    shown = account
    return true
  }
  const app = open({ provider: answering(more), config: { callbacks: { signIn: signInCallback } } })
  await signIn(app, app.agent())
  expect(app.ended()).toBe('signedIn')
  return shown as unknown as Account
}

/** The content of an account, and the parts that are stored. */
export const accountScenarios = [
  scenario(
    'REC-002 REC-003 REC-006 REC-008 REC-010 REC-011 an account names its provider, and contains its tokens',
    async ({ open }) => {
      const account = await accountOf(open, { expires_in: 1800 })
      expect(account).toMatchObject({
        provider: 'idp',
        providerAccountId: 'ada',
        type: 'oidc',
        access_token: expect.stringMatching(/^[\w-]+$/),
        id_token: expect.stringMatching(/^eyJ/),
        scope: 'openid profile email',
        expires_in: 1800,
        expires_at: Date.UTC(2030, 0, 1) / 1000 + 1800,
      })
    },
  ),

  scenario('REC-001 REC-009 an account keeps all other members of the token response', async ({ open }) => {
    expect(await accountOf(open, generous)).toMatchObject(generous)
  }),

  scenario(
    'REC-012 OI-23 the type of a token is lower-case, however the provider wrote it',
    async ({ open }) => {
      for (const sent of ['Bearer', 'BEARER', 'bearer'])
        expect((await accountOf(open, { token_type: sent })).token_type).toBe('bearer')
    },
  ),

  scenario('OI-22 REC-011 no expiry is stored for an invalid lifetime', async ({ open }) => {
    const expiryOf = async (expires_in: unknown) => (await accountOf(open, { expires_in })).expires_at
    const now = Date.UTC(2030, 0, 1) / 1000
    expect(await expiryOf('120')).toBe(now + 120)
    expect(await expiryOf(0)).toBe(now)
    for (const none of [-1, 'soon', '-5', null, {}, 1e300, '']) expect(await expiryOf(none)).toBeUndefined()
  }),

  scenario(
    'CB-07 REC-015 REC-007 REC-027 by default some of the tokens are stored, with their owner',
    async ({ open }) => {
      const app = open({
        strategy: 'database',
        provider: answering({ ...generous, userId: 'another user' }),
      })
      await signIn(app, app.agent())
      const [user] = app.rows.users()
      expect(app.rows.accounts()).toEqual([
        {
          provider: 'idp',
          providerAccountId: 'ada',
          type: 'oidc',
          userId: user?.id,
          access_token: expect.any(String),
          id_token: expect.any(String),
          refresh_token: 'refresh',
          expires_at: Date.UTC(2030, 0, 1) / 1000 + 3600,
          scope: 'openid profile email',
          token_type: 'bearer',
          session_state: 'abc',
        },
      ])
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'PRV-018 REC-014 WIR-040 the account callback chooses what is stored, and callbacks still receive everything',
    async ({ open }) => {
      const given: TokenSet[] = []
      const shown: unknown[] = []
      const account = (tokens: TokenSet) => {
        given.push(tokens)
        return { refresh_token: tokens.refresh_token, note: 'mine', access_token: undefined } as TokenSet
      }
      const app = open({
        strategy: 'jwt-stored',
        provider: { ...answering(generous), account },
        config: {
          callbacks: {
            signIn: (params) => Boolean(shown.push(params.account)),
            jwt({ token, account: received }) {
              shown.push(received)
              return token
            },
          },
        },
      })
      await signIn(app, app.agent())
      shown.push(app.events.find(({ event }) => event === 'signIn')?.message.account)
      const whole = { ...generous, access_token: expect.any(String), id_token: expect.any(String) }
      expect(given).toEqual([expect.objectContaining({ ...whole, expires_in: 3600, token_type: 'bearer' })])
      expect(shown).toHaveLength(3)
      for (const each of shown)
        expect(each).toMatchObject({ ...whole, provider: 'idp', providerAccountId: 'ada' })
      const owner = app.rows.users()[0]?.id
      expect(app.rows.accounts()).toEqual([
        {
          provider: 'idp',
          providerAccountId: 'ada',
          type: 'oidc',
          userId: owner,
          refresh_token: 'refresh',
          note: 'mine',
        },
      ])
    },
  ),

  scenario(
    'PRV-018 REC-002 REC-007 an account callback cannot change the owner of the account',
    async ({ open }) => {
      const forged = { provider: 'other', providerAccountId: 'eve', userId: 'eve', type: 'email' } as TokenSet
      for (const account of [() => forged, () => undefined]) {
        const app = open({ strategy: 'database', provider: { account } })
        await signIn(app, app.agent())
        const owner = app.rows.users()[0]?.id
        expect(app.rows.accounts()).toEqual([
          { provider: 'idp', providerAccountId: 'ada', type: 'oidc', userId: owner },
        ])
      }
    },
  ),

  scenario(
    'FI-07 FI-02 DEC-20b an account callback that throws stops the sign-in, and leaves no user',
    async ({ open }) => {
      const account = () => {
        throw new Error('no account today')
      }
      const app = open({ strategy: 'database', provider: { account } })
      const response = await signIn(app, app.agent())
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.rows.users()).toEqual([])
      expect(app.rows.accounts()).toEqual([])
      expect(app.rows.sessions()).toEqual([])
      expect(app.events).toEqual([])
    },
  ),

  scenario('REC-013 a user can have accounts at several providers', async ({ open }) => {
    const provider = {
      type: 'oidc',
      issuer: 'https://idp.test',
      clientId: 'client',
      clientSecret: 'client-secret',
    } as const
    const app = open({
      strategy: 'database',
      providers: [
        { ...provider, id: 'one', name: 'One' },
        { ...provider, id: 'two', name: 'Two' },
      ],
    })
    const agent = app.agent()
    await signIn(app, agent, 'one')
    await signIn(app, agent, 'two')
    const [user, ...others] = app.rows.users()
    expect(others).toEqual([])
    expect(app.rows.accounts()).toMatchObject([
      { provider: 'one', providerAccountId: 'ada', userId: user?.id },
      { provider: 'two', providerAccountId: 'ada', userId: user?.id },
    ])
    expect(app.hops.map(({ event }) => event)).toContain('link.requested')
    expect(app.ended()).toBe('signedIn')
  }),
]
