import { expect } from 'vitest'
import { signIn } from '../../support/app.ts'
import { watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

/** What a sign-in does with the tokens of an account that is linked already. */
export const accountTokenScenarios = [
  scenario('OPT-001 each sign-in keeps its tokens, and what did not come again stays', async ({ open }) => {
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
  }),

  scenario('OPT-001 a store that cannot keep tokens is signed in with all the same', async ({ open }) => {
    const wrap = watching([], () => ({ updateAccount: undefined }))
    const app = open({ strategy: 'database', wrap })
    await signIn(app, app.agent())
    const stored = app.rows.accounts()
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.accounts()).toEqual(stored)
    expect(app.errors).toEqual([])
  }),

  scenario('OPT-001 a provider that keeps no tokens has none written', async ({ open }) => {
    const app = open({ strategy: 'database', provider: { account: () => undefined } })
    await signIn(app, app.agent())
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    const [account] = app.rows.accounts()
    expect(Object.keys(account ?? {}).toSorted()).toEqual(['provider', 'providerAccountId', 'type', 'userId'])
  }),
]
