import { describe, expect, it } from 'vitest'
import { anonymous } from '../../docs/examples/features/anonymous.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'
import { type AppOptions, openApp, origin, sessionOf, signIn, signOut } from '../support/app.ts'
import { confirm, openDevices, openSqlite, poll, post, start } from '../support/device.ts'
import { heldSession } from '../support/session-cookie.ts'

const openGuests = (options: AppOptions = {}) =>
  openApp({ strategy: 'database', ...options, config: { ...options.config, features: [anonymous()] } })

describe('a user without an account', () => {
  it.each(['database', 'jwt-stored'] as const)(
    'FT-08 starts from the sign-in page (%s)',
    async (strategy) => {
      const app = openGuests({ strategy })
      const agent = app.agent()
      const html = await (await agent.send('/auth/signin?callbackUrl=/home')).text()
      expect(html).toContain('Try without an account')
      const form = readForms(html).find(({ action }) => action.endsWith('/anonymous'))
      const response = await agent.send('/auth/anonymous', { form: form?.fields ?? {} })
      expect([response.headers.get('location'), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Guest' }, amr: ['user'] })
      expect(JSON.stringify(await sessionOf(agent))).not.toContain('@')
      await post(app.agent(), 'anonymous')
      expect(app.rows.users()).toHaveLength(2)
      await agent.send('/auth/anonymous', { form: {} })
      expect(app.ended()).toBe('refused')
    },
  )

  it.each(['memory', 'SQLite'] as const)('AL-01 FT-08 becomes a real one: %s', async (name) => {
    const sqlite = name === 'SQLite' ? await openSqlite() : undefined
    const app = openGuests(sqlite && { wrap: () => sqlite })
    const agent = app.agent()
    await post(agent, 'anonymous')
    const [before] = await usersOf(agent, app)
    await signIn(app, agent, 'idp', sqlite ? { link: 'true' } : {})
    expect(app.ended()).toBe('signedIn')
    await signOut(agent)
    await signIn(app, agent)
    const [after] = await usersOf(agent, app)
    expect([after, app.ended()]).toEqual([before, 'signedIn'])
    // The user now has an account, so the button changes nothing.
    const held = heldSession(agent)
    await post(agent, 'anonymous')
    expect([app.ended(), heldSession(agent)]).toEqual(['returning', held])
    expect(await usersOf(agent, app)).toEqual([before])
  })

  it('POL-02 FT-19 proves again that the session is the only way in, and links an account after any time', async () => {
    const app = openGuests({ config: { session: { maxAge: 86_400 * 30 } } })
    const agent = app.agent()
    await post(agent, 'anonymous')
    const guests = await usersOf(agent, app)
    app.clock.advance(86_400)
    await signIn(app, agent, 'idp', { link: 'true' })
    expect(app.ended()).toBe('stale')
    await post(agent, 'anonymous')
    expect([app.ended(), await usersOf(agent, app)]).toEqual(['signedIn', guests])
    await signIn(app, agent, 'idp', { link: 'true' })
    expect([app.ended(), await usersOf(agent, app)]).toEqual(['signedIn', guests])
    expect(app.rows.accounts().map(({ provider }) => provider)).toEqual(['anonymous', 'idp'])
    // The session of a real user is not fresh without a sign-in.
    app.clock.advance(86_400)
    await post(agent, 'anonymous')
    app.idp.choose('bob')
    await signIn(app, agent, 'idp', { link: 'true' })
    expect(app.ended()).toBe('stale')
  })

  it.each(['database', 'jwt-stored'] as const)(
    'FT-18 FT-32 does not make an approved session recent (%s)',
    async (strategy) => {
      const app = openDevices({ strategy, config: { features: [anonymous()] } })
      const [guest, device] = [app.agent(), app.agent()]
      await post(guest, 'anonymous')
      const started = await start(device)
      await confirm(guest, started)
      await poll(device, started)
      const held = heldSession(device)
      await post(device, 'anonymous')
      expect([app.ended(), heldSession(device)]).toEqual(['denied', held])
      await signIn(app, device, 'idp', { link: 'true' })
      expect([app.ended(), app.rows.accounts().length]).toEqual(['stale', 1])
      await post(guest, 'anonymous')
      expect(app.ended()).toBe('signedIn')
    },
  )

  it('ACP-09 FT-32 cannot unlink the last account that signs in', async () => {
    const app = openGuests({ config: { accountPage: true } })
    const agent = app.agent()
    await post(agent, 'anonymous')
    await signIn(app, agent, 'idp', { link: 'true' })
    const html = await (await agent.send('/auth/account')).text()
    const forms = readForms(html).filter(({ fields }) => fields['change'] === 'unlink')
    const providersAfter = async (at: number) => {
      await agent.send('/auth/account', { form: forms[at]?.fields ?? {} })
      return app.rows.accounts().map(({ provider }) => provider)
    }
    expect(await providersAfter(1)).toEqual(['anonymous', 'idp'])
    expect(await providersAfter(0)).toEqual(['idp'])
  })

  it('AL-01 FT-08 does not take an account that another user has', async () => {
    const app = openGuests()
    await signIn(app, app.agent())
    const agent = app.agent()
    await post(agent, 'anonymous')
    await signIn(app, agent, 'idp', { link: 'true' })
    expect(app.ended()).toBe('notLinked')
    expect(app.rows.users()).toHaveLength(2)
  })

  it('FT-12 is limited', async () => {
    const attempts: RateLimitParams[] = []
    const rateLimit = (attempt: RateLimitParams) => (attempts.push(attempt), false)
    const app = openGuests({ config: { callbacks: { rateLimit } } })
    await post(app.agent(), 'anonymous')
    expect([app.ended(), app.rows.users()]).toEqual(['denied', []])
    expect(attempts).toMatchObject([{ type: 'feature', provider: 'anonymous', attempt: 'user' }])
  })
})

/** Returns the ids of the user of the session, which the test reads from the store of the site. */
async function usersOf(
  agent: ReturnType<ReturnType<typeof openApp>['agent']>,
  app: ReturnType<typeof openApp>,
) {
  const store = app.config.adapter
  const found = await store?.getSessionAndUser?.(heldSession(agent))
  return [found?.user.id ?? expect.fail()]
}
