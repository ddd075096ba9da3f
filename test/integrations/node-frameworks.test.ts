import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createFastifyAuth, createNodeAuth, type NodeOptions } from '../../src/node.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { createTestAuth, serve } from '../node/server.ts'
import type { Agent } from '../support/browser-agent.ts'
import { findApp } from './apps.ts'
import { top } from './run.ts'

/** The parts of Express that this test uses. The example has its types. */
interface Express {
  (incoming: IncomingMessage, outgoing: ServerResponse): void
  readonly use: (path: unknown, ...handlers: unknown[]) => void
}
interface ExpressModule {
  readonly default: (() => Express) & {
    readonly Router: () => Express
    readonly json: () => unknown
    readonly urlencoded: (options?: object) => unknown
  }
}
/** The same for Fastify. */
interface Fastify {
  readonly register: (plugin: unknown, options?: object) => PromiseLike<unknown>
  readonly addHook: (name: 'onRequest', hook: (request: unknown, reply: Reply) => Promise<void>) => void
  readonly addContentTypeParser: (
    type: string,
    options: { readonly parseAs: 'string' },
    parse: (request: unknown, body: string) => Promise<unknown>,
  ) => void
  readonly post: (path: string, answer: (request: { readonly body: unknown }) => Promise<unknown>) => void
  readonly ready: () => Promise<void>
  readonly routing: (incoming: IncomingMessage, outgoing: ServerResponse) => void
}
interface Reply {
  readonly header: (name: string, value: string) => void
}

/** Loads a framework from the packages of its example. */
function load<Module>(name: string): Promise<Module> {
  const { resolve } = createRequire(join(top, findApp(name).directory, 'package.json'))
  return import(pathToFileURL(resolve(name)).href) as Promise<Module>
}

const express = (await load<ExpressModule>('express')).default
const { fastify } = await load<{ readonly fastify: () => Fastify }>('fastify')

type Listener = Parameters<typeof serve>[0]

interface Options extends NodeOptions {
  readonly config?: Partial<AuthConfig>
}

/** Mounts the handler below a nested router, after middleware that parses bodies and sets cookies. */
async function onExpress({ config, ...options }: Options = {}): Promise<Listener> {
  const { basePath = '/auth' } = config ?? {}
  const { handler } = createNodeAuth(createTestAuth(config), options)
  const [, first = '', ...rest] = basePath.split('/')
  const [app, router] = [express(), express.Router()]
  app.use((_incoming: unknown, outgoing: ServerResponse, next: () => void) => {
    outgoing.appendHeader('Set-Cookie', 'theme=dark')
    next()
  })
  app.use(express.urlencoded({ extended: true }), express.json())
  app.use(`/${first}`, router)
  router.use(`/${rest.join('/')}`, handler)
  return async (incoming, outgoing) => app(incoming, outgoing)
}

async function onFastify({ config, ...options }: Options = {}): Promise<Listener> {
  const { plugin } = createFastifyAuth(createTestAuth(config), options)
  const app = fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Set-Cookie', 'theme=dark')
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_, body) => ({
    parsed: body,
  }))
  app.post('/echo', async ({ body }) => body)
  await app.register(plugin, { prefix: config?.basePath ?? '/auth' })
  await app.ready()
  return async (incoming, outgoing) => app.routing(incoming, outgoing)
}

const json = async (answer: Promise<Response>) => (await answer).json() as Promise<Record<string, string>>
const namesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])

async function signIn(agent: Agent, base: string, body: 'form' | 'json'): Promise<Response> {
  const { csrfToken = '' } = await json(agent.send(`${base}/csrf`))
  return agent.send(`${base}/callback/credentials`, { [body]: { csrfToken, pin: '1234' } })
}

describe.each([
  ['Express', onExpress],
  ['Fastify', onFastify],
])('on %s', (_, open) => {
  it.each(['/auth', '/api/auth'])('EMB-009 EMB-010 works at %s, behind body parsers', async (base) => {
    const listener = await open({ config: { basePath: base } })
    await serve(listener, async (agent) => {
      for (const body of ['form', 'json'] as const) {
        const answer = await signIn(agent, base, body)
        expect(answer.headers.get('location'), body).not.toContain('error')
        expect(await json(agent.send(`${base}/session`))).toMatchObject({ user: { name: 'Ada' } })
        const { csrfToken = '' } = await json(agent.send(`${base}/csrf`))
        await agent.send(`${base}/signout`, { [body]: { csrfToken } })
        expect(await json(agent.send(`${base}/session`)), body).toBeNull()
      }
    })
  })

  it('EMB-011 sends each cookie, next to those of the application', async () => {
    await serve(await open(), async (agent) => {
      const names = namesOf(await signIn(agent, '/auth', 'form'))
      expect(names[0]).toBe('theme')
      expect(names).toContain('authjs.session-token')
      expect(names).toContain('authjs.csrf-token')
      expect(new Set(names).size).toBe(names.length)
    })
  })

  it('EMB-008 reads forwarded headers only if they are trusted', async () => {
    const headers = { 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' }
    for (const trustProxy of [true, false, undefined]) {
      await serve(await open({ trustProxy }), async (agent, origin) => {
        const label = `trustProxy: ${trustProxy}`
        const seen = trustProxy ? 'https://app.test' : origin
        expect(await json(agent.send('/auth/providers', { headers })), label).toMatchObject({
          credentials: { callbackUrl: `${seen}/auth/callback/credentials` },
        })
        const csrf = await agent.send('/auth/csrf', { headers })
        expect(namesOf(csrf), label).toContain(`${trustProxy ? '__Host-' : ''}authjs.csrf-token`)
      })
    }
  })
})

describe('on Fastify', () => {
  it("EMB-009 leaves the application's body parsers to its own routes", async () => {
    await serve(await onFastify(), async (agent) => {
      expect(await json(agent.send('/echo', { form: { a: '1' } }))).toEqual({ parsed: 'a=1' })
      expect(await json(agent.send('/echo', { json: { a: '1' } }))).toEqual({ a: '1' })
    })
  })
})
