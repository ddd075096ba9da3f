import { describe, expect, it } from 'vitest'
import { openApp, type AppOptions } from '../support/app.ts'
import { mailProvider } from '../support/mail.ts'
import { openTerminal, time } from './typed.ts'

interface Case extends AppOptions {
  /** What a proxy makes of a request. */
  readonly forward?: (request: Request) => Request
  /** What a proxy makes of an answer. */
  readonly backward?: (response: Response, path: string) => Response
  readonly line?: string
}

/** What doctor says of an application at https://app.test. */
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
  return { code, err, out: out.replaceAll(/\n {4,}/g, ' ') }
}

const without = (name: string) => (response: Response) => {
  response.headers.delete(name)
  return response
}

describe('authmachine doctor, of a site', () => {
  it('CLI-009 has nothing to say against a good one, and starts its sign-ins', async () => {
    const { code, out, err } = await diagnose({})
    expect([code, err]).toEqual([0, ''])
    expect(out).not.toMatch(/[✗!] /)
    for (const says of [
      '✓ The routes are at https://app.test/auth, which is where the application takes them to be.',
      '✓ __Host-authjs.csrf-token: HttpOnly, SameSite, Secure and with a prefix.',
      '✓ idp: leads to https://idp.test/authorize.',
      'All is well.',
    ])
      expect(out).toContain(says)
    expect(out).not.toMatch(/code_challenge|[0-9a-f]{64}/)
  })

  it('CLI-010 prints no control character and no line break of the site', async () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u009b31m\n  ✓ All is well.\u202e\u2028\r'
    const answer = (response: Response, path: string) => {
      if (!path.endsWith('/providers')) return response
      const idp = { id: `idp${evil}`, type: 'oidc', callbackUrl: `https://app.test${evil}/callback` }
      return Response.json({ idp: { ...idp, name: evil } })
    }
    const { out } = await diagnose({ backward: answer })
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}/u)
    expect(out).toContain(String.raw`\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{a}`)
    expect(out).not.toMatch(/^ *✓ All is well/m)
  })

  it('CLI-010 prints no control character of an error', async () => {
    const { type } = openTerminal(
      {},
      {
        fetch: () =>
          Promise.reject(new TypeError('fetch failed', { cause: new Error('\u001b]0;evil\u0007\nno') })),
        modules: {},
      },
    )
    const { err } = await type('doctor https://app.test')
    expect(err).toContain(String.raw`does not answer: \u{1b}]0;evil\u{7}\u{a}no`)
    expect((await type('\u001b[2J')).err).toContain(String.raw`no command \u{1b}[2J`)
  })

  it('CLI-008 names the URLs that sign-ins ask to come back to', async () => {
    const { out } = await diagnose({ config: { basePath: '/login' }, line: 'doctor https://app.test/login/' })
    expect(out).toContain('· https://app.test/login/callback/idp')
  })

  it('CLI-009 starts none where that would send a mail', async () => {
    const mails: never[] = []
    const { out } = await diagnose({ providers: [mailProvider(mails)], strategy: 'database' })
    expect(out).toContain('· mail: of type email, so that no sign-in was started.')
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
      /✗ The routes are at https:\/\/app\.test\/auth, and the application sends people back to http:\/\/10\.0\.0\.1[^→]*→ Set AUTH_URL/,
    ],
    [
      'a proxy that hides https',
      { forward: (request) => new Request(request.url.replace('https:', 'http:'), request) },
      /✗ authjs\.csrf-token is not Secure, though the site is at https[^→]*→ Set AUTH_URL/,
    ],
    [
      'a proxy that caches',
      { backward: without('cache-control') },
      /✗ The answer may be kept on the way \(Cache-Control: none\)/,
    ],
    [
      'cookies that scripts read',
      { config: { cookies: { csrfToken: { options: { httpOnly: false } } } } },
      /✗ __Host-authjs\.csrf-token is not HttpOnly/,
    ],
    [
      'a provider that is not there',
      { idp: { misbehave: ['discovery:500'] } },
      /✗ idp: a sign-in ends at once with the error Configuration[^→]*→ Look into the log/,
    ],
    ['no checks', { provider: { checks: ['none'] } }, /✗ idp: asks with neither PKCE nor state/],
    [
      'a session for everybody',
      {
        backward: (response, path) =>
          path.endsWith('/session') ? new Response('{"user":{}}', response) : response,
      },
      /✗ Expected null for a visitor without a cookie/,
    ],
  ])('CLI-009 finds a problem, and says what to do: %s', async (_, given, expected) => {
    const { code, out, err } = await diagnose(given)
    expect(err).toBe('')
    expect(out).toMatch(expected)
    expect(code).toBe(1)
  })

  it.each<[string, Case, RegExp]>([
    [
      'a page in a frame',
      { backward: (response) => without('x-frame-options')(without('content-security-policy')(response)) },
      /! The sign-in page can be put into a frame/,
    ],
    [
      'another name',
      { config: { cookies: { csrfToken: { name: 'csrf' } } } },
      /! csrf has no __Secure- or __Host- prefix/,
    ],
  ])('CLI-003 CLI-009 warns, and ends well: %s', async (_, given, expected) => {
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
      'a configuration that is refused',
      { config: { secret: ' ' } },
      /auth\/providers {2}500[^]*the log of the\napplication says why/,
    ],
    [
      'nobody',
      { line: 'doctor https://nobody.test' },
      /^https:\/\/nobody\.test\/auth\/providers does not answer: no nobody\.test$/m,
    ],
  ])('CLI-003 ends with a sentence where there is no site: %s', async (_, given, expected) => {
    const { code, out, err } = await diagnose(given)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(expected)
  })
})
