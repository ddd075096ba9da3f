import { sql, type Kysely } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { openAuth } from '../../docs/examples/deploying/auth.ts'
import { openAuth as openRedisAuth } from '../../docs/examples/deploying/redis.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import GitHub from '../../src/providers/github.ts'
import { sessionOf, signOut } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis, whyNoRedis } from '../support/redis.ts'
import { comeBack, signInWithGitHub, startSignIn, useGitHub } from './github.ts'

describe('the deployment guide', () => {
  useGitHub()

  it('serves one site from several machines with one PostgreSQL server', { timeout: 60_000 }, async () => {
    const server = await startPostgres()
    const opened: Kysely<unknown>[] = []
    try {
      vi.stubEnv('DATABASE_URL', await server.createDatabase())
      vi.stubEnv('AUTH_URL', 'https://example.com')
      const machines = await Promise.all([openAuth(), openAuth()])
      opened.push(...machines.map(({ db }) => db))
      await serveInTurn(machines.map(({ auth }) => auth))
    } finally {
      await Promise.all(opened.map((db) => db.destroy()))
      await server.stop()
    }
  })

  it('survives a crash of PostgreSQL in the middle of a query', { timeout: 60_000 }, async () => {
    const server = await startPostgres({ isDurable: true })
    vi.stubEnv('DATABASE_URL', server.url)
    vi.stubEnv('AUTH_URL', 'https://example.com')
    const { db, auth } = await openAuth()
    try {
      const query = sql`select pg_sleep(30)`.execute(db)
      const ended = query.then(
        () => 'a result',
        () => 'an error',
      )
      await sql`select 1`.execute(db)
      await server.restart()
      expect(await ended).toBe('an error')
      const agent = openAgent('https://example.com', auth.handler)
      await signInWithGitHub(agent)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    } finally {
      await db.destroy()
      await server.stop()
    }
  })

  it.skipIf(whyNoRedis())('serves one site from several machines with one Redis server', async () => {
    const server = await startRedis()
    vi.stubEnv('REDIS_URL', server.url)
    vi.stubEnv('AUTH_URL', 'https://example.com')
    const machines = await Promise.all([openRedisAuth(), openRedisAuth()])
    try {
      await serveInTurn(machines.map(({ auth }) => auth))
    } finally {
      for (const { client } of machines) client.destroy()
      await server.stop()
    }
  })

  it('keeps sessions sealed with an old secret after a new one is added, and ends them when the old one is removed', async () => {
    const agent = openAgent('http://localhost', (request) =>
      createAuth({ providers: [GitHub] }).handler(request),
    )
    await signInWithGitHub(agent)
    vi.stubEnv('AUTH_SECRET_1', 'the new secret of the guides, long enough')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    // Each visit reseals the session with the first secret, so that visitors no longer need the old one.
    vi.stubEnv('AUTH_SECRET', '')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    vi.stubEnv('AUTH_SECRET_1', 'another secret of the guides, long enough')
    expect(await sessionOf(agent)).toBeNull()
  })

  it('RO-03 DEC-25a rotates secrets machine by machine without interrupting any session', async () => {
    const [old, next] = [
      'the old secret of the guides, long enough',
      'the next secret of the guides, long enough',
    ]
    const steps = [[old], [old, next], [next, old], [next]]
    const start = (secret: string[]) => createAuth({ providers: [GitHub], trustHost: true, secret })
    const machines = [start([old]), start([old])]
    let turn = 0
    // Each request goes to the other machine.
    const go = (request: Request) => {
      turn += 1
      return (machines[turn % 2] ?? start([old])).handler(request)
    }
    const stays = openAgent('http://localhost', go)
    await signInWithGitHub(stays)
    for (const secrets of steps.slice(1)) {
      for (const machine of [0, 1]) {
        // Between the two restarts one machine has these secrets and the other the previous ones.
        const late = openAgent('http://localhost', go)
        const asked = await startSignIn(late, 'github')
        machines[machine] = start(secrets)
        await comeBack(late, 'github', asked)
        for (const agent of [stays, stays, late, late])
          expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        await signOut(late)
        expect(await sessionOf(late)).toBeNull()
      }
    }
    // The step that is easily omitted. Without it, a machine would seal with a secret that the other one does not have
    // yet.
    machines[0] = start([old])
    machines[1] = start([next, old])
    expect([await sessionOf(stays), await sessionOf(stays)]).toContain(null)
  })

  it.each([
    ['https://feature-1.preview.example.com', 'https://feature-1.preview.example.com/auth/callback/github'],
    ['https://feature-1.preview.example.com.evil.example', 'https://example.com/auth/error'],
  ])('forwards responses from the registered site only to its own previews: %s', async (preview, target) => {
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    // The program reads the client id when it is loaded.
    const { auth: previewed } = await import('../../docs/examples/deploying/previews.ts')
    const asked = await startSignIn(openAgent(preview, previewed.handler), 'github')
    expect(asked.searchParams.get('redirect_uri')).toBe('https://example.com/auth/callback/github')
    const response = await comeBack(openAgent('https://example.com', previewed.handler), 'github', asked)
    expect(response.headers.get('location')).toContain(`${target}?`)
  })

  it('does not trust an unconfirmed host in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const errors: Error[] = []
    const config = {
      providers: [GitHub],
      logger: { error: (error: Error) => void errors.push(error), warn() {} },
    }
    const ask = () => createAuth(config).handler(new Request('https://evil.example/auth/providers'))
    expect((await ask()).status).toBe(500)
    expect(errors.map(({ name }) => name)).toEqual(['UntrustedHost'])
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    expect((await ask()).status).toBe(200)
    vi.stubEnv('AUTH_TRUST_HOST', undefined)
    vi.stubEnv('AUTH_URL', 'https://example.com/login')
    const moved = await createAuth(config).handler(new Request('https://evil.example/login/providers'))
    expect(await moved.json()).toMatchObject({
      github: { callbackUrl: 'https://example.com/login/callback/github' },
    })
  })

  it('ignores forwarded headers', async () => {
    const { handler } = createAuth({ providers: [GitHub] })
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const shown = await handler(new Request('http://localhost/auth/providers', { headers }))
    expect(await shown.json()).toMatchObject({ github: { signinUrl: 'http://localhost/auth/signin/github' } })
  })

  it('sets the domain in the cookie of a session for several subdomains', async () => {
    const cookies = { sessionToken: { options: { domain: 'example.com' } } }
    const { handler } = createAuth({ providers: [GitHub], cookies })
    const agent = openAgent('https://app.example.com', handler)
    await signInWithGitHub(agent)
    const held = agent.jar.getCookiesSync('https://other.example.com').map(({ key }) => key)
    expect(held).toEqual(['__Secure-authjs.session-token'])
  })
})

interface Machine {
  readonly handler: (request: Request) => Promise<Response>
}

/** Signs in and out of a site that two machines serve. */
async function serveInTurn(machines: readonly Machine[]): Promise<void> {
  let turn = 0
  // Each request goes to the other machine, which sees a different host.
  const agent = openAgent('https://example.com', (request) => {
    turn += 1
    const auth = machines[turn % 2]
    if (!auth) throw new Error('there is no such machine')
    const { pathname, search } = new URL(request.url)
    return auth.handler(new Request(`http://10.0.0.${turn % 2}:3000${pathname}${search}`, request))
  })
  const asked = await startSignIn(agent, 'github')
  expect(asked.searchParams.get('redirect_uri')).toBe('https://example.com/auth/callback/github')
  await comeBack(agent, 'github', asked)
  expect(Object.keys(agent.cookies())).toContain('__Secure-authjs.session-token')
  for (const _ of machines) expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  const stolen = agent.cookies()['__Secure-authjs.session-token']
  await signOut(agent)
  agent.set(`__Secure-authjs.session-token=${stolen}; Secure; Path=/`)
  for (const _ of machines) expect(await sessionOf(agent)).toBeNull()
}
