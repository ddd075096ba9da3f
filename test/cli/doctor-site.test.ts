import { describe, expect, it } from 'vitest'
import { openApp, type AppOptions } from '../support/app.ts'
import { mailProvider } from '../support/mail.ts'
import { expectSections, openTerminal, time } from './terminal.ts'

interface Case extends AppOptions {
  /** How a proxy changes a request. */
  readonly forward?: (request: Request) => Request
  /** How a proxy changes a response. */
  readonly backward?: (response: Response, path: string) => Response
  readonly line?: string
}

/** The output of doctor for an application at https://app.test. */
async function diagnose({ forward, backward, line = 'doctor https://app.test', ...options }: Case) {
  const app = openApp(options)
  const { type } = openTerminal(
    {},
    {
      async fetch(input, init) {
        const request = new Request(input, init)
        const { host, pathname } = new URL(request.url)
        if (host !== 'app.test') throw new TypeError('fetch failed', { cause: new Error(`no ${host}`) })
        const response = await app.handle(forward ? forward(request) : request)
        response.headers.set('date', new Date(time).toUTCString())
        return backward ? backward(response, pathname) : response
      },
    },
  )
  const { code, out, err } = await type(line)
  for (const text of [out, err])
    for (const each of text.split('\n')) expect(each.length, each).toBeLessThanOrEqual(100)
  const unwrapped = out.replaceAll(/\n {4,}/g, ' ')
  expectSections(unwrapped)
  return { code, err, out: unwrapped }
}

const without = (name: string) => (response: Response) => {
  response.headers.delete(name)
  return response
}

describe('authmachine doctor, for a site', () => {
  it('CLI-009 reports no problems for a correct one, and starts its sign-ins', async () => {
    const { code, out, err } = await diagnose({})
    expect([code, err]).toEqual([0, ''])
    expect(out).not.toMatch(/[✗!] /)
    for (const says of [
      '✓ The routes are at https://app.test/auth, as the application expects.',
      '✓ __Host-authjs.csrf-token: HttpOnly, SameSite, Secure and with a prefix.',
      '✓ idp: redirects to https://idp.test/authorize.',
      'No problems found.',
    ])
      expect(out).toContain(says)
    expect(out).not.toMatch(/code_challenge|[0-9a-f]{64}/)
  })

  it('CLI-010 prints no control characters or line breaks from the site', async () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u009b31m\n  ✓ No problems found.\u202e\u2028\r'
    const answer = (response: Response, path: string) => {
      if (!path.endsWith('/providers')) return response
      const idp = { id: `idp${evil}`, type: 'oidc', callbackUrl: `https://app.test${evil}/callback` }
      return Response.json({ idp: { ...idp, name: evil } })
    }
    const { out } = await diagnose({ backward: answer })
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}/u)
    expect(out).toContain(String.raw`\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{a}`)
    expect(out).not.toMatch(/^ *✓ No problems found/m)
  })

  it('CLI-011 checks at most 100 providers, and says so', async () => {
    let started = 0
    const answer = (response: Response, path: string) => {
      if (path.includes('/signin/')) started++
      if (!path.endsWith('/providers')) return response
      const callbackUrl = 'https://app.test/auth/callback/idp'
      const all = Array.from({ length: 3000 }, (_, at) => ({ id: `idp${at}`, type: 'oidc', callbackUrl }))
      return Response.json(Object.fromEntries(all.map((each) => [each.id, each])))
    }
    const { out } = await diagnose({ backward: answer })
    expect(started).toBe(100)
    expect(out).toContain('! The site lists 3000 providers. Only the first 100 were checked.')
  })

  it.each([
    ['providers', 'Expected a JSON list of providers'],
    ['session', 'Expected null'],
    ['csrf', 'Expected a token'],
    ['signin', 'The sign-in page is larger than 1 MiB'],
  ])('CLI-011 reads at most 1 MiB of the response from /%s, and says so', async (route, says) => {
    let sent = 0
    let isCancelled = false
    const answer = (response: Response, path: string) => {
      if (!path.endsWith(`/${route}`)) return response
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(((sent += 65_536), 65_536)).fill(0x20)),
        cancel: () => void (isCancelled = true),
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const { out, err } = await diagnose({ backward: answer, line: 'doctor https://app.test/auth' })
    expect(sent).toBeLessThan(2 ** 21)
    expect(isCancelled).toBe(true)
    expect(`${out}${err}`).toContain(says)
    expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toContain('1 MiB')
  })

  it.each(['http://', 'http://[', 'https://x:99999/', 'https://ada:hunter2@app.test'])(
    'CLI-003 reports that %s is no URL of a site',
    async (url) => {
      const { code, out, err } = await diagnose({ line: `doctor ${url}` })
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^Expected a URL like [^\n]+\n$/)
      expect(err).not.toContain('hunter2')
    },
  )

  it('CLI-010 prints no control characters from an error', async () => {
    const { type, terminal } = openTerminal(
      {},
      {
        fetch: () =>
          Promise.reject(new TypeError('fetch failed', { cause: new Error('\u001b]0;evil\u0007\nno') })),
        modules: {},
      },
    )
    const { err } = await type('doctor https://app.test')
    expect(err).toContain(String.raw`does not respond: \u{1b}]0;evil\u{7}\u{a}no`)
    const load = () => Promise.reject(new Error('x\n\n  ✓ all is well'))
    Object.assign(terminal, { importModule: load })
    expect((await type('doctor m.ts')).err).toBe(
      String.raw`Cannot load m.ts: x\u{a}\u{a}  ✓ all is well` + '\n',
    )
    expect((await type('\u001b[2J')).err).toContain(String.raw`Unknown command: \u{1b}[2J`)
  })

  it('CLI-008 names the redirect URIs that sign-ins send', async () => {
    const { out } = await diagnose({ config: { basePath: '/login' }, line: 'doctor https://app.test/login/' })
    expect(out).toContain('· https://app.test/login/callback/idp')
  })

  it('CLI-009 starts no sign-in that would send an e-mail', async () => {
    const mails: never[] = []
    const { out } = await diagnose({ providers: [mailProvider(mails)], strategy: 'database' })
    expect(out).toContain('· mail: type email, so no sign-in was started.')
    expect(out).not.toContain('/callback/mail')
    expect(mails).toEqual([])
  })

  it.each<[string, Case, RegExp]>([
    ['plain http', { line: 'doctor http://app.test' }, /✗ http:\/\/app\.test is not https[^→]*→ Serve/],
    [
      'a proxy that hides the host',
      {
        forward: (request) =>
          new Request(request.url.replace('https://app.test', 'http://10.0.0.1'), request),
      },
      /✗ The routes are at https:\/\/app\.test\/auth, but the application's callback URL is http:\/\/10\.0\.0\.1[^→]*→ Set AUTH_URL/,
    ],
    [
      'a proxy that hides https',
      { forward: (request) => new Request(request.url.replace('https:', 'http:'), request) },
      /✗ authjs\.csrf-token is not Secure although the site uses https[^→]*→ Set AUTH_URL/,
    ],
    [
      'a proxy that caches',
      { backward: without('cache-control') },
      /✗ Caches may store the response \(Cache-Control: none\)/,
    ],
    [
      'cookies that scripts can read',
      { config: { cookies: { csrfToken: { options: { httpOnly: false } } } } },
      /✗ __Host-authjs\.csrf-token is not HttpOnly/,
    ],
    [
      'an unreachable provider',
      { idp: { misbehave: ['discovery:500'] } },
      /✗ idp: starting a sign-in fails with the error Configuration[^→]*→ Check the log/,
    ],
    ['no checks', { provider: { checks: ['none'] } }, /✗ idp: uses neither PKCE nor state/],
    [
      'a session for everyone',
      {
        backward: (response, path) =>
          path.endsWith('/session') ? new Response('{"user":{}}', response) : response,
      },
      /✗ Expected null for a visitor without a cookie/,
    ],
  ])('CLI-009 finds a problem and says how to fix it: %s', async (_, given, expected) => {
    const { code, out, err } = await diagnose(given)
    expect(err).toBe('')
    expect(out).toMatch(expected)
    expect(code).toBe(1)
  })

  it.each<[string, Case, RegExp]>([
    [
      'pages that can be framed',
      { backward: (response) => without('x-frame-options')(without('content-security-policy')(response)) },
      /! Other sites can show the sign-in page in a frame/,
    ],
    [
      'cookies with other names',
      { config: { cookies: { csrfToken: { name: 'csrf' } } } },
      /! csrf has no __Secure- or __Host- prefix/,
    ],
  ])('CLI-003 CLI-009 warns, with exit code 0: %s', async (_, given, expected) => {
    const { code, out } = await diagnose(given)
    expect(out).toMatch(expected)
    expect(code).toBe(0)
  })

  it('CLI-007 compares the clocks', async () => {
    const late = (response: Response) => {
      response.headers.set('date', new Date(time - 300_000).toUTCString())
      return response
    }
    const { code, out } = await diagnose({ backward: late })
    expect(out).toMatch(/✗ This machine's clock is 300 s ahead of that of app\.test/)
    expect(code).toBe(1)
  })

  it.each<[string, Case, RegExp]>([
    [
      'no routes',
      { config: { basePath: '/login' } },
      /auth\/providers {2}404[^]*api\/auth\/providers {2}404[^]*another base path/,
    ],
    [
      'a rejected configuration',
      { config: { secret: ' ' } },
      /auth\/providers {2}500[^]*Check the log of the\napplication/,
    ],
    [
      'nobody',
      { line: 'doctor https://nobody.test' },
      /^https:\/\/nobody\.test\/auth\/providers does not respond: no nobody\.test$/m,
    ],
  ])('CLI-003 exits with a message if it finds no site: %s', async (_, given, expected) => {
    const { code, out, err } = await diagnose(given)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(expected)
  })
})
