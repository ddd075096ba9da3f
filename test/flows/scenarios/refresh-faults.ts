import { expect } from 'vitest'
import { key, openRefreshApp, rotating, type Answer } from '../../support/refresh.ts'
import { countOf, unreachable, watching, type Call } from '../../support/watch-store.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { scenario } from '../scenario.ts'

const refusing =
  (error: string, status = 400): Answer =>
  () =>
    Response.json({ error }, { status })

/** Failed refreshes. */
export const refreshFaultScenarios = [
  scenario(
    'RO-07 a refresh token that the provider rejected permanently is never sent again',
    async ({ open }) => {
      for (const answer of [refusing('invalid_grant'), refusing('bad_refresh_token', 200)]) {
        const { app, sent, account } = await openRefreshApp(open, answer)
        for (let n = 0; n < 3; n++) expect(await app.accessToken(key)).toEqual({ state: 'lapsed' })
        expect(sent).toEqual(['refresh-1'])
        expect(account()?.refresh_token).toBe('')
        expect(app.errors.map(({ name }) => name)).toEqual(['CallbackRouteError'])
      }
    },
  ),

  scenario(
    'RO-07 a temporary failure keeps the refresh token, and the next refresh succeeds',
    async ({ open }) => {
      const passing: Answer[] = [
        refusing('server_error', 503),
        refusing('temporarily_unavailable'),
        refusing('slow_down', 200),
        () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
        () => Response.json({ token_type: 'bearer' }),
        () => Promise.reject(new TypeError('the network is down')),
      ]
      for (const fails of passing) {
        const good = rotating()
        let isUp = false
        const { app, sent, account } = await openRefreshApp(open, (body) => (isUp ? good : fails)(body))
        expect(await app.accessToken(key)).toMatchObject({ state: 'stale', accessToken: 'access-1' })
        expect(account()).toMatchObject({ access_token: 'access-1', refresh_token: 'refresh-1' })
        isUp = true
        expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
        expect(sent).toEqual(['refresh-1', 'refresh-1'])
      }
    },
  ),

  scenario('RO-07 a failed discovery keeps the refresh token', async ({ open }) => {
    const { app, sent, account } = await openRefreshApp(open, rotating())
    // Discovered metadata is cached for an hour.
    app.clock.advance(3600)
    app.idp.misbehave('discovery-issuer-wrong')
    expect(await app.accessToken(key)).toMatchObject({ state: 'stale', accessToken: 'access-1' })
    expect(account()?.refresh_token).toBe('refresh-1')
    app.idp.misbehave()
    // The failure is returned until then.
    app.clock.advance(5)
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-1'])
  }),

  scenario('RO-06 a request that cannot wait any longer gets the old token', async ({ open }) => {
    const { app, sent, store, claimed } = await openRefreshApp(open, rotating())
    store({ refresh_token: claimed('refresh-1', 30) })
    expect(await app.accessToken(key)).toMatchObject({ state: 'stale', accessToken: 'access-1' })
    expect(sent).toEqual([])
    // The claim's holder has crashed. Its claim expires, and the next request takes over.
    app.clock.advance(30)
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-1'])
  }),

  scenario('OPT-008 RO-06 a claim counts only as long as clocks may differ', async ({ open }) => {
    for (const [seconds, state] of [
      [125, 'stale'],
      [239, 'stale'],
      [240, 'current'],
      [365 * 86_400, 'current'],
    ] as const) {
      const { app, sent, store, claimed } = await openRefreshApp(open, rotating())
      store({ refresh_token: claimed('refresh-1', seconds) })
      expect(await app.accessToken(key)).toMatchObject({ state })
      expect(sent).toEqual(state === 'stale' ? [] : ['refresh-1'])
    }
  }),

  scenario(
    'OPT-008 the library gives up on a refresh token that the store never finds again',
    async ({ open }) => {
      const calls: Call[] = []
      const wrap = watching(calls, () => ({ updateAccount: () => null }))
      const { app, sent } = await openRefreshApp(open, rotating(), { wrap })
      calls.length = 0
      expect(await app.accessToken(key)).toMatchObject({ state: 'stale', accessToken: 'access-1' })
      expect(countOf(calls, 'updateAccount')).toBe(17)
      expect(sent).toEqual([])
    },
  ),

  scenario('RO-08 tokens that could not be stored are not returned', async ({ open }) => {
    let writes = 0
    const wrap = watching([], (store: Adapter) => ({
      updateAccount: (...args) => (++writes === 2 ? unreachable() : (store.updateAccount?.(...args) ?? null)),
    }))
    const { app, account } = await openRefreshApp(open, rotating(), { wrap })
    writes = 0
    await expect(app.accessToken(key)).rejects.toThrow("The adapter's updateAccount failed")
    expect(account()?.access_token).toBe('access-1')
    expect(app.hops.at(-1)).toMatchObject({ state: 'storingTokens', event: 'fault', next: 'faulted' })
  }),

  scenario('OPT-008 tokens that cannot be refreshed cause a specific error', async ({ open }) => {
    const without = watching([], () => ({ updateAccount: undefined }))
    const { app } = await openRefreshApp(open, rotating(), { wrap: without })
    await expect(app.accessToken(key)).rejects.toMatchObject({ type: 'MissingAdapterMethods' })
    await expect(app.accessToken({ ...key, provider: 'nobody' })).rejects.toMatchObject({
      type: 'InvalidProvider',
    })
    const strange = watching([], () => ({ getAccount: () => 'an account' as never }))
    const other = await openRefreshApp(open, rotating(), { wrap: strange })
    await expect(other.app.accessToken(key)).rejects.toMatchObject({ type: 'AdapterError' })
  }),
]
