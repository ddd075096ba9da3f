import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { maxBody } from '../../src/http/limits.ts'
import { createFastifyAuth, type FastifyScope } from '../../src/integrations/node/fastify.ts'
import { createNodeAuth, type NodeOptions, type NodeRequest } from '../../src/node.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { createTestAuth, replyOf, sendRaw, serve } from './server.ts'

type Parsed = IncomingMessage & { body?: unknown; originalUrl?: string }

/** A body parser: reads the whole body, and stores the parsed result. */
async function parse(incoming: Parsed, make: (text: string) => unknown): Promise<void> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  incoming.body = make(text)
}

const form = (text: string) => Object.fromEntries(new URLSearchParams(text))

function open(options?: NodeOptions) {
  const auth = createTestAuth({ session: { updateAge: 0 } })
  return createNodeAuth(auth, options)
}

async function signIn(agent: Parameters<Parameters<typeof serve>[1]>[0]): Promise<Response> {
  const csrfToken = await csrfOf(agent)
  return agent.send('/auth/callback/credentials', { form: { csrfToken, pin: '1234' } })
}

describe('a server on node:http', () => {
  it('EMB-011 signs in and out', async () => {
    const { handler } = open()
    await serve(handler, async (agent, origin) => {
      const answer = await signIn(agent)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(origin)
      expect(answer.headers.getSetCookie().length).toBeGreaterThan(1)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      await agent.send('/auth/signout', { form: { csrfToken: await csrfOf(agent) } })
      expect(await sessionOf(agent)).toBeNull()
    })
  })

  it('EMB-011 adds its cookies to those that are already set', async () => {
    const { handler } = open()
    const listener = (incoming: NodeRequest, outgoing: ServerResponse) => {
      outgoing.setHeader('Set-Cookie', ['theme=dark', 'seen=1'])
      return handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      const names = (await signIn(agent)).headers.getSetCookie().map((cookie) => cookie.split('=')[0])
      expect(names.slice(0, 2)).toEqual(['theme', 'seen'])
      expect(names).toContain('authjs.session-token')
      expect(names).toContain('authjs.csrf-token')
    })
  })

  it.each<[string, (outgoing: ServerResponse) => unknown]>([
    [
      'replaces writeHead, as compression and express-session do, and reads a header in it',
      (outgoing) => {
        const { writeHead } = outgoing
        // Returns nothing, like the `writeHead` of serverless-http.
        outgoing.writeHead = ((...args: Parameters<typeof writeHead>) => {
          outgoing.setHeader('X-Type', String(outgoing.getHeader('content-type')))
          writeHead.apply(outgoing, args)
        }) as typeof writeHead
      },
    ],
    [
      'replaces end, and sets a header in it',
      (outgoing) => {
        const { end } = outgoing
        outgoing.end = ((...args: Parameters<typeof end>) => {
          outgoing.setHeader('X-Type', String(outgoing.getHeader('content-type')))
          return end.apply(outgoing, args)
        }) as typeof end
      },
    ],
    [
      'replaces setHeader, to see each header',
      (outgoing) => {
        const { setHeader } = outgoing
        outgoing.setHeader = (name, value) => {
          if (name === 'content-type') setHeader.call(outgoing, 'X-Type', value)
          return setHeader.call(outgoing, name, value)
        }
      },
    ],
    [
      'has set a header that excludes a length',
      (outgoing) =>
        outgoing.setHeader('Transfer-Encoding', 'chunked').setHeader('X-Type', 'application/json'),
    ],
  ])('EMB-011 sends its response through middleware that %s', async (_, use) => {
    const { handler } = open()
    const listener = (incoming: NodeRequest, outgoing: ServerResponse) => {
      use(outgoing)
      return handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      await signIn(agent)
      const response = await agent.send('/auth/session')
      expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
      expect(response.headers.get('x-type')).toBe('application/json')
    })
  })

  it('EMB-017 sends Content-Length for text, but not for HEAD, whose empty body differs in length from GET', async () => {
    const { handler } = open()
    await serve(handler, async (_, origin) => {
      const lengthOf = async (method: string) => {
        const { headers } = await fetch(`${origin}/auth/session`, { method })
        return headers.get('content-length')
      }
      expect(await lengthOf('GET')).toBe('4')
      expect(await lengthOf('HEAD')).toBeNull()
    })
  })

  it.each(['handler', 'getSession', 'fastify'] as const)(
    'EMB-011 sets one cookie as a string and several as an array, with %s',
    async (reader) => {
      const auth = createTestAuth({ session: { updateAge: 0 } })
      const [node, fastify] = [createNodeAuth(auth), createFastifyAuth(auth)]
      const values: unknown[] = []
      const listener = async (incoming: NodeRequest, outgoing: ServerResponse) => {
        const { end } = outgoing
        outgoing.end = ((...args: Parameters<typeof end>) => {
          values.push(outgoing.getHeader('Set-Cookie'))
          return end.apply(outgoing, args)
        }) as typeof end
        if (reader === 'handler' || incoming.method === 'POST' || incoming.url === '/auth/csrf')
          return node.handler(incoming, outgoing)
        if (reader === 'getSession') await node.getSession(incoming, outgoing)
        else
          await fastify.getSession(
            { raw: incoming },
            { ...replyOf(outgoing), header: (name, value) => outgoing.setHeader(name, value) },
          )
        outgoing.end()
      }
      await serve(listener, async (agent) => {
        await signIn(agent)
        await agent.send('/auth/session')
        expect(values).toEqual([expect.any(String), expect.any(Array), expect.any(String)])
      })
    },
  )

  it.each([
    ['a form as an object', form],
    ['a form as text', (text: string) => text],
    ['a form as bytes', (text: string) => Buffer.from(text)],
  ])('EMB-009 accepts %s that a body parser has read', async (_, make) => {
    const { handler } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.method === 'POST') await parse(incoming, make)
      await handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      await signIn(agent)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    })
  })

  it('EMB-009 accepts both parsed and unparsed JSON', async () => {
    const { handler } = open()
    let parses = true
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (parses && incoming.method === 'POST') await parse(incoming, JSON.parse)
      await handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      for (parses of [true, false]) {
        const json = { csrfToken: await csrfOf(agent), pin: '1234' }
        const answer = await agent.send('/auth/callback/credentials', { json })
        expect(answer.headers.get('location'), `parses: ${parses}`).not.toContain('error')
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        await agent.send('/auth/signout', { json: { csrfToken: await csrfOf(agent) } })
        expect(await sessionOf(agent)).toBeNull()
      }
    })
  })

  it('EMB-009 keeps the field names of arrays and objects in a parsed form', async () => {
    const seen: string[] = []
    const auth = createTestAuth()
    const handler = async (request: Request) => {
      seen.push(await request.text())
      return new Response()
    }
    const node = createNodeAuth({ ...auth, handler })
    const body = { a: ['1', '2'], b: { c: 'x', d: ['y', 'z'] }, e: 'ä&=' }
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      await parse(incoming, () => body)
      await node.handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      await agent.send('/auth/signin', { form: { any: 'thing' } })
      expect([...new URLSearchParams(seen[0])]).toEqual([
        ['a', '1'],
        ['a', '2'],
        ['b[c]', 'x'],
        ['b[d]', 'y'],
        ['b[d]', 'z'],
        ['e', 'ä&='],
      ])
    })
  })

  it.each([
    ['Application/X-WWW-Form-URLEncoded;charset=utf-8', form, 'form'],
    ['APPLICATION/JSON', JSON.parse, 'json'],
    ['application/json; note=urlencoded', JSON.parse, 'json'],
  ] as const)('EMB-009 serialises a parsed body by its media type: %s', async (type, make, kind) => {
    const { handler } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.method === 'POST') await parse(incoming, make)
      await handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      const fields = { csrfToken: await csrfOf(agent), pin: '1234' }
      const headers = { 'content-type': type }
      await agent.send('/auth/callback/credentials', { [kind]: fields, headers })
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    })
  })

  it('LM-11 EMB-009 stops serialising a parsed body that is too long', async () => {
    const auth = createTestAuth()
    const lengths: number[] = []
    const count = async (request: Request) => {
      lengths.push((await request.clone().text()).length)
      return auth.handler(request)
    }
    const node = createNodeAuth({ ...auth, handler: count })
    const nest = (levels: number, leaf: unknown): unknown =>
      levels === 0 ? leaf : { name: nest(levels - 1, leaf) }
    const numbers = (length: number) => Array.from({ length }, () => 1)
    for (const body of [
      nest(64, numbers(10_000)),
      { ['n'.repeat(50_000)]: numbers(1000) },
      numbers(50_000),
      Object.fromEntries(numbers(50_000).entries()),
    ]) {
      const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
        await parse(incoming, () => body)
        await node.handler(incoming, outgoing)
      }
      await serve(listener, async (agent) => {
        expect((await agent.send('/auth/signin', { form: {} })).status).toBe(413)
      })
    }
    expect(Math.max(...lengths)).toBeLessThan(2 * maxBody)
  })

  it('LM-10 EMB-009 returns 400 for a parsed body that is nested too deeply', async () => {
    const { handler } = open()
    let nested: unknown = {}
    for (let level = 0; level < 20_000; level++) nested = [nested]
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      await parse(incoming, () => nested)
      await handler(incoming, outgoing).catch(() => outgoing.writeHead(599).end())
    }
    await serve(listener, async (agent) => {
      expect((await agent.send('/auth/signout', { json: {} })).status).toBe(400)
      expect((await agent.send('/auth/signout', { form: { a: '1' } })).status).toBeLessThan(500)
    })
  })

  it('EMB-010 finds its routes if the framework removed the mount path', async () => {
    const { handler } = open()
    const listener = (incoming: Parsed, outgoing: ServerResponse) => {
      incoming.originalUrl = incoming.url
      incoming.url = incoming.url?.replace(/^\/auth/, '')
      return handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      await signIn(agent)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    })
  })

  it('EMB-012 returns the session, adds its cookies to those of the page, and does not read the body', async () => {
    const { handler, getSession } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.url?.startsWith('/auth/')) return handler(incoming, outgoing)
      outgoing.setHeader('Set-Cookie', 'theme=dark')
      const session = await getSession(incoming, outgoing)
      await parse(incoming, (text) => text)
      outgoing.end(JSON.stringify({ name: session?.user?.name, body: incoming.body }))
    }
    await serve(listener, async (agent) => {
      const anonymous = await agent.send('/', { form: { a: '1' } })
      expect(await anonymous.json()).toEqual({ body: 'a=1' })
      await signIn(agent)
      const answer = await agent.send('/', { form: { a: '1' } })
      expect(await answer.json()).toEqual({ name: 'Ada', body: 'a=1' })
      expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
        'theme',
        'authjs.session-token',
      ])
    })
  })

  it('CC-12 passes Fastify a buffer that shares no memory with other data', async () => {
    const routes: Parameters<FastifyScope['all']>[1][] = []
    await createFastifyAuth(createTestAuth()).plugin({
      removeAllContentTypeParsers() {},
      addContentTypeParser() {},
      all: (_path, route) => routes.push(route),
    })
    const sent: unknown[] = []
    const listener = async (raw: Parsed, outgoing: ServerResponse) => {
      const send = (payload: unknown) => {
        sent.push(payload)
        outgoing.end(payload)
      }
      await routes[0]?.({ raw }, { ...replyOf(outgoing), send })
    }
    await serve(listener, async (agent) => {
      expect(await (await agent.send('/auth/session')).text()).toBe('null')
    })
    const [bytes] = sent
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect((bytes as Uint8Array).buffer.byteLength).toBe('null'.length)
  })

  it('EMB-015 forbids caching of pages that carry the session, and of no others', async () => {
    const auth = createTestAuth({ session: { updateAge: 0 } })
    const [node, fastify] = [createNodeAuth(auth), createFastifyAuth(auth)]
    const readers: Record<string, (incoming: Parsed, outgoing: ServerResponse) => Promise<unknown>> = {
      '/node/get': node.getSession,
      '/node/require': node.requireSession,
      '/fastify/get': (raw, outgoing) => fastify.getSession({ raw }, replyOf(outgoing)),
      '/fastify/require': (raw, outgoing) => fastify.requireSession({ raw }, replyOf(outgoing)),
    }
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      const read = readers[incoming.url ?? '']
      if (!read) return node.handler(incoming, outgoing)
      await read(incoming, outgoing)
      outgoing.end()
    }
    await serve(listener, async (agent) => {
      for (const path of ['/node/get', '/fastify/get'])
        expect((await agent.send(path)).headers.get('cache-control'), path).toBeNull()
      await signIn(agent)
      for (const path of Object.keys(readers)) {
        const { headers } = await agent.send(path)
        expect(headers.getSetCookie().join(), path).toContain('authjs.session-token=')
        expect(headers.get('cache-control'), path).toBe('private, no-cache, no-store')
      }
    })
  })

  it.each(['node', 'fastify'] as const)(
    'CK-05 CK-08 replaces session cookies that the same response already set, on %s',
    async (kind) => {
      let size = 10
      const jwt = ({ token }: { token: object }) => ({ ...token, pad: 'x'.repeat(size) })
      const auth = createTestAuth({ session: { updateAge: 0 }, callbacks: { jwt } })
      const [node, fastify] = [createNodeAuth(auth), createFastifyAuth(auth)]
      const read = (incoming: Parsed, outgoing: ServerResponse) =>
        kind === 'node'
          ? node.getSession(incoming, outgoing)
          : fastify.getSession({ raw: incoming }, replyOf(outgoing))
      const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
        outgoing.setHeader('Set-Cookie', 'theme=dark')
        await read(incoming, outgoing)
        if (incoming.url?.startsWith('/auth/')) return node.handler(incoming, outgoing)
        await read(incoming, outgoing)
        outgoing.end()
      }
      await serve(listener, async (agent) => {
        const namesOf = (response: Response) =>
          response.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
        await signIn(agent)
        expect(namesOf(await agent.send('/'))).toEqual(['theme', 'authjs.session-token'])
        const form = { csrfToken: await csrfOf(agent) }
        size = 6000
        const sent = (await agent.send('/auth/signout', { form })).headers.getSetCookie()
        // The variants of a cookie differ in their attributes.
        expect(sent).toHaveLength(new Set(sent).size)
        expect(sent[0]).toBe('theme=dark')
        expect(Object.keys(agent.cookies()).join()).not.toContain('session-token')
      })
    },
  )

  it('EMB-012 EMB-006 admits signed-in users, and redirects or refuses everyone else', async () => {
    const { handler, requireSession } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.url?.startsWith('/auth/')) return handler(incoming, outgoing)
      const session = await requireSession(incoming, outgoing)
      if (session) outgoing.end(`Hello ${session.user.name}`)
    }
    await serve(listener, async (agent) => {
      const page = { headers: { accept: 'text/html' } }
      const refused = await agent.send('/members?page=2', page)
      expect(refused.status).toBe(303)
      expect(refused.headers.get('location')).toContain('callbackUrl=%2Fmembers%3Fpage%3D2')
      expect((await agent.send('/members')).status).toBe(401)
      await signIn(agent)
      const answer = await agent.send('/members', page)
      expect(await answer.text()).toBe('Hello Ada')
      expect(answer.headers.getSetCookie().join()).toContain('authjs.session-token=')
    })
  })

  it('EMB-008 reads forwarded headers only if they are trusted', async () => {
    const headers = { 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https' }
    for (const trustProxy of [true, false, undefined]) {
      const { handler } = open({ trustProxy })
      await serve(handler, async (agent, origin) => {
        const answer = await agent.send('/auth/providers', { headers })
        expect(await answer.json(), `trustProxy: ${trustProxy}`).toMatchObject({
          credentials: { signinUrl: `${trustProxy ? 'https://app.test' : origin}/auth/signin/credentials` },
        })
        const withCookie = await agent.send('/auth/csrf', { headers })
        const prefix = withCookie.headers.getSetCookie().join().startsWith('__Host-')
        expect(prefix, `trustProxy: ${trustProxy}`).toBe(trustProxy === true)
      })
    }
  })

  it('EMB-008 returns 400 for a request without a host, and keeps running', async () => {
    const { handler, getSession, requireSession } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.url === '/session') outgoing.end(JSON.stringify(await getSession(incoming, outgoing)))
      else if (incoming.url === '/members') await requireSession(incoming, outgoing)
      else await handler(incoming, outgoing)
    }
    await serve(listener, async (agent, origin) => {
      const host = 'not a host'
      expect((await sendRaw(origin, '/auth/session', { host })).status).toBe(400)
      expect((await sendRaw(origin, '/members', { host })).status).toBe(400)
      expect((await sendRaw(origin, '/session', { host })).body).toBe('null')
      expect((await sendRaw(origin, 'http://evil.test/auth/session', { host: 'localhost' })).status).toBe(400)
      expect(await sessionOf(agent)).toBeNull()
    })
  })

  it('EMB-014 returns 400 for a host that is more than host[:port], and for a path that a URL parser would change', async () => {
    const { handler, requireSession } = open()
    const listener = async (incoming: Parsed, outgoing: ServerResponse) => {
      if (incoming.url === '/members') await requireSession(incoming, outgoing)
      else await handler(incoming, outgoing)
    }
    await serve(listener, async (_, origin) => {
      const ask = async (path: string, host: string) => (await sendRaw(origin, path, { host })).status
      const hosts = [
        'app.test',
        'app.test:8080',
        '127.0.0.1',
        '[::1]',
        '[::1]:3000',
        'my_app:80',
        'localhost',
      ]
      for (const host of hosts) expect(await ask('/auth/session', host), host).toBe(200)
      const others = [
        'app.test/auth/csrf?',
        'app.test/auth/csrf#',
        'app.test/',
        'app.test\\auth',
        'app.test?',
        'app.test#',
        'user@app.test',
        'user:pw@app.test',
        'app.test:',
        'app.test:port',
        'app.test:123456',
        'a,b',
        'a b',
        '%61pp.test',
        '::1',
        '[::1',
        '',
      ]
      for (const host of others) {
        expect(await ask('/auth/session', host), host).toBe(400)
        expect(await ask('/members', host), host).toBe(400)
      }
      expect(await ask('/members', 'app.test')).toBe(401)
      const moved = [
        '/x/../auth/session',
        '/x/%2e%2E/auth/session',
        '/auth/./session',
        '/auth\\session',
        '/auth/x/..',
      ]
      for (const path of moved) expect(await ask(path, 'app.test'), path).toBe(400)
      for (const path of ['//auth/session', '//app.test/auth/session'])
        expect(await ask(path, 'app.test'), path).toBe(404)
      expect(await ask('http://app.test/auth/session', 'app.test')).toBe(400)
      for (const query of ['..', '/../', 'a=\\', 'a=%2e%2e', 'a=/./b'])
        expect(await ask(`/auth/session?${query}`, 'app.test'), query).toBe(200)
    })
  })

  it('EMB-019 reads forwarded headers of one kind only', async () => {
    const headers = {
      host: 'app.test',
      'x-forwarded-host': 'one.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=other.test;proto=http',
    }
    const originOf = async (trustProxy: NodeOptions['trustProxy'], sent: Record<string, string>) => {
      let found = ''
      await serve(open({ trustProxy }).handler, async (_, origin) => {
        const { body } = await sendRaw(origin, '/auth/providers', sent)
        found = body.slice(body.indexOf('http'), body.indexOf('/auth/'))
      })
      return found
    }
    expect(await originOf(true, headers)).toBe('https://one.test')
    expect(await originOf('forwarded', headers)).toBe('http://other.test')
    const { 'x-forwarded-host': _host, 'x-forwarded-proto': _proto, ...onlyForwarded } = headers
    expect(await originOf(true, onlyForwarded)).toBe('http://app.test')
    const { forwarded: _forwarded, ...others } = headers
    expect(await originOf('forwarded', others)).toBe('http://app.test')
  })

  it.each([true, 'forwarded'] as const)(
    'EMB-014 does not let a proxy change the path either, with trustProxy: %s',
    async (trustProxy) => {
      const { handler } = open({ trustProxy })
      await serve(handler, async (_, origin) => {
        const ask = async (host: string) => {
          const [name, value] =
            trustProxy === true ? ['x-forwarded-host', host] : ['forwarded', `host="${host}"`]
          return (await sendRaw(origin, '/auth/session', { host: 'app.test', [name]: value })).status
        }
        expect(await ask('shop.test:444')).toBe(200)
        for (const host of ['shop.test/auth/csrf?', 'shop.test#', 'shop.test/', 'user@shop.test'])
          expect(await ask(host), host).toBe(400)
      })
    },
  )
})
