import { expect } from 'vitest'
import { idToken, key, openRefreshApp, rotating } from '../../support/refresh.ts'
import { loadKeys } from '../../../fuzz/world/idp/keys.ts'
import { watching, type Call } from '../../support/watch-store.ts'
import type { Platform } from '../../../src/types/config.ts'
import { scenario } from '../scenario.ts'

/** Access tokens that an application requests. */
export const refreshScenarios = [
  scenario('OPT-008 a valid token is returned unchanged', async ({ open }) => {
    const { app, sent, store, account } = await openRefreshApp(open, rotating())
    const expiresAt = app.clock.now() / 1000 + 61
    store({ expires_at: expiresAt })
    const answer = { state: 'current', accessToken: 'access-1', expiresAt }
    expect(await app.accessToken(key)).toEqual(answer)
    expect(app.debugs.at(-1)).toEqual({
      message: 'flow refresh',
      metadata: { path: 'readingTokens -(tokens.fresh)-> current', ended: 'current' },
    })
    expect(sent).toEqual([])
    app.clock.advance(1)
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-1'])
    expect(account()).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
  }),

  scenario('OPT-008 a token without a refresh token works until it expires', async ({ open }) => {
    const { app, sent, store } = await openRefreshApp(open, rotating())
    store({ refresh_token: '', expires_at: app.clock.now() / 1000 + 1 })
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-1' })
    app.clock.advance(1)
    expect(await app.accessToken(key)).toEqual({ state: 'lapsed' })
    expect(await app.accessToken({ ...key, providerAccountId: 'nobody' })).toEqual({ state: 'lapsed' })
    expect(sent).toEqual([])
  }),

  scenario('RO-06 OPT-008 concurrent requests share one refresh and its result', async ({ open }) => {
    const pauses = holdPauses()
    const [reached, isReached] = signal()
    const [answered, isAnswered] = signal()
    const answer = rotating()
    const slowly = async (body: URLSearchParams) => {
      isReached()
      await answered
      return answer(body)
    }
    const { app, sent } = await openRefreshApp(open, slowly, { timer: pauses.timer })
    const asked = Array.from({ length: 5 }, () => app.accessToken(key))
    await Promise.race([reached, Promise.allSettled(asked)])
    const all = [...asked, app.accessToken(key)]
    isAnswered()
    // The others wait until one has finished.
    await Promise.any(all)
    pauses.release()
    for (const given of await Promise.all(all))
      expect(given).toMatchObject({ state: 'current', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-1'])
  }),

  scenario('RO-08 refreshed tokens are stored before anybody receives them', async ({ open }) => {
    const calls: Call[] = []
    const { app, account } = await openRefreshApp(open, rotating(), { wrap: watching(calls) })
    calls.length = 0
    const given = await app.accessToken(key)
    expect(calls.map(({ operation }) => operation)).toEqual(['getAccount', 'updateAccount', 'updateAccount'])
    expect(calls.at(-1)?.args[0]).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
    expect(given).toEqual({
      state: 'current',
      accessToken: 'access-2',
      expiresAt: app.clock.now() / 1000 + 600,
    })
    expect(account()?.expires_at).toBe(app.clock.now() / 1000 + 600)
  }),

  scenario('OPT-008 tokens without rotation or lifetime are refreshed every hour', async ({ open }) => {
    const plain = () => Response.json({ access_token: 'access', token_type: 'bearer' })
    const { app, sent, account } = await openRefreshApp(open, plain)
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access' })
    expect(account()?.refresh_token).toBe('refresh-1')
    app.clock.advance(3539)
    await app.accessToken(key)
    expect(sent).toHaveLength(1)
    app.clock.advance(1)
    await app.accessToken(key)
    expect(sent).toEqual(['refresh-1', 'refresh-1'])
  }),

  scenario('OPT-008 a refresh works although the account callback stores nothing', async ({ open }) => {
    const { app, account } = await openRefreshApp(open, rotating(), {
      provider: { account: () => undefined },
    })
    expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
    expect(account()).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' })
  }),

  scenario('OI-24 an id_token of a refresh must have the same issuer and subject', async ({ open }) => {
    const now = Date.UTC(2030, 0, 1)
    for (const [claims, isSame] of [
      [{ sub: 'ada' }, true],
      [{ sub: 'eve' }, false],
      [{ sub: 'ada', iss: 'https://other.test' }, false],
      [{ sub: 'ada', aud: 'another client' }, false],
    ] as const) {
      const came = await idToken(claims, now)
      const tokens = { access_token: 'access-2', refresh_token: 'refresh-2', token_type: 'bearer' }
      const answer = () => Response.json({ ...tokens, expires_in: 600, id_token: came })
      const { app, account } = await openRefreshApp(open, answer)
      const given = await app.accessToken(key)
      expect(given.state).toBe(isSame ? 'current' : 'stale')
      expect(account()?.id_token === came).toBe(isSame)
      expect(account()?.access_token).toBe(isSame ? 'access-2' : 'access-1')
      expect(account()?.refresh_token).toBe(isSame ? 'refresh-2' : 'refresh-1')
    }
  }),

  scenario(
    'OI-28 RO-08 an id_token of a refresh that is not valid is not stored, and the rotated tokens are',
    async ({ open }) => {
      const now = Date.UTC(2030, 0, 1)
      const { foreign } = await loadKeys()
      const bad = [
        await idToken({ sub: 'ada' }, now, foreign.privateKey),
        await idToken({ sub: 'ada', nonce: 'another' }, now),
        await idToken({ sub: 'ada', exp: now / 1000 - 60 }, now),
        await idToken({ sub: 'ada', at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }, now),
        'no token',
        7,
      ]
      for (const came of bad) {
        const tokens = { access_token: 'access-2', refresh_token: 'refresh-2', token_type: 'bearer' }
        const answer = () => Response.json({ ...tokens, id_token: came })
        const { app, account } = await openRefreshApp(open, answer)
        const held = account()?.id_token
        expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'access-2' })
        expect(account()).toMatchObject({ refresh_token: 'refresh-2', id_token: held })
        expect(held).not.toBe(came)
        expect(app.errors.length).toBe(came === 7 ? 0 : 1)
      }
    },
  ),

  scenario(
    'OI-24 an id_token that cannot be compared with an earlier one is not stored',
    async ({ open }) => {
      const came = await idToken({ sub: 'eve' }, Date.UTC(2030, 0, 1))
      const answer = () => Response.json({ access_token: 'a', token_type: 'bearer', id_token: came })
      const { app, store, account } = await openRefreshApp(open, answer)
      store({ id_token: '' })
      expect((await app.accessToken(key)).state).toBe('current')
      expect(account()?.id_token).toBe('')
    },
  ),

  scenario('RO-09 a refresh token that looks like a claim is sent unchanged', async ({ open }) => {
    const forged = ['refreshing:99999999999999:x', 'refreshing:0:y', 'refreshing:0:refreshing:9:z']
    const answers = [forged[0], undefined, forged[1], forged[2], 'last']
    const { app, sent, store } = await openRefreshApp(open, () => {
      const token = answers.shift()
      return token === undefined
        ? new Response(null, { status: 503 })
        : Response.json({ access_token: 'a', token_type: 'bearer', refresh_token: token })
    })
    for (const state of ['current', 'stale', 'current', 'current', 'current']) {
      store({ expires_at: app.clock.now() / 1000 - 1 })
      expect((await app.accessToken(key)).state).toBe(state)
    }
    expect(sent).toEqual(['refresh-1', forged[0], ...forged])
  }),

  scenario(
    'RO-06 the tokens of a sign-in during a refresh override those of the refresh',
    async ({ open }) => {
      const answer = rotating()
      const { app, store, account } = await openRefreshApp(open, (body) => {
        store({
          access_token: 'of a sign-in',
          refresh_token: 'its own',
          expires_at: app.clock.now() / 1000 + 900,
        })
        return answer(body)
      })
      expect(await app.accessToken(key)).toMatchObject({ state: 'current', accessToken: 'of a sign-in' })
      expect(account()).toMatchObject({ access_token: 'of a sign-in', refresh_token: 'its own' })
      expect(app.hops.flatMap(({ flow, event }) => (flow === 'refresh' ? [event] : []))).toEqual([
        'refresh.due',
        'refresh.claimed',
        'server.discovered',
        'tokens.refreshed',
        'tokens.superseded',
        'tokens.fresh',
      ])
    },
  ),
]

/** A promise, and the function that fulfils it. */
function signal(): readonly [Promise<void>, () => void] {
  let fulfil = () => {}
  const promise = new Promise<void>((resolve) => (fulfil = resolve))
  return [promise, fulfil]
}

/** Pauses that end when they are released, and immediately afterwards. Deadlines never end. */
function holdPauses() {
  const held: (() => void)[] = []
  let isReleased = false
  const timer: Platform['timer'] = (milliseconds, ring) => {
    if (milliseconds < 1000 && isReleased) setImmediate(ring)
    else if (milliseconds < 1000) held.push(ring)
    return { cancel() {} }
  }
  const release = () => {
    isReleased = true
    for (const ring of held) ring()
  }
  return { timer, release }
}
