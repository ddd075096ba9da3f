import { describe, expect, it } from 'vitest'
import { type CliTools, signIn as signInByCode } from '../../docs/examples/features/cli.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import { memoryRevocations } from '../../src/adapters/memory.ts'
import { deleteUser, revokeSessions } from '../../src/handler/manage-sessions.ts'
import { parseRow } from '../../src/session/row-id.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'
import { type App, csrfOf, origin, sessionOf, signIn, signOut } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { confirm, openDevices, openSqlite, poll, post, signedIn, start } from '../support/device.ts'
import { askForCode, enterPhoneCode, openPhones } from '../support/phone.ts'
import { codeOf, enrol, enterCode, withFactor } from '../support/second-factor.ts'
import { claimsOf, heldSession, plant, rowOf } from '../support/session-cookie.ts'

const error = (name: string) => ({ error: name })
const locationOf = (response: Response) => response.headers.get('location')

/** A signed-in browser, and a program that has asked for codes. */
async function open(options: Parameters<typeof openDevices>[0] = {}) {
  const app = openDevices(options)
  const [owner, program] = [app.agent(), app.agent()]
  await signIn(app, owner)
  return { app, owner, program, started: await start(program) }
}

describe('device sign-in', () => {
  const stores = ['memory', 'SQLite'] as const
  const strategies = ['database', 'jwt-stored'] as const
  const sites = stores.flatMap((store) => strategies.map((strategy) => ({ store, strategy })))

  it.each(sites)('FT-17 FT-18 FT-20 gets its own session: $store, $strategy', async ({ store, strategy }) => {
    const sqlite = store === 'SQLite' ? await openSqlite() : undefined
    const { app, owner, program, started } = await open({ strategy, ...(sqlite && { wrap: () => sqlite }) })
    expect(started).toEqual({
      device_code: expect.stringMatching(/^[0-9a-f]{64}$/),
      user_code: expect.stringMatching(/^[BCDFGHJ-NP-TVWXZ]{4}-[BCDFGHJ-NP-TVWXZ]{4}$/),
      verification_uri: `${origin}/auth/device`,
      verification_uri_complete: `${origin}/auth/device?user_code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    app.clock.advance(5)
    expect(await poll(program, started)).toEqual(error('authorization_pending'))
    const page = await (await owner.send(started.verification_uri_complete)).text()
    const [form] = readForms(page)
    expect([app.ended(), form?.fields['user_code']]).toEqual(['entering', started.user_code])
    const asks = await (await post(owner, 'device', { user_code: started.user_code.toLowerCase() })).text()
    for (const text of ['Example CLI', 'Ada', started.user_code, 'refuse. Otherwise, that person'])
      expect(asks).toContain(text)
    const [confirming] = readForms(asks)
    expect(confirming?.fields).toMatchObject({ confirm: started.user_code })
    await confirm(owner, started)
    expect(app.ended()).toBe('confirmed')
    const done = await post(program, 'device-poll', { device_code: started.device_code })
    expect([done.status, await done.json(), app.ended()]).toEqual([200, signedIn, 'signedIn'])
    expect(done.headers.get('content-type')).toContain('application/json')
    expect(done.headers.get('cache-control')).toContain('no-store')
    expect(await sessionOf(program)).toMatchObject({ user: { email: 'ada@example.com' }, amr: ['mca'] })
    expect(await sessionOf(owner)).toMatchObject({ amr: ['fed'] })
    expect(heldSession(program)).not.toBe(heldSession(owner))
    const account = { provider: 'device', type: 'feature' }
    expect(app.events.findLast(({ event }) => event === 'signIn')?.message).toMatchObject({
      account,
      isNewUser: false,
    })
    expect(app.events.filter(({ event }) => event === 'linkAccount')).toHaveLength(1)
    expect(await poll(program, started)).toEqual(error('expired_token'))
    await signOut(owner)
    expect(await sessionOf(program)).not.toBeNull()
  })

  it.each(strategies)('FT-18 is never fresh, and never newer than the session (%s)', async (strategy) => {
    const timeOf = async (app: App, agent: Agent) => {
      const held = heldSession(agent)
      const { auth_time: time } =
        strategy === 'database' ? (parseRow(held).authentication ?? {}) : await claimsOf(app, held)
      return Number(time)
    }
    const { app, owner, program, started } = await open({ strategy })
    await confirm(owner, started)
    await poll(program, started)
    const now = Math.floor(app.clock.now() / 1000)
    expect([await timeOf(app, owner), await timeOf(app, program)]).toEqual([now, now - 901])
    app.idp.choose('bob')
    await signIn(app, program, 'idp', { link: 'true' })
    expect([app.ended(), await sessionOf(program)]).toEqual(['stale', expect.anything()])
    app.clock.advance(86_400)
    const later = app.agent()
    const again = await start(later)
    await confirm(owner, again)
    await poll(later, again)
    expect(await timeOf(app, later)).toBe(now)
  })

  it('FT-18 is of unknown age if the session is', async () => {
    const { app, owner, program, started } = await open()
    // It began before the site recorded when users signed in.
    const row = (await rowOf(app, owner)) ?? expect.fail()
    await app.store.createSession({ ...row, sessionToken: 'earlier' })
    plant(owner, 'earlier')
    await confirm(owner, started)
    await poll(program, started)
    expect(parseRow(heldSession(program)).authentication).toEqual({ amr: ['mca'], auth_time: 0 })
  })

  it('FT-18 asks a user without a name and an address', async () => {
    const { app, code } = openPhones({}, openDevices)
    const [owner, program] = [app.agent(), app.agent()]
    await askForCode(owner)
    await enterPhoneCode(owner, code())
    const { user_code } = await start(program)
    const page = await (await post(owner, 'device', { user_code })).text()
    expect(page).toMatch(/Example CLI.* wants to sign in to your account/)
    expect(page).not.toContain('undefined')
  })

  it('FT-17 FT-18 works once, also for two polls at once', async () => {
    const { owner, program, started } = await open()
    await confirm(owner, started)
    const form = { csrfToken: await csrfOf(program), device_code: started.device_code }
    const polls = await Promise.all(
      [1, 2, 3].map(async () => (await program.send('/auth/device-poll', { form })).json()),
    )
    expect(polls.filter((body) => JSON.stringify(body) === JSON.stringify(signedIn))).toHaveLength(1)
    expect(polls.filter((body) => Object(body).error === 'expired_token')).toHaveLength(2)
  })

  it('FT-17 tells a program that polls too fast to slow down', async () => {
    const { app, program, started } = await open()
    const answers: unknown[] = []
    for (const seconds of [5, 1, 5, 11, 16]) {
      app.clock.advance(seconds)
      answers.push(Object(await poll(program, started)).error)
    }
    const [pending, slow] = ['authorization_pending', 'slow_down']
    // The interval grows by five seconds each time.
    expect(answers).toEqual([pending, slow, slow, slow, slow])
    app.clock.advance(25)
    expect(await poll(program, started)).toEqual(error(pending))
  })

  it('FT-17 expires ten minutes after its start, however often the program polls', async () => {
    const { app, owner, program, started } = await open()
    for (let minute = 0; minute < 9; minute++) {
      app.clock.advance(60)
      expect(await poll(program, started)).toEqual(error('authorization_pending'))
    }
    app.clock.advance(61)
    expect(await poll(program, started)).toEqual(error('expired_token'))
    expect((await confirm(owner, started)).status).toBe(422)
    expect(app.ended()).toBe('entering')
    const other = await start(program)
    await confirm(owner, other)
    app.clock.advance(601)
    expect(await poll(program, other)).toEqual(error('expired_token'))
  })

  it('FT-17 is refused by the user, and only the first answer counts', async () => {
    const { app, owner, program, started } = await open()
    await post(owner, 'device', { refuse: started.user_code })
    expect(app.ended()).toBe('rejected')
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    for (const agent of [bob, owner]) expect((await confirm(agent, started)).status).toBe(422)
    expect(await poll(program, started)).toEqual(error('access_denied'))
    expect([heldSession(program), await poll(program, started)]).toEqual(['', error('expired_token')])
    const again = await start(program)
    await confirm(owner, again)
    for (const answer of ['confirm', 'refuse'])
      expect((await post(bob, 'device', { [answer]: again.user_code })).status).toBe(422)
    expect(await poll(program, again)).toEqual(signedIn)
    expect(await sessionOf(program)).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('FT-17 two answers at once: the first one counts', async () => {
    const { app, owner, program, started } = await open()
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    const sent = await Promise.all([
      confirm(owner, started),
      post(bob, 'device', { refuse: started.user_code }),
    ])
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 422]))
    const isConfirmed = sent[0].status === 200
    expect(await poll(program, started)).toEqual(isConfirmed ? signedIn : error('access_denied'))
  })

  it.each(strategies)(
    'FT-18 POL-03 is refused after a change to the account or a deletion of the user (%s)',
    async (strategy) => {
      const changes: readonly ((app: App, id: string) => Promise<unknown>)[] = [
        (app, id) => revokeSessions(app.config, id),
        (app, id) => deleteUser(app.config, id),
      ]
      for (const change of changes) {
        const { app, owner, program, started } = await open({
          strategy,
          ...(strategy === 'jwt-stored' && { config: { jwt: { revocations: memoryRevocations() } } }),
        })
        await confirm(owner, started)
        const [user] = app.rows.users()
        await change(app, String(user?.id))
        expect(await poll(program, started)).toEqual(error('access_denied'))
        expect([app.ended(), heldSession(program)]).toEqual(['denied', ''])
        // It is refused before the application is asked, and before anything is stored.
        expect(app.errors.at(-1)?.message).toContain('older than a change to the account')
      }
    },
  )

  it.each(strategies)('FT-18 is refused after a change during the poll (%s)', async (strategy) => {
    const revoke = { now: async () => undefined as unknown }
    const callbacks = { signIn: async () => (await revoke.now(), true) }
    const jwt = { revocations: memoryRevocations() }
    const config = { callbacks, ...(strategy === 'jwt-stored' && { jwt }) }
    const { app, owner, program, started } = await open({ strategy, config })
    await confirm(owner, started)
    const [user] = app.rows.users()
    revoke.now = () => revokeSessions(app.config, String(user?.id))
    expect(await poll(program, started)).toEqual(error('access_denied'))
    expect([app.ended(), heldSession(program)]).toEqual(['denied', ''])
  })

  it('FT-18 is not ended by a sign-out, which ends one session only', async () => {
    const { owner, program, started } = await open()
    await confirm(owner, started)
    await signOut(owner)
    expect(await poll(program, started)).toEqual(signedIn)
  })

  it('FT-18 POL-01 needs the second factor of the user, and does not pass it on', async () => {
    const { app, owner, program, started } = await open({ config: withFactor({ rememberFor: 86_400 }) })
    await confirm(owner, started)
    const { secret } = await enrol(app, owner)
    expect(await poll(program, started)).toEqual(error('access_denied'))
    expect([app.ended(), heldSession(program)]).toEqual(['denied', ''])
    // The session has passed the second factor.
    const second = await start(program)
    await confirm(owner, second)
    expect(await poll(program, second)).toEqual(signedIn)
    expect(await sessionOf(program)).toMatchObject({ user: { email: 'ada@example.com' }, amr: ['mca'] })
    // A remembered browser proves nothing.
    await signOut(owner)
    await signIn(app, owner)
    await enterCode(owner, codeOf(secret, app.clock.now()), { remember: 'true' })
    await signOut(owner)
    await signIn(app, owner)
    expect(await sessionOf(owner)).toMatchObject({ amr: ['fed'] })
    const third = await start(app.agent())
    const response = await confirm(owner, third)
    expect([app.ended(), locationOf(response)]).toEqual([
      'challenged',
      `${origin}/auth/factor?callbackUrl=${encodeURIComponent(`${origin}/auth/device`)}`,
    ])
    app.clock.advance(30)
    await enterCode(owner, codeOf(secret, app.clock.now()))
    await confirm(owner, third)
    expect(app.ended()).toBe('confirmed')
    // A device cannot approve another one.
    const fourth = await start(app.agent())
    await confirm(program, fourth)
    expect(app.ended()).toBe('challenged')
  })

  it('FT-18 asks the gates and the signIn callback', async () => {
    const features = [terms({ version: '1', url: '/terms' })]
    let allows = true
    const app = openDevices({ config: { features, callbacks: { signIn: () => allows } } })
    const [owner, program] = [app.agent(), app.agent()]
    await signIn(app, owner)
    await post(owner, 'terms', { accept: 'yes' })
    const [user] = app.rows.users()
    const first = await start(program)
    await confirm(owner, first)
    expect(await poll(program, first)).toEqual(signedIn)
    await signOut(program)
    const second = await start(program)
    await confirm(owner, second)
    await app.store.deleteRecord(String(user?.id), 'feature-terms')
    expect(await poll(program, second)).toEqual(error('access_denied'))
    expect([app.ended(), heldSession(program)]).toEqual(['held', ''])
    // A device with a screen continues.
    await post(program, 'terms', { accept: 'yes' })
    expect([app.ended(), await sessionOf(program)]).toEqual([
      'signedIn',
      expect.objectContaining({ amr: ['mca'] }),
    ])
    allows = false
    const third = await start(app.agent())
    await confirm(owner, third)
    expect(await poll(app.agent(), third)).toEqual(error('access_denied'))
  })

  it('FT-18 asks a browser without a session to sign in, and it returns to its code', async () => {
    const { app, started } = await open()
    const visitor = app.agent()
    const response = await visitor.send(started.verification_uri_complete)
    const to = new URL(locationOf(response) ?? '')
    expect([app.ended(), to.pathname, to.searchParams.get('callbackUrl')]).toEqual([
      'leaving',
      '/auth/signin',
      started.verification_uri_complete,
    ])
    await confirm(visitor, started)
    expect(app.ended()).toBe('leaving')
  })

  it('FT-12 FT-18 limits guesses, which need a POST with the CSRF token', async () => {
    const attempts: RateLimitParams[] = []
    let allows = true
    const { app, owner, program, started } = await open({
      config: { callbacks: { rateLimit: (attempt) => (attempts.push(attempt), allows) } },
    })
    const [user] = app.rows.users()
    await owner.send(`/auth/device?user_code=${started.user_code}`)
    await owner.send('/auth/device', { form: { confirm: started.user_code } })
    expect(app.ended()).toBe('refused')
    expect(attempts).toMatchObject([{ attempt: 'start', identifier: undefined }])
    expect((await post(owner, 'device', { user_code: 'BCDF-GHJK' })).status).toBe(422)
    expect(attempts.at(-1)).toMatchObject({ type: 'feature', attempt: 'code', identifier: user?.id })
    for (const code of ['', 'BCDF', 'not a code at all']) await post(owner, 'device', { user_code: code })
    expect(attempts).toHaveLength(2)
    allows = false
    await confirm(owner, started)
    expect(app.ended()).toBe('denied')
    expect(Object(await post(program, 'device-start', { client_id: 'cli' })).status).toBe(429)
    await program.send('/auth/device-poll', { form: { device_code: started.device_code } })
    expect(app.ended()).toBe('refused')
    expect(await poll(program, started)).toEqual(error('slow_down'))
  })

  it('FT-18 FT-20 signs in the command line of the guide', async () => {
    const app = openDevices()
    const owner = app.agent()
    await signIn(app, owner)
    const said: string[] = []
    let polls = 0
    const tools: CliTools = {
      send: app.handle,
      say: (text) => void said.push(text),
      async wait(seconds) {
        // The first wait is too short, and the user answers during the third.
        app.clock.advance(polls++ === 0 ? seconds - 1 : seconds)
        const [, user_code = ''] = /code ([A-Z-]+)$/.exec(said[0] ?? '') ?? []
        if (polls === 3) await confirm(owner, { user_code })
      },
    }
    const cookie = await signInByCode(`${origin}/auth`, tools)
    const asking = new Request(`${origin}/auth/session`, { headers: { cookie } })
    expect([polls, await (await app.handle(asking)).json()]).toMatchObject([
      3,
      { user: { email: 'ada@example.com' }, amr: ['mca'] },
    ])
    polls = 0
    const refusing: CliTools = {
      ...tools,
      say: (text) => void (said[0] = text),
      async wait() {
        const [, user_code = ''] = /code ([A-Z-]+)$/.exec(said[0] ?? '') ?? []
        await post(owner, 'device', { refuse: user_code })
      },
    }
    await expect(signInByCode(`${origin}/auth`, refusing)).rejects.toThrow('access_denied')
  })

  it('FT-17 FT-20 knows its programs, and only the right device code', async () => {
    const { owner, program, started } = await open()
    const response = await post(program, 'device-start', { client_id: 'other' })
    expect([response.status, await response.json()]).toEqual([401, error('invalid_client')])
    await confirm(owner, started)
    for (const device_code of ['', 'guessed', started.user_code, started.device_code.toUpperCase()])
      expect(await poll(program, { device_code })).toEqual(error('expired_token'))
    expect(await poll(program, started)).toEqual(signedIn)
  })
})
