import { expect } from 'vitest'
import { readClaim } from '../../../src/flows/shared/keep-tokens.ts'
import { sessionOf, signIn } from '../../support/app.ts'
import { watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

/** How a sign-in updates the tokens of a linked account. */
export const accountTokenScenarios = [
  scenario(
    'OPT-001 each sign-in stores its tokens, and keeps stored values that the new response lacks',
    async ({ open }) => {
      let sent: object = { refresh_token: 'first', scope: 'wide' }
      const conform = async (response: Response) =>
        Response.json({ ...((await response.json()) as object), ...sent })
      const app = open({ strategy: 'jwt-stored', provider: { token: { conform } } })
      await signIn(app, app.agent())
      const [first] = app.rows.accounts()
      expect(first).toMatchObject({ refresh_token: 'first', scope: 'wide' })

      sent = { scope: 'narrow', expires_in: 60 }
      app.clock.advance(10)
      await signIn(app, app.agent())
      const [second, ...others] = app.rows.accounts()
      expect(others).toEqual([])
      expect(second).toEqual({
        ...first,
        access_token: expect.not.stringMatching(`^${first?.access_token}$`),
        id_token: expect.stringMatching(/^eyJ/),
        scope: 'narrow',
        expires_at: app.clock.now() / 1000 + 60,
      })
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'RO-09 a sign-in stores a refresh token that looks like a claim so that it is read back unchanged',
    async ({ open }) => {
      const refresh_token = 'refreshing:99999999999999:x'
      const conform = async (response: Response) =>
        Response.json({ ...((await response.json()) as object), refresh_token })
      const app = open({ strategy: 'database', provider: { token: { conform } } })
      for (const _ of ['linking', 'updating']) {
        await signIn(app, app.agent())
        const [account] = app.rows.accounts()
        expect(readClaim(account?.refresh_token)).toEqual({ token: refresh_token, claimedUntil: 0 })
      }
    },
  ),

  scenario('OPT-001 a sign-in succeeds with a store that cannot update tokens', async ({ open }) => {
    const wrap = watching([], () => ({ updateAccount: undefined }))
    const app = open({ strategy: 'database', wrap })
    await signIn(app, app.agent())
    const stored = app.rows.accounts()
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.accounts()).toEqual(stored)
    expect(app.errors).toEqual([])
  }),

  scenario('OPT-001 no tokens are written for a provider that stores none', async ({ open }) => {
    const app = open({ strategy: 'database', provider: { account: () => undefined } })
    await signIn(app, app.agent())
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    const [account] = app.rows.accounts()
    expect(Object.keys(account ?? {}).toSorted()).toEqual(['provider', 'providerAccountId', 'type', 'userId'])
  }),

  scenario('AL-12 AL-02 no token response moves an account to another user', async ({ open }) => {
    let sent: object = {}
    const conform = async (response: Response) =>
      Response.json({ ...((await response.json()) as object), ...sent })
    const app = open({ strategy: 'database', provider: { token: { conform }, account: (tokens) => tokens } })
    await app.store.createUser({ id: 'victim', name: 'Vera', email: 'vera@example.com', emailVerified: null })
    await signIn(app, app.agent())
    const [{ userId } = { userId: '' }] = app.rows.accounts()
    expect(userId).not.toBe('victim')

    sent = { userId: 'victim', type: 'webauthn', id: '1', provider: 'other', providerAccountId: 'vera' }
    await signIn(app, app.agent())
    const agent = app.agent()
    await signIn(app, agent)
    expect(app.rows.accounts()).toHaveLength(1)
    expect(app.rows.accounts()).toMatchObject([
      { userId, type: 'oidc', provider: 'idp', providerAccountId: 'ada', access_token: expect.any(String) },
    ])
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario('AL-12 no refresh moves an account to another user', async ({ open }) => {
    const renewed = { access_token: 'second', token_type: 'bearer', userId: 'victim', type: 'webauthn' }
    let isRefresh = false
    const conform = async (response: Response) =>
      Response.json(
        isRefresh
          ? renewed
          : { ...((await response.json()) as object), refresh_token: 'first', expires_in: 60 },
      )
    const app = open({ strategy: 'database', provider: { token: { conform }, account: (tokens) => tokens } })
    await app.store.createUser({ id: 'victim', name: 'Vera', email: 'vera@example.com', emailVerified: null })
    await signIn(app, app.agent())
    const [{ userId } = { userId: '' }] = app.rows.accounts()

    isRefresh = true
    app.clock.advance(120)
    const answer = await app.accessToken({ provider: 'idp', providerAccountId: 'ada' })
    expect(answer).toMatchObject({ state: 'current', accessToken: 'second' })
    expect(app.rows.accounts()).toMatchObject([{ userId, type: 'oidc' }])
  }),
]
