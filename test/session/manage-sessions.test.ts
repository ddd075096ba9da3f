import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { raw } from '../../src/types/symbols.ts'
import type { AdapterSession } from '../../src/types/adapter.ts'
import { openApp, origin, sessionOf, signIn, type App, type AppOptions } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { heldSession, rowOf, sessionCookie } from '../support/session-cookie.ts'
import { twoStatementStore } from '../support/two-statement-store.ts'
import { watching, type Call } from '../support/watch-store.ts'

const month = 30 * 86_400_000

/** Ada is signed in on three devices, and Bob on one. */
async function open(options: AppOptions = {}) {
  const app = openApp({ strategy: 'database', ...options })
  const [phone, laptop, tablet, bobs] = [app.agent(), app.agent(), app.agent(), app.agent()]
  for (const agent of [phone, laptop, tablet]) {
    await signIn(app, agent)
    app.clock.advance(60)
  }
  app.idp.choose('bob')
  await signIn(app, bobs)
  const owners = app.rows.users().map(({ id }) => id)
  app.events.length = 0
  return {
    app,
    auth: createAuth(app.config),
    phone,
    laptop,
    tablet,
    bobs,
    ada: owners[0] ?? '',
    bob: owners[1] ?? '',
    ended: () => app.events.filter(({ event }) => event === 'signOut').map(({ message }) => message),
  }
}

/** A request of the application with the browser's session. */
function requestOf(agent: Agent): Request {
  return new Request(`${origin}/account`, { headers: { cookie: `${sessionCookie}=${heldSession(agent)}` } })
}

/** Whether each browser is signed in. */
function liveAmong(...agents: readonly Agent[]): Promise<boolean[]> {
  return Promise.all(agents.map(async (agent) => (await sessionOf(agent)) !== null))
}

function hashOf(agent: Agent): string {
  return createHash('sha256').update(heldSession(agent)).digest('hex')
}

describe('listSessions', () => {
  it('OPT-040 lists the sessions of one user, the one that expires last first, with ids that are hashes of the tokens', async () => {
    const { app, auth, phone, laptop, tablet, bobs, ada, bob } = await open()
    const now = app.clock.now()
    expect(await auth.listSessions(ada)).toEqual([
      { id: hashOf(tablet), expires: new Date(now + month - 60_000), isCurrent: false },
      { id: hashOf(laptop), expires: new Date(now + month - 120_000), isCurrent: false },
      { id: hashOf(phone), expires: new Date(now + month - 180_000), isCurrent: false },
    ])
    expect(await auth.listSessions(bob)).toMatchObject([{ id: hashOf(bobs) }])
    expect(await auth.listSessions('nobody')).toEqual([])
  })

  it('OPT-040 OPT-060 contains no session that has reached its absolute end', async () => {
    const { app, ada } = await open({ config: { session: { absoluteMaxAge: 240 } } })
    const auth = createAuth({ ...app.config, session: { ...app.config.session, absoluteMaxAge: 150 } })
    expect(await auth.listSessions(ada)).toHaveLength(2)
    expect(await auth.revokeSessions(ada)).toBe(2)
  })

  it('OPT-040 IL-06 contains no session token and no column that the application added', async () => {
    const { app, auth, phone, ada } = await open()
    const added = { device: 'phone' }
    await app.store.updateSession({ sessionToken: heldSession(phone), ...added })
    const listed = await auth.listSessions(ada, { request: requestOf(phone) })
    expect(listed.map((session) => Object.keys(session))).toEqual(
      Array.from({ length: 3 }, () => ['id', 'expires', 'isCurrent']),
    )
    for (const { sessionToken } of app.rows.sessions())
      expect(JSON.stringify(listed)).not.toContain(sessionToken)
  })

  it('OPT-040 marks the session of the request, and no other', async () => {
    const { auth, phone, laptop, bobs, ada } = await open()
    const currentFor = async (request: Request) =>
      (await auth.listSessions(ada, { request })).filter(({ isCurrent }) => isCurrent).map(({ id }) => id)
    expect(await currentFor(requestOf(phone))).toEqual([hashOf(phone)])
    expect(await currentFor(requestOf(laptop))).toEqual([hashOf(laptop)])
    expect(await currentFor(requestOf(bobs))).toEqual([])
    expect(await currentFor(new Request(origin))).toEqual([])
  })

  it('OPT-040 an id stays the same when the session is extended, and signs nobody in', async () => {
    const { app, auth, phone, ada } = await open({ config: { session: { updateAge: 0 } } })
    const id = hashOf(phone)
    app.clock.advance(60)
    expect(await liveAmong(phone)).toEqual([true])
    expect((await auth.listSessions(ada))[0]).toMatchObject({
      id,
      expires: new Date(app.clock.now() + month),
    })
    const headers = { cookie: `${sessionCookie}=${id}` }
    expect(await auth.getSession(new Request(origin, { headers }))).toBeNull()
  })

  it('OPT-040 omits sessions that have expired', async () => {
    const { app, auth, phone, laptop, tablet, ada } = await open()
    app.clock.advance(month / 1000 - 121)
    expect(await auth.listSessions(ada)).toMatchObject([{ id: hashOf(tablet) }, { id: hashOf(laptop) }])
    app.clock.advance(1)
    expect(await auth.listSessions(ada)).toMatchObject([{ id: hashOf(tablet) }])
    expect(await liveAmong(phone, laptop, tablet)).toEqual([false, false, true])
  })
})

describe('revokeSession', () => {
  it('OPT-041 OPT-044 ends one session of the user, and reports it as a sign-out', async () => {
    const { app, auth, phone, laptop, tablet, bobs, ada, ended } = await open()
    const row = await rowOf(app, laptop)
    expect(await auth.revokeSession(ada, hashOf(laptop))).toBe(true)
    expect(ended()).toEqual([{ session: row }])
    expect(await rowOf(app, laptop)).toBeNull()
    expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([true, false, true, true])
  })

  it('OPT-041 ends nothing for the id of another user, an unknown id, a token, and a missing id', async () => {
    const { auth, phone, laptop, tablet, bobs, ada, ended } = await open()
    const ids: unknown[] = [hashOf(bobs), 'unknown', heldSession(phone), '', undefined]
    for (const id of ids) expect(await auth.revokeSession(ada, id as string)).toBe(false)
    expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([true, true, true, true])
    expect(ended()).toEqual([])
  })

  it('OPT-041 OPT-044 returns false for an expired or revoked session, and calls no event', async () => {
    const { app, auth, phone, laptop, ada, ended } = await open()
    await auth.revokeSession(ada, hashOf(phone))
    expect(ended()).toHaveLength(1)
    expect(await auth.revokeSession(ada, hashOf(phone))).toBe(false)
    app.clock.advance(month / 1000 - 120)
    expect(await auth.revokeSession(ada, hashOf(laptop))).toBe(false)
    expect(ended()).toHaveLength(1)
    expect(await rowOf(app, laptop)).toBeNull()
  })
})

describe('revokeSessions', () => {
  it('OPT-042 OPT-044 ends all sessions of the user', async () => {
    const { app, auth, phone, laptop, tablet, bobs, ada, bob, ended } = await open()
    expect(await auth.revokeSessions(ada)).toBe(3)
    expect(app.rows.sessions()).toMatchObject([{ userId: bob }])
    expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([false, false, false, true])
    expect(ended()).toMatchObject([
      { session: { userId: ada } },
      { session: { userId: ada } },
      { session: { userId: ada } },
    ])
    expect(await auth.revokeSessions(ada)).toBe(0)
    expect(ended()).toHaveLength(3)
  })

  it('OPT-042 keeps the session of a request', async () => {
    const { auth, phone, laptop, tablet, bobs, ada, ended } = await open()
    expect(await auth.revokeSessions(ada, { except: requestOf(laptop) })).toBe(2)
    expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([false, true, false, true])
    expect(ended()).toHaveLength(2)
  })

  it('OPT-042 keeps no session if that of the request is missing or belongs to another user', async () => {
    for (const exceptOf of [(bobs: Agent) => requestOf(bobs), () => new Request(origin)]) {
      const { auth, phone, laptop, tablet, bobs, ada } = await open()
      expect(await auth.revokeSessions(ada, { except: exceptOf(bobs) })).toBe(3)
      expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([false, false, false, true])
    }
  })

  it('OPT-042 removes expired rows as well, without an event', async () => {
    const { app, auth, ada, ended } = await open()
    app.clock.advance(month / 1000 - 120)
    expect(await auth.revokeSessions(ada)).toBe(1)
    expect(app.rows.sessions()).toHaveLength(1)
    expect(ended()).toHaveLength(1)
  })

  it('OPT-042 OPT-044 ends the other sessions if one cannot be removed, and rejects', async () => {
    let stuck = ''
    const { app, auth, phone, laptop, tablet, ada, ended } = await open({
      wrap: (store) => ({
        ...store,
        deleteSession: (token) =>
          token === stuck ? Promise.reject(new Error('no connection')) : store.deleteSession?.(token),
      }),
    })
    stuck = heldSession(laptop)
    const asked = auth.revokeSessions(ada)
    await expect(asked).rejects.toMatchObject({ type: 'AdapterError' })
    await expect(asked).rejects.toThrow('deleteSession failed')
    expect(await liveAmong(phone, laptop, tablet)).toEqual([false, true, false])
    expect(ended()).toHaveLength(2)
    expect(ended()).not.toContainEqual({ session: await rowOf(app, laptop) })
  })

  it('OPT-044 DEC-21c ends the sessions even if the event throws', async () => {
    const fails = () => Promise.reject(new Error('no audit log'))
    const { app, auth, phone, ada } = await open({ config: { events: { signOut: fails } } })
    expect(await auth.revokeSessions(ada)).toBe(3)
    expect(await liveAmong(phone)).toEqual([false])
    expect(app.errors.map(({ name }) => name)).toEqual(['EventError', 'EventError', 'EventError'])
  })
})

describe('deleteUser', () => {
  it('OPT-043 OPT-044 removes the user, the accounts and the sessions, and reports the sessions', async () => {
    const { app, auth, phone, laptop, tablet, bobs, ada, bob, ended } = await open()
    await auth.deleteUser(ada)
    expect(app.rows.users()).toMatchObject([{ id: bob }])
    expect(app.rows.accounts()).toMatchObject([{ userId: bob }])
    expect(await liveAmong(phone, laptop, tablet, bobs)).toEqual([false, false, false, true])
    expect(ended().map(({ session }) => (session as AdapterSession).userId)).toEqual([ada, ada, ada])
    await auth.deleteUser(ada)
    expect(ended()).toHaveLength(3)
  })

  it('OPT-043 lets the same person sign up again, as a new user', async () => {
    const { app, auth, phone, ada } = await open()
    await auth.deleteUser(ada)
    app.idp.choose('ada')
    await signIn(app, phone)
    expect(await liveAmong(phone)).toEqual([true])
    expect(app.rows.users().map(({ id }) => id)).not.toContain(ada)
  })

  it('OPT-044 calls no event if the user cannot be removed', async () => {
    const deleteUser = () => Promise.reject(new Error('no connection'))
    const { auth, phone, ada, ended } = await open({ wrap: (store) => ({ ...store, deleteUser }) })
    await expect(auth.deleteUser(ada)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await liveAmong(phone)).toEqual([true])
    expect(ended()).toEqual([])
  })

  it('OPT-043 works with JWT sessions, and without listSessionsByUserId', async () => {
    for (const strategy of ['jwt-stored', 'database'] as const) {
      const { app, auth, ada, ended } = await open({
        strategy,
        wrap: ({ listSessionsByUserId: _, ...store }) => store,
      })
      await auth.deleteUser(ada)
      expect(app.rows.users()).toHaveLength(1)
      expect(ended()).toEqual([])
    }
  })
})

describe('the methods that manage sessions', () => {
  const methods = ['listSessions', 'revokeSession', 'revokeSessions', 'deleteUser'] as const
  type Method = (typeof methods)[number]
  const call = ({ config }: App, name: Method, userId = 'ada') => {
    const auth = createAuth(config)
    return name === 'revokeSession' ? auth.revokeSession(userId, 'id') : auth[name](userId)
  }

  it.each(methods)('OPT-045 without an adapter, %s names what it needs', async (name) => {
    await expect(call(openApp(), name)).rejects.toMatchObject({
      type: 'MissingAdapter',
      message: `\`${name}\` needs an adapter`,
    })
  })

  it.each(methods.slice(0, 3))('OPT-045 with JWT sessions, %s says what to do', async (name) => {
    const calls: Call[] = []
    await expect(
      call(openApp({ strategy: 'jwt-stored', wrap: watching(calls) }), name),
    ).rejects.toMatchObject({
      type: 'UnsupportedStrategy',
      message: `\`${name}\` needs database sessions: set \`session.strategy\` to "database". To revoke JWT sessions, set \`jwt.revocations\` and call \`revokeSessions\``,
    })
    expect(calls).toEqual([])
  })

  it.each([
    ['listSessions', 'listSessionsByUserId'],
    ['revokeSession', 'listSessionsByUserId'],
    ['revokeSessions', 'listSessionsByUserId'],
    ['deleteUser', 'deleteUser'],
  ] as const)('OPT-045 %s names the missing operation %s', async (name, operation) => {
    const wrap: AppOptions['wrap'] = (store) => ({ ...store, [operation]: undefined })
    await expect(call(openApp({ strategy: 'database', wrap }), name)).rejects.toMatchObject({
      type: 'MissingAdapterMethods',
      message: `\`${name}\` needs an adapter with \`${operation}\``,
    })
  })

  it.each(methods)('OPT-045 %s rejects a missing user id before it calls the adapter', async (name) => {
    for (const id of [undefined, null, '', {}, Number.NaN]) {
      const calls: Call[] = []
      const auth = createAuth(openApp({ strategy: 'database', wrap: watching(calls) }).config)
      const asked = (auth[name] as (userId: unknown, id?: string) => Promise<unknown>)(id, undefined)
      await expect(asked).rejects.toThrow(TypeError)
      await expect(asked).rejects.toThrow(`\`${name}\` needs the id of a user, got `)
      expect(calls).toEqual([])
    }
  })

  it.each(methods)('CF-01 %s rejects with the fault of an invalid configuration', async (name) => {
    const app = openApp({ strategy: 'database', config: { session: { maxAge: -1 } } })
    await expect(call(app, name)).rejects.toMatchObject({ type: 'InvalidConfig' })
  })

  it.each(methods)('OPT-046 %s rejects a list with the session of another user, or no list', async (name) => {
    const expires = new Date(Date.UTC(2031, 0, 1))
    const lists: unknown[] = [
      [{ sessionToken: 'x', userId: 'bob', expires }],
      [{ sessionToken: 'x', userId: 'ada', expires: expires.toISOString() }],
      null,
    ]
    for (const list of lists) {
      const calls: Call[] = []
      const wrap = watching(calls, () => ({ listSessionsByUserId: () => list as AdapterSession[] }))
      await expect(call(openApp({ strategy: 'database', wrap }), name)).rejects.toMatchObject({
        type: 'AdapterError',
      })
      expect(calls.map(({ operation }) => operation)).toEqual(['listSessionsByUserId'])
    }
  })

  it('OPT-046 ignore rows whose token no cookie can hold, and accept numbers as ids', async () => {
    const expires = new Date(Date.UTC(2031, 0, 1))
    const rows = ['eyJh..b', ' ', 'usable'].map((sessionToken) => ({ sessionToken, userId: 7, expires }))
    const listSessionsByUserId = () => rows as unknown as AdapterSession[]
    const app = openApp({ strategy: 'database', wrap: (store) => ({ ...store, listSessionsByUserId }) })
    expect(await createAuth(app.config).listSessions('7')).toHaveLength(1)
  })

  it('DEC-34 do not wait for an adapter longer than a step may', async () => {
    const listSessionsByUserId = () => new Promise<never>(() => {})
    const app = openApp({ strategy: 'database', wrap: (store) => ({ ...store, listSessionsByUserId }) })
    const asked = createAuth(app.config).listSessions('ada')
    const failure = asked.catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 0))
    app.clock.advance(31)
    expect(await failure).toMatchObject({
      message: "the adapter's listSessionsByUserId took longer than 30000 milliseconds",
    })
  })

  it.each(['revokeSession', 'revokeSessions'] as const)(
    'CC-03 CC-04 after %s, a session stays gone if a request is extending it, with a store of two statements',
    async (end) => {
      const { adapter, rows } = twoStatementStore()
      const app = openApp({
        strategy: 'database',
        wrap: () => adapter,
        config: { session: { updateAge: 0 } },
      })
      const auth = createAuth(app.config)
      // The revocation starts after each of the statements that the requests send.
      for (let statements = 0; statements < 8; statements++) {
        const agent = app.agent()
        await signIn(app, agent)
        app.clock.advance(60)
        const userId = rows.users[0]?.id ?? ''
        const reads = Array.from({ length: 3 }, () => auth.getSession(requestOf(agent)))
        for (let n = 0; n < statements; n++) await nextTurn()
        await (end === 'revokeSession'
          ? auth.revokeSession(userId, hashOf(agent))
          : auth.revokeSessions(userId))
        await Promise.all(reads)
        expect(rows.sessions).toEqual([])
        expect(await liveAmong(agent)).toEqual([false])
      }
    },
  )

  it('OPT-040 read the same cookie as getSession, with a custom name and in raw mode', async () => {
    const config: AppOptions['config'] = { raw, cookies: { sessionToken: { name: 'sid' } } }
    const { app, auth, ada } = await open()
    const named = createAuth({ ...app.config, ...config })
    const [token = ''] = app.rows.sessions().map(({ sessionToken }) => sessionToken)
    const request = new Request(origin, { headers: { cookie: `sid=${token}` } })
    expect((await named.listSessions(ada, { request })).filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect((await auth.listSessions(ada, { request })).filter(({ isCurrent }) => isCurrent)).toEqual([])
  })
})
