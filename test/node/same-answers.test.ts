import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { routes } from '../../src/flows/flows.ts'
import type { AuthBase } from '../../src/index.ts'
import { encode } from '../../src/jwt.ts'
import { createNodeAuth } from '../../src/node.ts'
import Credentials from '../../src/providers/credentials.ts'
import { platform } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { EmailConfig } from '../../src/types/provider.ts'
import { listOptionalRoutes } from '../support/every-option.ts'
import { spread } from '../support/spread.ts'
import { openRawClient, type RawResponse } from './raw-client.ts'
import { serve } from './server.ts'

const secret = 'a secret for the server tests that is long enough'
const now = Date.UTC(2026, 0, 1)

/** These headers frame the message, or name its host, which is already in the URL. */
const ofMessage = new Set(['content-length', 'host', 'trailer', 'transfer-encoding'])

/** Two instances give equal responses, because clock and randomness stand still. */
function create(config: Partial<AuthConfig> = {}): AuthBase {
  const oauth = {
    id: 'idp',
    name: 'Idp',
    type: 'oauth',
    clientId: 'client',
    clientSecret: 'secret',
    authorization: 'https://idp.test/authorize',
    token: 'https://idp.test/token',
    userinfo: 'https://idp.test/userinfo',
  } as const
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: () => {},
  }
  return createAuth({
    secret,
    trustHost: true,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt', updateAge: 0 },
    providers: [
      oauth,
      mail,
      Credentials({
        credentials: { pin: {} },
        // Shows in the session what the application sees of the request.
        async authorize({ pin }, request) {
          const headers = [...request.headers].filter(([name]) => !ofMessage.has(name)).flat()
          const name = [request.method, request.url, ...headers, await request.text()].join('|')
          return pin === '1234' ? { id: 'ada', name: name.slice(0, 500) } : null
        },
      }),
    ],
    logger: { error() {}, warn() {} },
    [platform]: {
      now: () => now,
      randomBytes: (length: number) => new Uint8Array(length).fill(7),
      fetch: async () => new Response('no', { status: 500 }),
    },
    ...config,
  })
}

type Header = readonly [name: string, value: string]

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: string
  /** Sends the body in chunks, with a trailer. */
  readonly isChunked: boolean
  readonly cuts: number
}

const idOf = {
  oauth: '/idp',
  email: '/mail',
  credentials: '/credentials',
  password: '/nobody',
  webauthn: '/nobody',
  feature: '/nobody',
  none: '',
}
const members = ['GET', 'HEAD', 'POST'].map((method) => ({ method, path: '/members' }))
const served = [
  ...routes.flatMap(({ method, action, kinds }) =>
    kinds.map((kind) => ({ method, path: `/auth/${action}${idOf[kind]}` })),
  ),
  ...listOptionalRoutes().map(({ method, action, takesProvider }) => ({
    method,
    path: `/auth/${action}${takesProvider ? idOf.password : ''}`,
  })),
]
const paths = ['/auth', '/auth/unknown', '//auth/session', ...served.map(({ path }) => `${path}/`)]
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const queries = ['', '?', '?error=AccessDenied', '?code=a&state=b', '?callbackUrl=%2Fx&x=%zz', '?a=<b>&c=\\']

const csrfToken = '07'.repeat(32)
const form = (fields: Record<string, string>) => new URLSearchParams({ csrfToken, ...fields }).toString()
const bodies: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', form({ pin: '1234' })],
  ['application/x-www-form-urlencoded', form({ pin: '1', email: 'ada@example.com', callbackUrl: '/x' })],
  ['application/x-www-form-urlencoded;charset=utf-8', form({ pin: 'ü', json: 'true' })],
  ['application/x-www-form-urlencoded', 'a=1&a=2&%ff=%zz'],
  ['application/json', JSON.stringify({ csrfToken, pin: '1234', data: { name: 'Eve' } })],
  ['application/json', '{"csrfToken":'],
  ['text/plain', 'any text'],
  ['application/x-www-form-urlencoded', `pin=${'x'.repeat(150_000)}`],
]

/** The headers of visitors, with valid CSRF tokens and sessions. */
async function listHeaders(auth: AuthBase) {
  const csrf = await auth.handler(new Request('http://app.test/auth/csrf'))
  const [cookie = ''] = csrf.headers.getSetCookie().map((line) => line.split(';', 1).join(''))
  const claims = { token: { sub: 'ada', name: 'Ad\u00e1 \u5fc3' }, secret, salt: 'authjs.session-token' }
  const session = `authjs.session-token=${await encode(claims)}`
  const cookies: Header[][] = [
    [['Cookie', cookie]],
    [['Cookie', `${cookie}; ${session}`]],
    [
      ['cookie', cookie],
      ['Cookie', session],
    ],
    [['Cookie', 'authjs.session-token=x; authjs.csrf-token=a|b; =; %']],
    [['COOKIE', 'a=1; '.repeat(600)]],
    [],
  ]
  const others: Header[] = [
    ['Accept', 'text/html'],
    ['X-Auth-Return-Redirect', '1'],
    ['Sec-Purpose', 'prefetch'],
    ['X-App', ' one\ttwo '],
    ['X-App', 'caf\u00e9'],
    ['X-Forwarded-Host', 'evil.test'],
    ['User-Agent', 'test'],
  ]
  return { cookies, others }
}

const sentWith = ({ cookies, others }: Awaited<ReturnType<typeof listHeaders>>): fc.Arbitrary<Sent> =>
  fc
    .record({
      place: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...served) },
        { weight: 2, arbitrary: fc.constantFrom(...members) },
        fc.record({ method: fc.constantFrom(...methods), path: fc.constantFrom(...paths) }),
        fc.record({
          method: fc.constantFrom(...methods),
          // Dot segments are refused on node:http; a Request never has any.
          path: fc.webPath().map((path) => `/auth${path.replaceAll(/\/(?:\.|%2e){1,2}(?=\/|$)/gi, '/dots')}`),
        }),
      ),
      query: fc.oneof(
        fc.constantFrom(...queries),
        fc.webQueryParameters().map((query) => `?${query}`),
      ),
      cookie: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...cookies.slice(0, 3)) },
        fc.constantFrom(...cookies),
      ),
      some: fc.subarray(others, { maxLength: 4 }),
      content: fc.option(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...bodies) },
          fc.tuple(fc.constantFrom('application/json', 'application/x-www-form-urlencoded'), fc.string()),
        ),
      ),
      isChunked: fc.boolean(),
      cuts: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ place: { method, path }, query, cookie, some, content, isChunked, cuts }) => ({
      method,
      target: path + query,
      headers: [...cookie, ...some, ...(content ? [['Content-Type', content[0]] as const] : [])],
      body:
        method === 'GET' || method === 'HEAD' || !content ? '' : Buffer.from(content[1]).toString('latin1'),
      isChunked: isChunked && method !== 'GET' && method !== 'HEAD',
      cuts,
    }))

/** Writes the request for a socket, in pieces. */
function write({ method, target, headers, body, isChunked, cuts }: Sent): string[] {
  const lines = [...headers, ['Host', 'app.test']].map((line) => line.join(': '))
  const framing = isChunked
    ? ['Transfer-Encoding: chunked', 'Trailer: X-Trailer']
    : body === ''
      ? []
      : [`Content-Length: ${body.length}`]
  const head = `${method} ${target} HTTP/1.1\r\n${[...lines, ...framing].join('\r\n')}\r\n\r\n`
  const parts = cut(body, cuts)
  if (!isChunked) return [head, ...parts]
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  return [head, ...chunks, '0\r\nX-Trailer: 1\r\n\r\n']
}

function cut(text: string, cuts: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / (cuts + 1)))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

async function exchange(origin: string, sent: Sent): Promise<RawResponse | undefined> {
  const client = await openRawClient(origin)
  await client.send(...write(sent))
  const received = await client.receive({ isHead: sent.method === 'HEAD' })
  client.close()
  return received
}

/** Returns the response that the same request has through Request and Response. */
async function answerWeb(auth: AuthBase, { method, target, headers, body }: Sent): Promise<RawResponse> {
  const bytes = method === 'GET' || method === 'HEAD' ? null : Buffer.from(body, 'latin1')
  const lines = headers.map(([name, value]): [string, string] => [name, value])
  const request = new Request(`http://app.test${target}`, { method, headers: lines, body: bytes })
  // A parser removes dot segments. Such a path is refused (EMB-014).
  const [path = ''] = target.split('?', 1)
  if (new URL(request.url).pathname.split('/').length !== path.split('/').length)
    return { status: 400, headers: [], body: '' }
  const answer = target.startsWith('/members') ? await askMembers(auth, request) : await auth.handler(request)
  return {
    status: answer.status,
    headers: [...answer.headers],
    body: method === 'HEAD' ? '' : await answer.text(),
  }
}

/** A page of the application, for users only. */
async function askMembers(auth: AuthBase, { url, method, headers }: Request): Promise<Response> {
  const head = new Request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers })
  const found = await auth.requireSession(head)
  if (found instanceof Response) return found
  const answer = new Response(JSON.stringify(found.session))
  answer.headers.delete('content-type')
  return answer
}

const pageHeaders = new Set(['set-cookie', 'cache-control', 'expires', 'pragma'])

async function compare(served: AuthBase, run: (property: fc.IAsyncProperty<[Sent]>) => Promise<void>) {
  const reference = create()
  const cases = spread('answers on node:http')
  const node = createNodeAuth(served)
  const headers = await listHeaders(reference)
  await serve(
    async (incoming, outgoing) => {
      if (!incoming.url?.startsWith('/members')) return node.handler(incoming, outgoing)
      const session = await node.requireSession(incoming, outgoing)
      if (session) outgoing.end(JSON.stringify(session))
    },
    async (_, origin) => {
      const property = fc.asyncProperty(sentWith(headers), async (sent) => {
        const [expected, received] = [await answerWeb(reference, sent), await exchange(origin, sent)]
        cases.count(String(received?.status))
        if (received?.headers.some(([, value]) => value.startsWith('authjs.session-token=ey')))
          cases.count('signed in')
        const isPage = sent.target.startsWith('/members') && received?.status === 200
        // The application sends its page, to which only the headers of the session are added.
        if (isPage) expect(received.headers.every(([name]) => pageHeaders.has(name.toLowerCase()))).toBe(true)
        expect(isPage ? { ...received, headers: [] } : received).toEqual(
          isPage ? { ...expected, headers: [] } : expected,
        )
      })
      await run(property)
    },
  )
  return cases
}

describe('a response on node:http', () => {
  it.each([
    ['an instance', (auth: AuthBase) => auth],
    ['a wrapper around an instance', (auth: AuthBase) => ({ ...auth })],
  ])('EMB-017 has the status, headers and body of the Response of %s', async (_, wrap) => {
    const cases = await compare(wrap(create()), async (property) => {
      await fc.assert(property, { numRuns: 400 })
    })
    for (const status of ['200', '302', '400', '404', '405', '413']) cases.atLeast(status, 3)
    cases.atLeast('signed in', 5)
    cases.report()
  })

  it.each<[string, (answer: Response) => Response]>([
    ['status', ({ body, headers }) => new Response(body, { status: 203, headers })],
    ['body', ({ status, headers }) => new Response('null ', { status, headers })],
    [
      'cookie',
      (answer) => {
        answer.headers.append('Set-Cookie', 'one=more')
        return answer
      },
    ],
  ])('EMB-017 is compared so that a different %s is found', async (_, change) => {
    const auth = create()
    const changed = { ...auth, handler: async (request: Request) => change(await auth.handler(request)) }
    await compare(changed, async (property) => {
      expect((await fc.check(property, { numRuns: 30 })).failed).toBe(true)
    })
  })
})
