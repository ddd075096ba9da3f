import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { locationOf } from '../flows/expectations.ts'
import { csrfOf, issuer, origin, sessionOf, startSignIn } from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { copyCookies, followLink } from '../support/follow-link.ts'
import { askForLink } from '../support/mail.ts'
import { whyNoMariadb } from '../support/mariadb.ts'
import { whyNoRedis } from '../support/redis.ts'
import { type Processes, startProcesses } from './processes.ts'
import { openMariadbStore, openPostgresStore, openRedisStore, type SharedStore } from './stores.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const home = `${origin}/`
const idp = createIdp({
  issuer,
  clients: [{ id: 'client', secret: 'client-secret' }],
  users: [
    { sub: 'ada', claims: { name: 'Ada', email: 'ada@example.com' } },
    { sub: 'nobody', claims: { name: 'Without an address' } },
  ],
})
/** Refresh tokens that the provider received. It accepts each token once. */
const refreshed: string[] = []

const answerRefresh: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const body = new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '')
  if (body.get('grant_type') !== 'refresh_token') return idp.fetch(request)
  const sent = body.get('refresh_token') ?? ''
  const isSpent = refreshed.includes(sent)
  refreshed.push(sent)
  if (isSpent) return Response.json({ error: 'invalid_grant' }, { status: 400 })
  const n = refreshed.length
  return Response.json({
    access_token: `access ${n}`,
    refresh_token: `refresh ${n}`,
    token_type: 'bearer',
    expires_in: 3600,
  })
}

const isIn = (response: Response) => locationOf(response).href === home

/** The user who is signed in. */
async function liveAmong(all: readonly Agent[]): Promise<boolean[]> {
  return (await Promise.all(all.map(sessionOf))).map((session) => session !== null)
}

interface Candidate {
  readonly name: string
  readonly open: () => Promise<SharedStore>
  /** Why the tests cannot run. */
  readonly reason?: string | undefined
}

const stores: readonly Candidate[] = [
  { name: 'PostgreSQL', open: () => openPostgresStore() },
  {
    name: 'PostgreSQL at the isolation level serializable',
    open: () => openPostgresStore('?options=-c%20default_transaction_isolation%3Dserializable'),
  },
  { name: 'MariaDB', open: openMariadbStore, reason: whyNoMariadb() },
  { name: 'Redis', open: openRedisStore, reason: whyNoRedis() },
]
for (const { name, reason } of stores)
  if (reason) console.warn(`The races on ${name} were skipped: ${reason}`)

for (const { name, open, reason } of stores)
  describe.skipIf(reason)(
    `several processes with one ${name}${reason ? ` (skipped: ${reason})` : ''}`,
    () => {
      let store: SharedStore
      let processes: Processes

      beforeAll(async () => {
        store = await open()
        processes = await startProcesses(4, store.url, { issuer, fetch: answerRefresh })
      })

      afterAll(async () => {
        await processes.stop()
        await store.stop()
      })

      beforeEach(async () => {
        await store.clear()
        processes.mails.length = 0
        processes.errors.length = 0
      })

      const rowsOf: SharedStore['rowsOf'] = (table) => store.rowsOf(table)
      const agentAt = (n: number) => openAgent(origin, processes.handle(n))
      const agents = (count: number) => Array.from({ length: count }, (_, n) => agentAt(n))

      it('SU-01 CC-02 200 concurrent uses of one link in 4 processes open one session', async () => {
        const asker = agentAt(0)
        await askForLink(asker, 'ada@example.com')
        const [link = ''] = processes.mails
        const all = agents(200).map((tab) => copyCookies(asker, tab))
        const responses = await Promise.all(all.map((agent) => agent.send(link.slice(origin.length))))

        expect(responses.filter(isIn)).toHaveLength(1)
        for (const response of responses)
          if (!isIn(response)) expect(locationOf(response).href).toBe(`${home}auth/error?error=Verification`)
        expect(await rowsOf('sessions')).toHaveLength(1)
        expect(await rowsOf('users')).toHaveLength(1)
        expect(await rowsOf('verification_token')).toEqual([])
        expect(await liveAmong(all)).toEqual(responses.map(isIn))
      })

      it.each(['ada', 'nobody'])(
        'CC-01 50 concurrent first sign-ins of one account in 4 processes create one user and one account, without an error page (%s)',
        async (sub) => {
          idp.choose(sub)
          const all = agents(50)
          const asked = await Promise.all(
            all.map(async (agent) => idp.authorize(locationOf(await startSignIn(agent)).href)),
          )
          const responses = await Promise.all(
            all.map((agent, n) => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)),
          )

          expect(await rowsOf('users')).toHaveLength(1)
          expect(await rowsOf('accounts')).toMatchObject([{ provider: 'idp', providerAccountId: sub }])
          expect(responses.map((response) => locationOf(response).href)).toEqual(all.map(() => home))
          expect(await rowsOf('sessions')).toHaveLength(50)
          expect(await liveAmong(all)).toEqual(all.map(() => true))
          expect(processes.errors).toEqual([])
        },
      )

      it('CC-02 20 concurrent sign-ins by links to one new address in 4 processes create one user', async () => {
        const all = agents(20)
        await Promise.all(all.map((agent) => askForLink(agent, 'ada@example.com')))
        const links = [...processes.mails]
        const responses = await Promise.all(
          all.map((agent, n) => followLink(agent, (links[n] ?? '').slice(origin.length))),
        )
        expect(responses.map(isIn)).toEqual(all.map(() => true))
        expect(await rowsOf('users')).toHaveLength(1)
        expect(await rowsOf('sessions')).toHaveLength(20)
      })

      it('CC-03 CC-04 OPT-042 a session that another process revokes stays revoked, even if it is being extended', async () => {
        idp.choose('ada')
        const devices = agents(8)
        for (const agent of devices) {
          const { parameters } = await idp.authorize(locationOf(await startSignIn(agent)).href)
          await agent.send(`/auth/callback/idp?${parameters}`)
        }
        const [own = agentAt(0), ...others] = devices
        const auth = createAuth({
          adapter: store.adapter,
          providers: [],
          secret: 'a secret of another process that is long enough',
          trustHost: true,
        })
        const [user] = await rowsOf('users')
        const cookie = Object.entries(own.cookies()).map((pair) => pair.join('='))
        const except = new Request(home, { headers: { cookie: cookie.join('; ') } })

        const reads = devices.flatMap((agent) =>
          Array.from({ length: 10 }, () => agent.send('/auth/session')),
        )
        expect(await auth.revokeSessions(String(user?.['id']), { except })).toBe(others.length)
        expect(await liveAmong(others)).toEqual(others.map(() => false))
        await Promise.all(reads)
        expect(await rowsOf('sessions')).toHaveLength(1)
        expect(await liveAmong([own, ...others])).toEqual([true, ...others.map(() => false)])
      })

      it('CC-03 CC-04 a sign-out in one process is final in all', async () => {
        idp.choose('ada')
        const agent = agentAt(0)
        const { parameters } = await idp.authorize(locationOf(await startSignIn(agent)).href)
        expect(isIn(await agent.send(`/auth/callback/idp?${parameters}`))).toBe(true)
        const csrfToken = await csrfOf(agent)
        const tabs = agents(40).map((tab) => copyCookies(agent, tab))
        const reads = tabs.map((tab) => tab.send('/auth/session'))
        const left = await agent.send('/auth/signout', { form: { csrfToken } })
        const after = await Promise.all(tabs.map((tab) => tab.send('/auth/session')))

        expect(isIn(left)).toBe(true)
        for (const response of after) expect(await response.json()).toBeNull()
        await Promise.all(reads)
        expect(await rowsOf('sessions')).toEqual([])
        expect(await liveAmong([agent, ...tabs])).toEqual([agent, ...tabs].map(() => false))
      })

      it('TX-01 DEC-12a a sign-in that starts in one process can end in any other, by link and at a provider', async () => {
        idp.choose('ada')
        let turn = 0
        const agent = openAgent(origin, (request) => processes.handle((turn += 1))(request))
        const { parameters } = await idp.authorize(locationOf(await startSignIn(agent)).href)
        expect(isIn(await agent.send(`/auth/callback/idp?${parameters}`))).toBe(true)
        for (let n = 0; n < 4; n++) expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        const csrfToken = await csrfOf(agent)
        await agent.send('/auth/signout', { form: { csrfToken } })
        for (let n = 0; n < 4; n++) expect(await sessionOf(agent)).toBeNull()
        await askForLink(agent, 'ada@example.com')
        expect(isIn(await agent.send((processes.mails[0] ?? '').slice(origin.length)))).toBe(true)
        expect(await rowsOf('users')).toHaveLength(1)
        expect(processes.errors).toEqual([])
      })

      it('RO-06 RO-08 OPT-002 40 concurrent callers in 4 processes send a refresh token once, and share the result', async () => {
        idp.choose('ada')
        const agent = agentAt(0)
        const { parameters } = await idp.authorize(locationOf(await startSignIn(agent)).href)
        await agent.send(`/auth/callback/idp?${parameters}`)
        await store.changeAccounts({ access_token: 'access 0', refresh_token: 'refresh 0', expires_at: 1 })
        refreshed.length = 0
        const askAll = () =>
          Promise.all(
            Array.from(
              { length: 40 },
              async (_, n) => JSON.parse(await processes.accessToken(n, 'ada')) as unknown,
            ),
          )
        const stale = { state: 'stale', accessToken: 'access 0' }
        const current = { state: 'current', accessToken: 'access 1' }
        // On a slow machine some requests may stop waiting, but no request gets a third result.
        for (const given of await askAll())
          expect([expect.objectContaining(current), expect.objectContaining(stale)]).toContainEqual(given)
        for (const given of await askAll()) expect(given).toMatchObject(current)

        expect(refreshed).toEqual(['refresh 0'])
        expect(await rowsOf('accounts')).toMatchObject([
          { access_token: 'access 1', refresh_token: 'refresh 1' },
        ])
        expect(processes.errors).toEqual([])
      })
    },
  )
